//! Bundles the page for a first visit: one style and one script, which contain all that
//! `index.html` names and all that these modules import.
//!
//! Without a bundle the first visit is slower. Measured with a CPU 6 times slower, slow 4G (562 ms
//! for a request, 1.4 Mbit/s), an empty cache and six connections; each file compressed; the median
//! of five visits of the menu. The language was part of the script then; it is a third request now.
//!
//! | served | requests | menu visible | menu works |
//! | --- | --- | --- | --- |
//! | this bundle | 2 | 2.2 s | 2.2 s |
//! | 60 modules and 7 styles with `modulepreload` | 67 | 8.4 s | 8.4 s |
//! | only the modules and styles of the menu, the other screens later | 26 | 4.4 s | 4.4 s |
//! | the menu from 10 modules, then all others | 12 | 2.5 s | 8.0 s |
//!
//! The link of a room needs nearly all modules, so that its visitor would always wait 8 s.
//!
//! A module that `import(..)` loads later becomes a bundle of its own. A module that the first
//! script or one of [`SHARED`] contains too is taken from there, so that each module exists once:
//! they export it. A file of `vendor/` stays as it is. Each language is bundled too, because its
//! player needs all of it. The browser loads the visitor's language beside the script.
//!
//! The bundler reads scripts line by line. [`parse`](module::parse) says how they must be written, and
//! a test checks that they are.

mod module;

use std::collections::{BTreeMap, BTreeSet};

use crate::http::assets::PLACEHOLDER;
use module::{Module, id, parse, relative};

/// The script that `index.html` names.
const SCRIPT: &str = "js/main.js";

/// Modules that later scripts need and the first one lacks. Each is a bundle with all that it imports, from which
/// the ones after it and the later scripts take what they share. Other modules that later scripts share are in each
/// of them, as long as they are small.
const SHARED: [&str; 7] = [
    "js/room/main.js",
    "js/room/share-dialog.js",
    "js/client/party.js",
    "js/client/party-view.js",
    "js/choices.js",
    "js/variants/main.js",
    "js/live/main.js",
];

/// The texts in each language. A visitor loads one of them, beside the script.
const LANGUAGES: [&str; 2] = ["js/strings/en.js", "js/strings/de.js"];

/// Paths below `server/web`, and the contents.
type Files = Vec<(String, Vec<u8>)>;

/// Replaces the first script, the scripts that are loaded later, the first style and the languages by
/// their bundles. The other files stay as they are.
pub(super) fn bundle(files: &mut Files) {
    let texts: BTreeMap<&str, &str> = files
        .iter()
        .filter_map(|(path, bytes)| Some((path.as_str(), std::str::from_utf8(bytes).ok()?)))
        .collect();
    let language = |path: &str| Some(vec![(path.to_owned(), Bundle::of(path, &texts, &[])?.text)]);
    let languages = LANGUAGES.into_iter().map(language);
    let bundles: Vec<_> =
        languages.chain([scripts(&texts), styles(&texts)]).flatten().flatten().collect();
    for (path, text) in bundles {
        if let Some((_, bytes)) = files.iter_mut().find(|(found, _)| *found == path) {
            *bytes = text.into_bytes();
        }
    }
}

/// `index.html` with its first style only, and that style with all styles in their order. Returns
/// `None` if a style is missing.
fn styles(texts: &BTreeMap<&str, &str>) -> Option<Vec<(String, String)>> {
    let opening = format!("<link rel=\"stylesheet\" href=\"{PLACEHOLDER}");
    let style = |line: &str| Some(line.strip_prefix(&opening)?.split_once('"')?.0.to_owned());
    let html = texts.get("index.html")?;
    let named: Vec<String> = html.lines().filter_map(style).collect();
    let first = named.first()?;
    let kept = html.lines().filter(|line| style(line).is_none_or(|path| path == *first));
    let html = kept.map(|line| format!("{line}\n")).collect();
    let all = named.iter().map(|path| texts.get(path.as_str()).copied()).collect::<Option<_>>()?;
    Some(vec![("index.html".to_owned(), html), (first.clone(), all)])
}

