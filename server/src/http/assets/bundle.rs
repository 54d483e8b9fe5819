//! Few files for a first visit, out of the many that people read: `index.html` names one style and
//! one script, which hold all that it named before and all that these import. Each file on its own
//! says the same again in its headers, and begins to be compressed anew: together they weigh half.
//!
//! The script is joined line by line, not parsed: it must be written as [`module`] expects, which
//! a test sees to. What is imported later, by `import(..)`, stays a file of its own, but for a
//! language, of which each visitor who speaks it needs all.

use std::collections::{BTreeMap, BTreeSet};

use crate::http::assets::PLACEHOLDER;

/// The script that `index.html` names.
const SCRIPT: &str = "js/main.js";

/// The language that is fetched on its own.
const LANGUAGE: &str = "js/strings/de.js";

/// Paths below `server/web`, and what they hold.
type Files = Vec<(String, Vec<u8>)>;

/// Puts into the first script and the first style what `index.html` needs besides; the other files
/// stay as they are, for whoever imports them later.
pub(crate) fn join(files: &mut Files) {
    let texts: BTreeMap<&str, &str> = files
        .iter()
        .filter_map(|(path, bytes)| Some((path.as_str(), std::str::from_utf8(bytes).ok()?)))
        .collect();
    let script = |path: &str| Some(vec![(path.to_owned(), script(path, &texts)?)]);
    let joined = [styles(&texts), script(SCRIPT), script(LANGUAGE)];
    for (path, text) in joined.into_iter().flatten().flatten() {
        if let Some((_, bytes)) = files.iter_mut().find(|(found, _)| *found == path) {
            *bytes = text.into_bytes();
        }
    }
}

/// `index.html` with its first style alone, and that style with all of them in their order; none
/// where a style is not there.
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

/// A script with all that it imports, each before what imports it; none where that cannot be done.
fn script(path: &str, texts: &BTreeMap<&str, &str>) -> Option<String> {
    let (mut joined, mut met) = (String::new(), BTreeSet::from([path.to_owned()]));
    let Module { imports, exports, body } = module(path, texts.get(path)?)?;
    for path in &imports {
        add(path, texts, &mut met, &mut joined)?;
    }
    // It may wait for something, and what it exports is imported later.
    joined += &body;
    if !exports.is_empty() {
        joined += &format!("export {{ {} }};\n", exports.join(", "));
    }
    Some(joined)
}

/// Adds a module, as a function's body, after those it imports. The page's own imports are the
/// deepest this can go.
fn add(
    path: &str,
    texts: &BTreeMap<&str, &str>,
    met: &mut BTreeSet<String>,
    joined: &mut String,
) -> Option<()> {
    if !met.insert(path.to_owned()) {
        return Some(());
    }
    let Module { imports, exports, body } = module(path, texts.get(path)?)?;
    for path in &imports {
        add(path, texts, met, joined)?;
    }
    let (id, exports) = (id(path), exports.join(", "));
    *joined += &format!("const {id} = (() => {{\n{body}return {{ {exports} }};\n}})();\n");
    Some(())
}

/// A module that has become the body of a function.
struct Module {
    /// The paths of what it imports.
    imports: Vec<String>,
    /// The names of what it exports.
    exports: Vec<String>,
    body: String,
}

/// Reads a module whose imports have braces or a star, whose exports are declarations that never
/// change, and in which each of either begins a line that nothing else begins like; none for others.
fn module(path: &str, text: &str) -> Option<Module> {
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
            let target = join_path(folder, target.strip_suffix("\";")?);
            let names = match names.strip_prefix("* as ") {
                Some(name) => name.to_owned(),
                None => names.starts_with('{').then(|| names.replace(" as ", ": "))?,
            };
            module.body += &format!("const {names} = {};\n", id(&target));
            module.imports.push(target);
            continue;
        }
        let declaration = line.strip_prefix("export ");
        if let Some(declaration) = declaration {
            module.exports.push(declared(declaration)?);
        }
        module.body += &format!("{}\n", later(folder, declaration.unwrap_or(line))?);
    }
    Some(module)
}

/// The name that a declaration gives.
fn declared(declaration: &str) -> Option<String> {
    let rest = declaration.strip_prefix("async ").unwrap_or(declaration);
    let kinds = ["function ", "const ", "class "];
    let rest = kinds.iter().find_map(|kind| rest.strip_prefix(kind))?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    (end > 0).then(|| rest[..end].to_owned())
}

/// A line in which what is imported later is found from where the joined script is.
fn later(folder: &str, line: &str) -> Option<String> {
    let Some((before, rest)) = line.split_once("import(\"") else { return Some(line.to_owned()) };
    let (target, after) = rest.split_once('"')?;
    let target = join_path(folder, target);
    Some(format!("{before}import(\"./{}\"{after}", target.strip_prefix("js/")?))
}

/// What a module is called in the joined script; no name of the page's own begins like that.
fn id(path: &str) -> String {
    let name = path.trim_start_matches("js/").trim_end_matches(".js");
    format!("${}", name.replace(|c: char| !c.is_ascii_alphanumeric(), "_"))
}

fn join_path(folder: &str, target: &str) -> String {
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
