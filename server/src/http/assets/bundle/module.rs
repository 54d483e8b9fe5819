//! Reads a module line by line, as a bundle needs it.

/// A module as the body of a function.
pub(super) struct Module {
    /// Paths of imported modules.
    pub(super) imports: Vec<String>,
    /// Exported names.
    pub(super) exports: Vec<String>,
    /// Paths of modules that it loads later.
    pub(super) later: Vec<String>,
    pub(super) body: String,
}

/// Parses the module at a path, for the bundle at the path `script`. Returns `None` unless every import
/// starts its own line and has braces or a star, and every export is a declaration that starts its own
/// line, a list in braces or a default. Lists and defaults may be anywhere, because published modules
/// are minified to one long line. A line has at most one `import(..)`.
pub(super) fn parse(script: &str, path: &str, text: &str) -> Option<Module> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut module =
        Module { imports: Vec::new(), exports: Vec::new(), later: Vec::new(), body: String::new() };
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
            let line = match line.split_once("import(\"") {
                Some((before, rest)) => {
                    let (target, after) = rest.split_once('"')?;
                    let target = resolve(folder, target);
                    let rebased = relative(script, &target)?;
                    // A published module stays a file of its own.
                    module.later.extend(target.ends_with(".js").then_some(target));
                    format!("{before}import(\"{rebased}\"{after}")
                }
                None => line,
            };
            module.body += &format!("{line}\n");
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

/// The address of a module in an import of the script. Returns `None` unless both are in `js/`.
pub(super) fn relative(script: &str, target: &str) -> Option<String> {
    let script = script.strip_prefix("js/")?;
    let target = target.strip_prefix("js/")?;
    let up = "../".repeat(script.matches('/').count());
    Some(format!("{}{target}", if up.is_empty() { "./" } else { &up }))
}

/// The name of a module in the bundle. No name in the page's scripts starts with `$`.
pub(super) fn id(path: &str) -> String {
    let name = path.trim_start_matches("js/").trim_end_matches(".js");
    format!("${}", name.replace(|c: char| !c.is_ascii_alphanumeric(), "_"))
}

pub(super) fn resolve(folder: &str, target: &str) -> String {
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
