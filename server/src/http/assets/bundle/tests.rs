//! Bundles of small modules, and the bundle of the page.

use std::collections::{BTreeMap, BTreeSet};

use crate::http::assets::bundle::module::resolve;
use crate::http::assets::bundle::{Bundle, Files, LANGUAGES, PLACEHOLDER, SCRIPT, SHARED, bundle};
use crate::http::assets::{embedded_files, gzip, minify::minify};

/// Later scripts have fewer bytes than these of modules that another one has too.
const COPIED: usize = 7_000;

fn files(files: &[(&str, &str)]) -> Files {
    files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect()
}

fn text<'a>(files: &'a Files, path: &str) -> &'a str {
    let (_, bytes) = files.iter().find(|(found, _)| found == path).unwrap();
    std::str::from_utf8(bytes).unwrap()
}

/// Compares the bundle of a first script and other modules.
fn check(others: &[(&str, &str)], main: &str, expected: &str) {
    let mut all = files(others);
    all.extend(files(&[(SCRIPT, main)]));
    bundle(&mut all);
    assert_eq!(text(&all, SCRIPT), expected, "{main}");
}

#[test]
fn modules_come_before_what_imports_them_and_once() {
    check(
        &[
            ("js/a.js", "import { c } from \"./deep/c.js\";\nexport const a = c;\n"),
            ("js/deep/c.js", "let n = 0;\nexport function c() {}\nexport class D {}\n"),
        ],
        "import {\na,\n} from \"./a.js\";\nimport { c as b, D } from \"./deep/c.js\";\nawait a(b);\n",
        "const $deep_c = (() => {\nlet n = 0;\nfunction c() {}\nclass D {}\nreturn { c, D };\n})();\n\
         const $a = (() => {\nconst { c } = $deep_c;\nconst a = c;\nreturn { a };\n})();\n\
         const {a,} = $a;\nconst { c: b, D } = $deep_c;\nawait a(b);\n",
    );
}

#[test]
fn a_module_is_imported_as_a_whole_and_asynchronous_functions_are_exported() {
    check(
        &[("js/a.js", "export async function go() {}\n")],
        "import * as a from \"./a.js\";\na.go();\n",
        "const $a = (() => {\nasync function go() {}\nreturn { go };\n})();\nconst a = $a;\na.go();\n",
    );
}

#[test]
fn published_modules_export_within_a_line() {
    check(
        &[
            ("js/vendor/a.mjs", "var n=1,t=2;export{n as A,t};\n//# sourceMappingURL=a.mjs.map\n"),
            ("js/vendor/b.mjs", "var n=3;export default function(t){return n}\n"),
            (
                "js/c.js",
                "import { default as b } from \"./vendor/b.mjs\";\n\
                 import { A, t as T } from \"./vendor/a.mjs\";\nexport { A, T, b };\n",
            ),
        ],
        "import { A } from \"./c.js\";\n",
        "const $vendor_b_mjs = (() => {\nvar n=3;const $default = function(t){return n}\n\
         return { default: $default };\n})();\n\
         const $vendor_a_mjs = (() => {\nvar n=1,t=2;\nreturn { A: n, t };\n})();\n\
         const $c = (() => {\nconst { default: b } = $vendor_b_mjs;\n\
         const { A, t: T } = $vendor_a_mjs;\n\nreturn { A, T, b };\n})();\nconst { A } = $c;\n",
    );
}

#[test]
fn a_later_import_is_relative_to_the_bundle() {
    check(
        &[("js/deep/c.js", "export const c = () => import(\"../vendor/d.mjs\").catch(e);\n")],
        "import { c } from \"./deep/c.js\";\n",
        "const $deep_c = (() => {\nconst c = () => import(\"./vendor/d.mjs\").catch(e);\n\
         return { c };\n})();\nconst { c } = $deep_c;\n",
    );
}

#[test]
fn what_is_loaded_later_is_a_bundle_that_shares_the_modules_of_the_first_script() {
    let html = ("js/html.js", "export const h = 1;\n");
    let pen = ("js/deep/pen.js", "import { h } from \"../html.js\";\nexport const p = h;\n");
    let part = "import { p } from \"../deep/pen.js\";\nimport { h } from \"../html.js\";\n\
                import { own } from \"./own.js\";\nexport const view = () => [p, h, own];\n";
    let own = "export const own = () => import(\"./more.js\");\n";
    let more = "import { h } from \"../html.js\";\nexport const more = h;\n";
    let main = "import { h } from \"./html.js\";\nimport { p } from \"./deep/pen.js\";\n\
                const later = () => import(\"./part/view.js\");\n";
    let mut all = files(&[html, pen, ("js/part/view.js", part), ("js/part/own.js", own)]);
    all.extend(files(&[("js/part/more.js", more), (SCRIPT, main)]));
    bundle(&mut all);
    assert_eq!(
        text(&all, SCRIPT),
        "const $html = (() => {\nconst h = 1;\nreturn { h };\n})();\n\
         const $deep_pen = (() => {\nconst { h } = $html;\nconst p = h;\nreturn { p };\n})();\n\
         const { h } = $html;\nconst { p } = $deep_pen;\n\
         const later = () => import(\"./part/view.js\");\nexport { $deep_pen, $html };\n"
    );
    assert_eq!(
        text(&all, "js/part/view.js"),
        "import { $deep_pen, $html } from \"../main.js\";\n\
         const $part_own = (() => {\nconst own = () => import(\"../part/more.js\");\n\
         return { own };\n})();\n\
         const { p } = $deep_pen;\nconst { h } = $html;\nconst { own } = $part_own;\n\
         const view = () => [p, h, own];\nexport { view };\n"
    );
    assert_eq!(
        text(&all, "js/part/more.js"),
        "import { $html } from \"../main.js\";\nconst { h } = $html;\nconst more = h;\n\
         export { more };\n"
    );
}

