//! Rules that the compiler cannot check, about dependencies and waiting, for every file that git
//! tracks or would add.
//!
//! A rule is a pure function from one file to its complaints. A complaint names the file and the line
//! and says what to do. The rules are in [`rules`], and [`tests`] proves each on a small bad
//! example.
//! [`scripts`] runs a type checker on the page's scripts and a linter on the workflows.

mod rules;
mod scripts;
mod tests;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The top level of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ is in the workspace").to_owned()
}

/// Every file of the project by its path from the root: what git tracks or would add.
fn files() -> Vec<String> {
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let listed = Command::new("git").args(arguments).current_dir(root()).output().expect("git");
    assert!(listed.status.success(), "these tests need a clone, not an archive of it");
    let names = String::from_utf8(listed.stdout).expect("paths in UTF-8");
    names.split_terminator('\0').map(str::to_owned).collect()
}

#[test]
fn the_house_is_tidy() {
    let files = files();
    assert!(files.iter().any(|path| path == "Cargo.toml"), "the project was found");
    let mut complaints = Vec::new();
    for path in &files {
        // A file may have been deleted since git last looked; one that is not text has no lines.
        let text = fs::read(root().join(path)).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        complaints.extend(rules::check(path, text.as_deref().unwrap_or_default()));
    }
    complaints.sort();
    complaints.dedup();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// The files that a page links to, each with its line. Addresses elsewhere and places of the same
/// page are left out.
fn links(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).flat_map(|(number, line)| {
        let targets = line.split("](").skip(1).chain(line.split("src=\"").skip(1));
        targets.filter_map(move |rest| {
            let target = &rest[..rest.find([')', '"', '#'])?];
            (!target.is_empty() && !target.contains("://")).then_some((number, target))
        })
    })
}

#[test]
fn the_links_of_the_pages_lead_to_files() {
    let found: Vec<_> = links("[a](b.md#c) [d](#e)\n[f](https://g) <img src=\"h.png\">").collect();
    assert_eq!(found, [(1, "b.md"), (2, "h.png")]);
    let pages = files().into_iter().filter(|path| path.ends_with(".md"));
    for page in pages.filter(|page| !page.contains("/vendor/")) {
        let path = root().join(&page);
        let text = fs::read_to_string(&path).expect("a page in UTF-8");
        for (line, target) in links(&text) {
            let file = path.parent().expect("in a folder").join(target);
            assert!(file.exists(), "{page}:{line}: there is no {target}");
        }
    }
}
