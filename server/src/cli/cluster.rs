//! `cluster`: what a host does once for several servers that are one. `cluster key` makes the key by
//! which its nodes prove to NATS that they are nodes; `cluster import` makes the data folder of a single
//! server that of a node.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use nkeys::KeyPair;

use crate::cli::args::JournalArgs;
use crate::cli::journal::counted;
use crate::cli::parties;
use crate::config;
use crate::journal::import::{Imported, import};

/// The arguments of `cluster`.
#[derive(Debug, Clone, clap::Args)]
pub struct ClusterArgs {
    /// The task
    #[command(subcommand)]
    command: ClusterCommand,
}

#[derive(Debug, Clone, clap::Subcommand)]
enum ClusterCommand {
    /// Makes the nodes' key: writes the secret half into a new file, and prints the public half for the
    /// configuration of NATS
    Key {
        /// The new file; each node needs a copy of it
        file: PathBuf,
    },
    /// Makes the data folder of a stopped server, or of a node whose log was lost, that of a node of a new
    /// cluster. Each node needs a copy of it before its first start
    Import(JournalArgs),
}

/// Does it.
///
/// # Errors
/// If it fails, with a message for people.
pub fn run(args: &ClusterArgs) -> anyhow::Result<ExitCode> {
    match &args.command {
        ClusterCommand::Key { file } => {
            let public = make_key(file)?;
            writeln!(io::stdout(), "{public}")?;
        }
        ClusterCommand::Import(JournalArgs { data_dir }) => {
            let folder = config::data_dir(data_dir.clone())?;
            let Imported { rooms, parties } = import(&folder)?;
            writeln!(
                io::stdout(),
                "{} is a node's now, with {}{}: copy it to every node before the first one starts",
                folder.display(),
                counted(rooms as u64, "room"),
                parties::counted(parties as u64),
            )?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the seed of a new user's nkey into a new file that only this user can read, and returns the
/// public key.
fn make_key(file: &Path) -> anyhow::Result<String> {
    let pair = KeyPair::new_user();
    let seed = pair.seed()?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let failed = || {
        format!(
            "cannot make {}: name a file that is not there yet, in a folder that is",
            file.display()
        )
    };
    writeln!(options.open(file).with_context(failed)?, "{seed}").with_context(failed)?;
    Ok(pair.public_key())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_two_halves_and_no_file_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("noughts.nk");
        let public = make_key(&file).unwrap();
        let seed = std::fs::read_to_string(&file).unwrap();
        let pair = KeyPair::from_seed(seed.trim()).unwrap();
        assert_eq!((pair.public_key(), &public[..1]), (public.clone(), "U"));
        assert!(make_key(&file).is_err());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), seed);
    }
}
