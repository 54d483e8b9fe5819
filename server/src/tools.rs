//! What the server's binary does beside hosting: [`analyze`] positions and play computers against
//! each other ([`mod@matches`]). The options are in [`args`].

pub mod analyze;
pub mod args;
mod combination;
mod interval;
pub mod matches;
mod position;

use std::io::{self, ErrorKind};

use clap::Subcommand;

pub use args::{AnalyzeArgs, MatchArgs};
pub(crate) use position::parse as position;

/// A subcommand.
#[derive(Debug, Clone, Subcommand)]
pub enum Tool {
    /// Says what the computers would play in positions, and how they score the cells
    Analyze(AnalyzeArgs),
    /// Plays computers against each other and counts
    Match(MatchArgs),
}

impl Tool {
    /// Does it, on standard input and output.
    ///
    /// # Errors
    /// With a message for people. A reader of standard output that has gone is none.
    pub fn run(self) -> anyhow::Result<()> {
        let done = match self {
            Self::Analyze(args) => analyze::run(&args),
            Self::Match(args) => matches::run(&args),
        };
        let gone = |error: &anyhow::Error| {
            let error = error.downcast_ref::<io::Error>();
            error.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
        };
        done.or_else(|error| if gone(&error) { Ok(()) } else { Err(error) })
    }
}