#[test]
fn later_scripts_share_modules_that_the_first_script_lacks() {
    let party = "js/client/party.js";
    let core = "import { s } from \"./state.js\";\nexport const core = s;\n";
    let part = "import { core } from \"./client/party.js\";\nimport { s } from \"./client/state.js\";\n\
                export const part = [core, s];\n";
    let main = "const later = () => import(\"./part.js\");\n";
    let mut all = files(&[(party, core), ("js/client/state.js", "export const s = 1;\n")]);
    all.extend(files(&[("js/part.js", part), (SCRIPT, main)]));
    bundle(&mut all);
    assert_eq!(text(&all, SCRIPT), main);
    assert_eq!(
        text(&all, party),
        "const $client_state = (() => {\nconst s = 1;\nreturn { s };\n})();\n\
         const { s } = $client_state;\nconst core = s;\nexport { core };\nexport { $client_state };\n"
    );
    assert_eq!(
        text(&all, "js/part.js"),
        "import * as $client_party from \"./client/party.js\";\n\
         import { $client_state } from \"./client/party.js\";\n\
         const { core } = $client_party;\nconst { s } = $client_state;\n\
         const part = [core, s];\nexport { part };\n"
    );
}

#[test]
fn a_later_script_that_cannot_be_bundled_stays_as_it_is() {
    for part in ["import { a } from \"./missing.js\";\n", "import \"./html.js\";\n"] {
        let main = "const later = () => import(\"./part.js\");\n";
        let mut all = files(&[("js/part.js", part), (SCRIPT, main)]);
        bundle(&mut all);
        assert_eq!((text(&all, SCRIPT), text(&all, "js/part.js")), (main, part));
    }
}

#[test]
fn a_language_is_one_file_that_is_imported_later() {
    let words = "import { room } from \"./room.js\";\nexport const de = {\n...room,\n};\n";
    let room = "export const room = { a: \"b\" };\n";
    let mut all = files(&[(LANGUAGES[1], words), ("js/strings/room.js", room)]);
    bundle(&mut all);
    let expected = "const $strings_room = (() => {\nconst room = { a: \"b\" };\n\
                    return { room };\n})();\nconst { room } = $strings_room;\n\
                    const de = {\n...room,\n};\nexport { de };\n";
    assert_eq!(text(&all, LANGUAGES[1]), expected);
    assert_eq!(text(&all, "js/strings/room.js"), room);
}

#[test]
fn a_script_that_cannot_be_bundled_stays_as_it_is() {
    for main in [
        "import { a } from \"./missing.js\";\n",
        "import a from \"./a.js\";\n",
        "import \"./a.js\";\n",
        "import { a } from \"./b.js\";\n",
        "import {\n",
    ] {
        let others =
            [("js/a.js", "export const a = 1;\n"), ("js/b.js", "export * from \"./a.js\";\n")];
        check(&others, main, main);
    }
}

#[test]
fn styles_are_bundled_in_the_order_of_the_index() {
    let link =
        |name: &str| format!("<link rel=\"stylesheet\" href=\"{PLACEHOLDER}css/{name}.css\">\n");
    let html = format!("<head>\n{}{}</head>\n", link("b"), link("a"));
    let mut all = files(&[("css/a.css", "a{}\n"), ("css/b.css", "b{}\n"), ("index.html", &html)]);
    bundle(&mut all);
    assert_eq!(text(&all, "index.html"), format!("<head>\n{}</head>\n", link("b")));
    assert_eq!((text(&all, "css/b.css"), text(&all, "css/a.css")), ("b{}\na{}\n", "a{}\n"));
}

/// As the page's bundler makes it, which shortens no names: with those it is two thirds of this.
#[test]
fn the_clients_package_is_small() {
    let mut all = embedded_files();
    for (path, bytes) in &mut all {
        *bytes = minify(path, bytes);
    }
    let texts = all
        .iter()
        .filter_map(|(path, bytes)| Some((path.as_str(), std::str::from_utf8(bytes).ok()?)));
    let client = Bundle::of("js/client/index.js", &texts.collect(), &[]).unwrap();
    let size = gzip(client.text.as_bytes()).unwrap().len();
    assert!(size <= 16 * 1024, "{size} bytes");
    println!("{size} bytes");
}

