//! Ctrl-Z and `fg` in a shell with job control.

use std::process::Command;

use noughts_harness::{ServerProcess, Terminal};

const CONTROL_Z: &str = "\u{1a}";

/// The number that the shell printed after `pid=`.
fn pid(screen: &str) -> Option<&str> {
    let digits = |text: &&str| text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_digit());
    screen.split("pid=").filter_map(|rest| rest.split('.').next()).find(digits)
}

/// Waits until the shell has its screen and its line mode back: it shows the letters that are typed.
/// Returns the screen, on which the shell has told so many stops.
fn back_in(shell: &mut Terminal, stops: usize, word: &str) -> String {
    let (first, rest) = word.split_at(1);
    let told = |screen: &str| screen.matches("Stopped").count() == stops;
    let _ = shell.wait_for("the shell", told);
    let screen = shell.wait_new(&format!(" echo {first}''{rest}\r"), word);
    assert!(screen.contains(&format!("echo {first}''{rest}")), "no echo:\n{screen}");
    assert!(!screen.contains("to move"), "the game is still there:\n{screen}");
    screen
}

#[test]
fn control_z_leads_to_the_shell_and_fg_back_into_the_game() {
    let server = ServerProcess::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let mut shell = Terminal::shell(folder.path(), 24, 80);
    let _ = shell.wait_new(" echo rea''dy\r", "ready");
    let play = format!("exec $NOUGHTS play --both --server {}", server.address());
    let _ = shell.wait_new(&format!(" sh -c 'echo pid=$$.; {play}'\r"), "X to move");
    shell.press(CONTROL_Z);
    let screen = back_in(&mut shell, 1, "first");
    let _ = shell.wait_new(" fg\r", "X to move");
    let _ = shell.wait_new("5", "X plays 5");
    let client = pid(&screen).unwrap();
    assert!(Command::new("kill").args(["-TSTP", client]).status().unwrap().success());
    let _ = back_in(&mut shell, 2, "second");
    shell.resize(30, 100);
    let _ = shell.wait_new(" fg\r", "O to move");
    let screen = shell.wait_new("1", "O plays 1");
    assert_eq!(screen.trim_end().lines().count(), 30, "it fills the new window:\n{screen}");
    let written = shell.written();
    let [kept, brought_back] = ["22", "23"].map(|code| format!("\u{1b}[{code};2t"));
    let count = |code: &str| written.matches(code).count();
    assert_eq!(count(&kept), count(&brought_back) + 1, "each title that is kept comes back");
}
