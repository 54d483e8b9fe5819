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
//! The bundler reads scripts line by line. [`parse`] says how they must be written, and a test checks
//! that they are. A module that `import(..)` loads later stays a file of its own. Each language
//! is bundled too, because its player needs all of it. The browser loads the visitor's language beside
//! the script.

use std::collections::{BTreeMap, BTreeSet};

use crate::http::assets::PLACEHOLDER;

/// The script that `index.html` names.
const SCRIPT: &str = "js/main.js";

/// The texts in each language. A visitor loads one of them, beside the script.
const LANGUAGES: [&str; 2] = ["js/strings/en.js", "js/strings/de.js"];

/// Paths below `server/web`, and the contents.
type Files = Vec<(String, Vec<u8>)>;

/// Replaces the first script, the first style and the languages by their bundles. The other files stay
/// as they are.
pub(super) fn bundle(files: &mut Files) {
    let texts: BTreeMap<&str, &str> = files
        .iter()
        .filter_map(|(path, bytes)| Some((path.as_str(), std::str::from_utf8(bytes).ok()?)))
        .collect();
    let script = |path: &str| Some(vec![(path.to_owned(), script(path, &texts)?)]);
    let scripts = [SCRIPT].into_iter().chain(LANGUAGES).map(script);
    let bundles: Vec<_> = scripts.chain([styles(&texts)]).flatten().flatten().collect();
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

/// A script with all that it imports, each module before its importers. Returns `None` if a module is
/// missing or not written as [`parse`] needs it.
fn script(path: &str, texts: &BTreeMap<&str, &str>) -> Option<String> {
    let (mut bundled, mut seen) = (String::new(), BTreeSet::from([path.to_owned()]));
    let Module { imports, exports, body } = parse(path, texts.get(path)?)?;
    for path in &imports {
        add(path, texts, &mut seen, &mut bundled)?;
    }
    // The script itself is no function, because it may use `await` and may export.
    bundled += &body;
    if !exports.is_empty() {
        bundled += &format!("export {{ {} }};\n", exports.join(", "));
    }
    Some(bundled)
}

/// Adds a module as the body of a function, after the modules that it imports.
fn add(
    path: &str,
    texts: &BTreeMap<&str, &str>,
    seen: &mut BTreeSet<String>,
    bundled: &mut String,
) -> Option<()> {
    if !seen.insert(path.to_owned()) {
        return Some(());
    }
    let Module { imports, exports, body } = parse(path, texts.get(path)?)?;
    for path in &imports {
        add(path, texts, seen, bundled)?;
    }
    let (id, exports) = (id(path), exports.join(", "));
    *bundled += &format!("const {id} = (() => {{\n{body}return {{ {exports} }};\n}})();\n");
    Some(())
}

/// A module as the body of a function.
struct Module {
    /// Paths of imported modules.
    imports: Vec<String>,
    /// Exported names.
    exports: Vec<String>,
    body: String,
}

/// Parses a module. Returns `None` unless every import starts its own line and has braces or a star,
/// and every export is a declaration that starts its own line, a list in braces or a default. Lists
/// and defaults may be anywhere, because published modules are minified to one long line.
fn parse(path: &str, text: &str) -> Option<Module> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut module = Module { imports: Vec::new(), exports: Vec::new(), body: String::new() };
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("import ") {
            let mut import = line.to_owned();
            while !import.ends_with("\";") {
                import += lines.next()?;
            }
            let (names, target) = import.strip_prefix("import ")?.split_once(" from \"")?;
            let target = resolve(folder, target.strip_suffix("\";")?);
            let names = match names.strip_prefix("* as ") {
                Some(name) => name.to_owned(),
                None => names.starts_with('{').then(|| names.replace(" as ", ": "))?,
            };
            module.body += &format!("const {names} = {};\n", id(&target));
            module.imports.push(target);
        } else if !line.starts_with("//") {
            let line = without_exports(line, &mut module.exports)?;
            module.body += &format!("{}\n", rebase_import(folder, &line)?);
        }
    }
    Some(module)
}

/// A line without what makes it export. The exported names are added to `exports`.
fn without_exports(line: &str, exports: &mut Vec<String>) -> Option<String> {
    let declaration = line.strip_prefix("export ");
    if let Some((declaration, name)) = declaration.and_then(|d| Some((d, declared(d)?))) {
        exports.push(name);
        return Some(declaration.to_owned());
    }
    let mut line = line.to_owned();
    if let Some((before, value)) = line.split_once("export default ") {
        line = format!("{before}const $default = {value}");
        exports.push("default: $default".to_owned());
    }
    if let Some((before, list)) = line.split_once("export{").or_else(|| line.split_once("export {"))
    {
        let (names, after) = list.split_once('}')?;
        exports.extend(names.split(',').map(|name| match name.trim().split_once(" as ") {
            Some((local, exported)) => format!("{exported}: {local}"),
            None => name.trim().to_owned(),
        }));
        line = format!("{before}{}", after.strip_prefix(';')?);
    }
    (!line.starts_with("export ")).then_some(line)
}

/// The name of a declaration.
fn declared(declaration: &str) -> Option<String> {
    let rest = declaration.strip_prefix("async ").unwrap_or(declaration);
    let kinds = ["function ", "const ", "class "];
    let rest = kinds.iter().find_map(|kind| rest.strip_prefix(kind))?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    (end > 0).then(|| rest[..end].to_owned())
}

/// A line whose `import(..)` is relative to the bundle.
fn rebase_import(folder: &str, line: &str) -> Option<String> {
    let Some((before, rest)) = line.split_once("import(\"") else { return Some(line.to_owned()) };
    let (target, after) = rest.split_once('"')?;
    let target = resolve(folder, target);
    Some(format!("{before}import(\"./{}\"{after}", target.strip_prefix("js/")?))
}

/// The name of a module in the bundle. No name in the page's scripts starts with `$`.
fn id(path: &str) -> String {
    let name = path.trim_start_matches("js/").trim_end_matches(".js");
    format!("${}", name.replace(|c: char| !c.is_ascii_alphanumeric(), "_"))
}

fn resolve(folder: &str, target: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in target.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests;