#[test]
fn the_page_is_bundled_as_a_whole() {
    let mut all = embedded_files();
    for (path, bytes) in &mut all {
        *bytes = minify(path, bytes);
    }
    bundle(&mut all);
    for line in text(&all, SCRIPT).lines() {
        let is_whole = !line.starts_with("import ") && !line.starts_with("export ");
        assert!(is_whole || line.starts_with("export { $"), "{line}");
    }
    assert!(modules_in_order(&all, SCRIPT).len() > 40);
    for path in later_scripts(&all) {
        modules_in_order(&all, &path);
    }
    later_scripts_take_only_what_is_exported(&all);
    later_scripts_share_what_is_large(&all);
    for language in LANGUAGES {
        assert!(!text(&all, language).contains("import "), "its parts are in it");
    }
    assert_eq!(text(&all, "index.html").matches("rel=\"stylesheet\"").count(), 1);
}

/// The modules of a bundle, each before what uses it: a circle of imports would use one that is not there yet.
fn modules_in_order(all: &Files, path: &str) -> BTreeSet<String> {
    let mut there = BTreeSet::new();
    for line in text(all, path).lines() {
        if let Some(taken) = line.strip_prefix("import ") {
            let names = taken.split(|c: char| !c.is_alphanumeric() && !"$_".contains(c));
            there.extend(names.filter_map(|name| name.strip_prefix('$')).map(str::to_owned));
        }
        if let Some((id, _)) = line.strip_prefix("const $").and_then(|l| l.split_once(" = (() =>"))
        {
            assert!(there.insert(id.to_owned()), "{path} has two modules that are called {id}");
        }
        if let Some((_, id)) = line.strip_prefix("const ").and_then(|l| l.split_once(" = $")) {
            let id = id.trim_end_matches(';');
            assert!(there.contains(id), "{path}: {id} comes too late for: {line}");
        }
    }
    there
}

/// The scripts of ours that the page loads later, and what they take their modules from.
fn later_scripts(all: &Files) -> BTreeSet<String> {
    let mut found = BTreeSet::from(SHARED.map(str::to_owned));
    let mut waiting = vec![SCRIPT.to_owned()];
    waiting.extend(found.iter().cloned());
    while let Some(path) = waiting.pop() {
        let targets = text(all, &path).split("import(\"").skip(1);
        let targets = targets.filter_map(|rest| rest.split_once('"')).map(|(target, _)| target);
        for target in targets.filter(|target| target.ends_with(".js")) {
            let target = resolve(path.rsplit_once('/').unwrap().0, target);
            if found.insert(target.clone()) {
                waiting.push(target);
            }
        }
    }
    found
}

fn later_scripts_take_only_what_is_exported(all: &Files) {
    for path in later_scripts(all) {
        let part = text(all, &path);
        for line in part.lines().filter(|line| line.starts_with("import ")) {
            let (taken, from) = line.trim_end_matches("\";").split_once(" from \"").unwrap();
            let from = resolve(path.rsplit_once('/').unwrap().0, from);
            assert!(from == SCRIPT || SHARED.contains(&&*from), "{path} is not bundled: {line}");
            let exported: Vec<_> = text(all, &from)
                .lines()
                .filter_map(|line| line.strip_prefix("export { "))
                .collect();
            let taken =
                taken.strip_prefix("import { ").map_or("", |names| names.trim_end_matches(" }"));
            for taken in taken.split(", ").filter(|taken| !taken.is_empty()) {
                let is_exported = exported.iter().any(|names| {
                    names.trim_end_matches(" };").split(", ").any(|name| name == taken)
                });
                assert!(is_exported, "{path} takes {taken}, which {from} does not export");
            }
        }
        let known = |id: &str| {
            let here = [format!("const {id} = (() => {{"), format!("import * as {id} from")];
            here.iter().any(|start| part.contains(start))
                || part.contains(&format!("import {{ {id}"))
                || part.contains(&format!(", {id}"))
        };
        for line in part.lines().filter(|line| line.starts_with("const ")) {
            let Some((_, id)) = line.split_once(" = $") else { continue };
            let id = format!("${}", id.trim_end_matches(';'));
            assert!(known(&id), "{path} is imported by its own modules: {line}");
        }
        // The folder of a bundle is not the folder of its modules.
        assert!(!part.contains("import.meta"), "{path}");
    }
}

fn later_scripts_share_what_is_large(all: &Files) {
    let mut copies: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for path in later_scripts(all) {
        for module in
            text(all, &path).split("const $").skip(1).filter(|m| m.contains(" = (() => {"))
        {
            let (id, body) = module.split_once(" = (() => {").unwrap();
            let body = body.split_once("})();\n").unwrap().0;
            copies.entry(id.to_owned()).or_default().push(body.len());
        }
    }
    copies.retain(|_, sizes| sizes.len() > 1);
    let twice: usize = copies.values().flat_map(|sizes| sizes.iter().skip(1)).sum();
    assert!(twice < COPIED, "{twice} bytes are twice, share some of {copies:?}");
}
