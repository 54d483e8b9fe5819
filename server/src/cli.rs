//! What the server's binary does beside hosting: [`analyze`] positions, play computers against
//! each other ([`mod@matches`]), [`check`] what it would host with, and read what a server has kept ([`mod@journal`]). The options are
//! in [`args`].

pub mod analyze;
pub mod args;
pub mod banner;
pub mod check;
mod combination;
pub mod host;
mod interval;
pub mod journal;
pub mod matches;
pub mod message;
mod position;
mod qr;
pub mod signals;
pub mod systemd;
mod terminal;

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use clap::Subcommand;

use crate::config::args::Args;
use crate::config::settings::Settings;

pub use args::{AnalyzeArgs, JournalArgs, MatchArgs};
pub(crate) use position::parse as position;

/// A subcommand.
#[derive(Debug, Clone, Subcommand)]
pub enum Tool {
    /// Says what the computers would play in positions, and how they score the cells
    Analyze(AnalyzeArgs),
    /// Plays computers against each other and counts
    Match(MatchArgs),
    /// Writes all games that a server has kept, as JSON lines
    Export(JournalArgs),
    /// Says whether a server could run with these options: values, port, data folder
    Check(Box<Args>),
    /// Replays all that a server has kept by the rules, and says what contradicts them
    Verify(JournalArgs),
}

impl Tool {
    /// Does it, on standard input and output; the exit code.
    ///
    /// # Errors
    /// With a message for people. A reader of standard output that has gone is none.
    pub fn run(self, settings: &Settings) -> anyhow::Result<ExitCode> {
        let done = match self {
            Self::Analyze(args) => analyze::run(&args).map(|()| ExitCode::SUCCESS),
            Self::Match(args) => matches::run(&args).map(|()| ExitCode::SUCCESS),
            Self::Export(args) => journal::export(&args),
            Self::Check(args) => check::run(&args, settings),
            Self::Verify(args) => journal::verify(&args),
        };
        done.or_else(
            |error| if reader_is_gone(&error) { Ok(ExitCode::SUCCESS) } else { Err(error) },
        )
    }
}

/// Whether what went wrong is that nobody reads the output any more: who reads has read enough.
#[must_use]
pub fn reader_is_gone(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|error| error.kind() == ErrorKind::BrokenPipe)
}
