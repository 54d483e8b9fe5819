//! Which modules the page begins with: those that its first one imports, and what these import.
//! What is imported later, by `import(..)`, is loaded when it is needed.

use std::collections::{BTreeSet, HashMap};

/// The module that `index.html` names.
const FIRST: &str = "js/main.js";

/// The paths of all modules that are loaded with the first one, in order.
pub(super) fn reachable(files: &[(String, Vec<u8>)]) -> Vec<String> {
    let files: HashMap<&str, &[u8]> =
        files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    let (mut found, mut unread) = (BTreeSet::new(), vec![FIRST.to_owned()]);
    while let Some(path) = unread.pop() {
        let Some(bytes) = files.get(path.as_str()) else { continue };
        if !found.contains(&path) {
            unread.extend(imports(&path, &String::from_utf8_lossy(bytes)));
            found.insert(path);
        }
    }
    found.into_iter().collect()
}

/// What a module imports at its top, as paths like its own.
fn imports(path: &str, script: &str) -> Vec<String> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let ends = script.split(" from \"").skip(1).filter_map(|after| after.split_once('"'));
    ends.map(|(target, _)| target).filter(|t| t.starts_with('.')).map(|t| join(folder, t)).collect()
}

fn join(folder: &str, target: &str) -> String {
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
mod tests {
    use super::reachable;

    #[test]
    fn modules_are_followed_through_imports_but_not_those_for_later() {
        let files = [
            (
                "js/main.js",
                "import { a } from \"./a.js\";\nconst b = () => import(\"./later.js\");",
            ),
            ("js/a.js", "import {\n  c,\n} from \"./deep/c.js\";"),
            ("js/deep/c.js", "export { a } from \"../a.js\";"),
            ("js/later.js", "export {};"),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
        assert_eq!(reachable(&files), ["js/a.js", "js/deep/c.js", "js/main.js"]);
        assert!(reachable(&[]).is_empty());
    }
}