/// The first script, the shared ones and a bundle for each module that is loaded later. Returns `None` if the
/// first one cannot be bundled.
fn scripts(texts: &BTreeMap<&str, &str>) -> Option<Vec<(String, String)>> {
    let mut bundles = vec![Bundle::of(SCRIPT, texts, &[])?];
    for path in SHARED {
        bundles.extend(Bundle::of(path, texts, &bundles));
    }
    let bases = bundles.len();
    let mut waiting: Vec<String> =
        bundles.iter().flat_map(|bundle| bundle.later.iter().cloned()).collect();
    while let Some(path) = waiting.pop() {
        if bundles.iter().any(|bundle| bundle.path == path) {
            continue;
        }
        if let Some(bundle) = Bundle::of(&path, texts, &bundles[..bases]) {
            waiting.extend(bundle.later.iter().cloned());
            bundles.push(bundle);
        }
    }
    let taken = bundles.iter().flat_map(|bundle| bundle.taken.iter().cloned());
    let taken: BTreeSet<(String, String)> = taken.collect();
    let with_exports = |bundle: Bundle| {
        let from_here = taken.iter().filter(|(base, path)| *base == bundle.path && path != base);
        let ids: Vec<String> = from_here.map(|(_, path)| id(path)).collect();
        let exports = if ids.is_empty() { String::new() } else { export(&ids) };
        (bundle.path, bundle.text + &exports)
    };
    Some(bundles.into_iter().map(with_exports).collect())
}

/// A script with all that it imports, each module before its importers.
#[derive(Default)]
struct Bundle {
    path: String,
    text: String,
    /// Paths of its modules.
    modules: BTreeSet<String>,
    /// Bundles from which it takes modules, and the paths of these modules.
    taken: BTreeSet<(String, String)>,
    /// Paths of the modules that it loads later.
    later: BTreeSet<String>,
}

impl Bundle {
    /// The bundle of a script, without the modules of `bases`. Returns `None` if a module is missing or
    /// not written as [`parse`] needs it, or if the script itself is in one of `bases`.
    fn of(path: &str, texts: &BTreeMap<&str, &str>, bases: &[Self]) -> Option<Self> {
        if bases.iter().any(|base| base.modules.contains(path)) {
            return None;
        }
        let modules = BTreeSet::from([path.to_owned()]);
        let mut bundle = Self { path: path.to_owned(), modules, ..Self::default() };
        let Module { imports, exports, later, body } = parse(path, path, texts.get(path)?)?;
        bundle.later.extend(later);
        for import in &imports {
            bundle.add(import, texts, bases)?;
        }
        for base in bases.iter().rev() {
            bundle.text.insert_str(0, &bundle.import_from(&base.path)?);
        }
        // The script itself is no function, because it may use `await` and may export.
        bundle.text += &body;
        if !exports.is_empty() {
            bundle.text += &export(&exports);
        }
        Some(bundle)
    }

    /// Adds a module as the body of a function, after the modules that it imports.
    fn add(&mut self, path: &str, texts: &BTreeMap<&str, &str>, bases: &[Self]) -> Option<()> {
        if let Some(base) = bases.iter().find(|base| base.modules.contains(path)) {
            self.taken.insert((base.path.clone(), path.to_owned()));
            return Some(());
        }
        if !self.modules.insert(path.to_owned()) {
            return Some(());
        }
        let Module { imports, exports, later, body } = parse(&self.path, path, texts.get(path)?)?;
        self.later.extend(later);
        for import in &imports {
            self.add(import, texts, bases)?;
        }
        let id = id(path);
        let exports = exports.join(", ");
        self.text += &format!("const {id} = (() => {{\n{body}return {{ {exports} }};\n}})();\n");
        Some(())
    }

    /// The lines that import what this bundle takes from another one. The module of that bundle itself is
    /// no function there: that bundle is imported as a whole.
    fn import_from(&self, base: &str) -> Option<String> {
        let from = relative(&self.path, base)?;
        let (whole, others): (Vec<_>, Vec<_>) = self
            .taken
            .iter()
            .filter(|(found, _)| found == base)
            .partition(|(_, path)| path == base);
        let mut lines = String::new();
        if !whole.is_empty() {
            lines += &format!("import * as {} from \"{from}\";\n", id(base));
        }
        if !others.is_empty() {
            let ids: Vec<String> = others.iter().map(|(_, path)| id(path)).collect();
            lines += &format!("import {{ {} }} from \"{from}\";\n", ids.join(", "));
        }
        Some(lines)
    }
}

fn export(names: &[String]) -> String {
    format!("export {{ {} }};\n", names.join(", "))
}

#[cfg(test)]
mod tests;
