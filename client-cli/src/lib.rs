//! Plays Noughts in a terminal.
//!
//! - [`args`] is what was typed and [`config`] what is remembered; [`start`] puts a run together.
//! - [`lan`] finds a server where none was named.
//! - [`connection`] owns the socket, and everything that must be said again after a break.
//! - [`session`] is what the player knows of their room and may ask for; [`goal`] what they want.
//! - `app` with `ui` is the full screen, [`plain`] the same game in lines of text. Both are
//!   synchronous state fed by one loop, and talk about the game in the words of [`words`].

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::CommandFactory;

use args::{Args, Command};
use goal::Goal;
use noughts_protocol::DisplayText;
use start::{Exit, Start};

pub mod address;
pub mod app;
pub mod args;
pub mod config;
pub mod connection;
pub mod event;
#[cfg(test)]
mod fixture;
#[doc(hidden)]
pub mod fuzzing;
pub mod goal;
mod help;
pub mod ids;
pub mod lan;
pub mod layout;
pub mod plain;
pub mod session;
pub mod signals;
pub mod start;
mod terminal;
mod ui;
pub mod words;

/// Runs what the arguments ask for, to its end.
#[must_use]
pub fn run(args: &Args) -> ExitCode {
    let (code, problem) = match run_to_exit(args) {
        Ok(Exit::Done) => (0, None),
        Ok(Exit::Lost(why)) => (1, Some(why)),
        Ok(Exit::Refused(why)) => (2, Some(why)),
        Err(error) => (1, Some(format!("failed to {error:#}"))),
    };
    if let Some(problem) = problem {
        // It may quote a path or an address as it was typed. Who closed it does not want to know.
        let _ = writeln!(std::io::stderr(), "noughts: {}", DisplayText::from(problem));
    }
    ExitCode::from(code)
}

fn run_to_exit(args: &Args) -> anyhow::Result<Exit> {
    if let Some(Command::Completions { shell }) = args.command {
        // The library panics where it cannot write.
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Args::command(), "noughts", &mut script);
        let written = std::io::stdout().write_all(&script).map(|()| Exit::Done);
        return read_enough(written).context("write the script");
    }
    let start = Start::new(args)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("start the program's event loop")?;
    let exit = runtime.block_on(async {
        if matches!(args.command, Some(Command::Servers)) {
            return lan::print(&start).await;
        }
        let start = match lan::settle(start).await {
            Ok(start) => start,
            Err(exit) => return Ok(exit),
        };
        // The public list is for reading, not for staying.
        if start.plain || start.goal == Goal::Rooms {
            plain::run(start).await
        } else {
            event::run(start).await
        }
    });
    // A read of standard input that nobody waits for any more cannot be ended.
    runtime.shutdown_timeout(Duration::ZERO);
    read_enough(exit).context("use the terminal")
}

/// A reader of the output that has gone has read enough: that is no error.
fn read_enough(written: io::Result<Exit>) -> io::Result<Exit> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Exit::Done),
        result => result,
    }
}
