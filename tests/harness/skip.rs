//! Tests that need a program or a right that some machines lack. Such a test is skipped with a
//! message on standard error; in CI, which has all of them, it fails.

use std::io::Write;
use std::process::Command;

/// Reports that a test, or a part of one, cannot run here, and what it needs.
///
/// # Panics
/// If `CI=true` is set.
pub fn skipped(test: &str, needs: &str) {
    let is_ci = std::env::var_os("CI").is_some_and(|ci| ci == "true");
    assert!(!is_ci, "{test} must not be skipped where CI=true: it needs {needs}");
    // Straight to standard error: the test runner captures what `eprintln!` writes.
    drop(writeln!(std::io::stderr(), "\n*** NOT RUN: {test} needs {needs} ***"));
}

/// Whether what a test needs was found. If not, the skip is reported.
#[must_use]
pub fn is_here(found: bool, test: &str, needs: &str) -> bool {
    if !found {
        skipped(test, needs);
    }
    found
}

/// Whether these programs are here. If not, the skip of `test` is reported.
#[must_use]
pub fn has_programs(test: &str, programs: &[&str]) -> bool {
    let is_missing = |name: &&&str| Command::new(name).arg("--version").output().is_err();
    let missing = programs.iter().find(is_missing);
    is_here(missing.is_none(), test, missing.unwrap_or(&""))
}

/// Whether `strace` can trace here. If not, the skip of `test` is reported.
#[must_use]
pub fn has_strace(test: &str) -> bool {
    let tried = Command::new("strace").args(["-D", "-o", "/dev/null", "true"]).output();
    let can = tried.is_ok_and(|output| output.status.success());
    is_here(can, test, "strace, and the right to use it")
}
