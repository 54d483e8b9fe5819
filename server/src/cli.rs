//! The command line of the server's binary. Without a subcommand it hosts ([`mod@host`],
//! [`banner`], [`signals`], [`systemd`], [`mod@log`], [`reload`]). With a subcommand it
//! [analyzes](analyze) positions, plays computers against each other ([`mod@matches`]), plays for a
//! manager of other programs ([`mod@engine`]), [checks](check) a configuration, exports, backs up
//! and verifies what a server has stored ([`stored`]), computes its [`mod@ratings`] again, or
//! writes completions for a shell and manual pages.

#[cfg(unix)]
pub mod admin;
pub mod analyze;
pub mod args;
pub mod banner;
pub mod check;
mod combination;
pub mod engine;
pub mod host;
pub mod log;
pub mod matches;
pub mod message;
mod position;
mod qr;
pub mod ratings;
pub mod reload;
pub mod signals;
pub mod stored;
pub mod systemd;
mod terminal;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{CommandFactory, Parser};
use clap_complete::Shell;

use crate::config::args::Args;
use crate::config::settings::Settings;

pub use args::{AnalyzeArgs, BackupArgs, EngineArgs, MatchArgs, StoredArgs};
pub(crate) use position::parse as position;

/// Hosts Noughts: tic-tac-toe on small and large boards, for people, computers and spectators.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, args_override_self = true)]
#[command(args_conflicts_with_subcommands = true)]
pub struct CommandLine {
    /// What to do instead of hosting
    #[command(subcommand)]
    pub subcommand: Option<Subcommand>,

    /// Print the configuration that results from options, environment, file and defaults, and stop
    #[arg(long)]
    pub print_config: bool,

    /// How to host
    #[command(flatten)]
    pub host: Args,
}

/// What the binary can do instead of hosting.
#[derive(Debug, Clone, clap::Subcommand)]
pub enum Subcommand {
    /// Says what the computers would play in positions, and how they score the cells
    Analyze(AnalyzeArgs),
    /// Plays computers against each other and counts
    Match(MatchArgs),
    /// Plays five in a row for a manager that speaks the Gomocup protocol (Piskvork) on standard
    /// input and output
    Engine(EngineArgs),
    /// Writes all games that a server has kept, as JSON lines
    Export(StoredArgs),
    /// Copies all that a server has kept to a new file, also while the server runs
    Backup(BackupArgs),
    /// Says whether a server could run with these options: values, port, data folder
    Check(Box<Args>),
    /// Shows who is on a running server of this machine, and lets its host act
    #[cfg(unix)]
    Admin(Box<admin::AdminArgs>),
    /// Computes all ratings again from the rated games, and says whether the stored ones agree
    Ratings(StoredArgs),
    /// Replays all that a server has kept by the rules, and says what contradicts them
    Verify(StoredArgs),
    /// Prints a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Writes the manual pages
    Man {
        /// The folder into which they go
        folder: PathBuf,
    },
}

impl Subcommand {
    /// Runs the subcommand on standard input and output, and returns its exit code.
    ///
    /// # Errors
    /// If it fails, with a message for people.
    pub fn run(self, settings: &Settings) -> anyhow::Result<ExitCode> {
        match self {
            Self::Analyze(args) => analyze::run(&args).map(|()| ExitCode::SUCCESS),
            Self::Match(args) => matches::run(&args).map(|()| ExitCode::SUCCESS),
            Self::Engine(args) => engine::run(&args).map(|()| ExitCode::SUCCESS),
            Self::Export(args) => stored::export(&args),
            Self::Backup(args) => stored::backup(&args),
            Self::Check(args) => check::run(&args, settings),
            #[cfg(unix)]
            Self::Admin(args) => admin::run(*args),
            Self::Ratings(args) => ratings::run(&args),
            Self::Verify(args) => stored::verify(&args),
            Self::Completions { shell } => completions(shell),
            Self::Man { folder } => manual(&folder),
        }
    }
}

/// Prints the script with which a shell completes this command line.
fn completions(shell: Shell) -> anyhow::Result<ExitCode> {
    // The library panics if it cannot write, so it writes to memory first.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut CommandLine::command(), "noughts-server", &mut script);
    io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the manual pages of this command line: one for each subcommand.
fn manual(folder: &Path) -> anyhow::Result<ExitCode> {
    clap_mangen::generate_to(CommandLine::command(), folder)
        .with_context(|| format!("cannot write the manual pages to {}", folder.display()))?;
    Ok(ExitCode::SUCCESS)
}
