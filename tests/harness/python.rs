//! The Python bot of `tests/bots`, as a process.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Pipe;
use crate::process::ServerProcess;
use crate::skip::is_here;

/// The bot and what it needs besides Python: `tests/run` installs that.
fn folders() -> (PathBuf, PathBuf) {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    (package.join("bots/bot.py"), package.join("../target/bots"))
}

/// Whether Python and the bot's library are there. If not, the skipped test is reported.
#[must_use]
pub fn has_python_bot(test: &str) -> bool {
    let import = ["-c", "import sys, websockets; assert sys.version_info >= (3, 11)"];
    let found = Command::new("python3").args(import).env("PYTHONPATH", folders().1).output();
    let found = found.is_ok_and(|output| output.status.success());
    is_here(found, test, "Python 3.11 and the library of tests/bots/requirements.txt")
}

/// Starts the bot in a room or a party.
///
/// # Panics
/// If it cannot be started.
#[must_use]
pub fn python_bot(server: &ServerProcess, code: &str, name: &str) -> Pipe {
    let (bot, library) = folders();
    let url = format!("ws://{}/ws", server.address());
    let mut command = Command::new("python3");
    command.arg(bot).args([&url, code, name]).env("PYTHONPATH", library);
    Pipe::start(&mut command)
}
