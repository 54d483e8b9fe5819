//! Tests that need what not every machine has: a program, or a right. Without it they are left out
//! loudly, and in CI they fail, which is there to run them all.

use std::io::Write;

/// Says that a test, or a part of one, cannot run here, and what it is in want of.
///
/// # Panics
/// Where `CI=true` is set: there nothing may be left out.
pub fn left_out(test: &str, wants: &str) {
    assert!(!is_ci(), "{test} cannot be left out where CI=true: {wants}");
    // Past the capture of the test runner: somebody shall see it.
    drop(writeln!(std::io::stderr(), "\n*** NOT RUN: {test} needs {wants} ***"));
}

fn is_ci() -> bool {
    std::env::var_os("CI").is_some_and(|ci| ci == "true")
}
