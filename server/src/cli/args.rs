//! The options of `analyze`, `match`, `engine`, `export`, `backup`, `ratings` and `verify`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use noughts_protocol::settings::alternatives;
use noughts_protocol::{BoardSpec, Computer, Mark, RoomSettings, Strategy, Strength, Variant};

use crate::cli::combination;
use crate::cli::combination::StrategyChoice;
use crate::config::args::duration;

/// Reads a variant.
fn variant(text: &str) -> Result<Variant, String> {
    text.parse().map_err(|_| format!("use {}", alternatives(Variant::NAMES)))
}

/// The settings of a game of a variant on this board, or on its first one.
///
/// # Errors
/// If it is not played there.
pub(crate) fn settings(variant: Variant, board: Option<BoardSpec>) -> anyhow::Result<RoomSettings> {
    let first = || variant.boards().first()?.parse().ok();
    let board = board.or_else(first).unwrap_or_default();
    if let Some(refused) = variant.refuses(board) {
        anyhow::bail!(refused);
    }
    Ok(RoomSettings { board, variant, ..RoomSettings::default() })
}

/// Options of `analyze`.
#[derive(Debug, Clone, Args)]
#[command(args_override_self = true)]
pub struct AnalyzeArgs {
    /// Positions, cell by cell and row by row: X, O and . for an empty cell; of another variant than
    /// line the moves so far, as in "b2 a1" [default: one a line from standard input]
    #[arg(value_name = "POSITION")]
    pub positions: Vec<String>,

    /// Width, height and how many in a row win [default: the variant's first, 3x3x3 for line]
    #[arg(long, value_name = "WxHxLINE")]
    pub board: Option<BoardSpec>,

    /// The rules: line, ultimate, misere, gravity and so on
    #[arg(long, default_value = "line", value_parser = variant, value_name = "VARIANT")]
    pub variant: Variant,

    /// Whose turn it is [default: from the marks; X if both have as many]. In another variant than line,
    /// who moved first
    #[arg(long, value_parser = combination::mark, value_name = "x|o")]
    pub turn: Option<Mark>,

    /// minimax, heuristic, perfect, rules, or all: these with each of their strengths
    #[arg(long, default_value = "minimax", value_parser = combination::strategy_choice, value_name = "STRATEGY")]
    pub strategy: StrategyChoice,

    /// `very_weak`, weak, average, strong or `very_strong`, or 1 to 9, for minimax and heuristic
    #[arg(long, default_value = "average", value_parser = combination::strength, value_name = "STRENGTH")]
    pub strength: Strength,

    /// How long to think about a position; 3x3x3 needs no time
    #[arg(long, default_value = "1s", value_parser = duration, value_name = "TIME")]
    pub time: Duration,

    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// Options of `match`.
#[derive(Debug, Clone, Args)]
#[command(args_override_self = true)]
pub struct MatchArgs {
    /// Who plays X: a strategy (minimax, heuristic, perfect or rules), a strength such as strong, or
    /// both as in heuristic:strong
    #[arg(long, value_parser = combination::computer, value_name = "COMPUTER")]
    pub x: Computer,

    /// Who plays O
    #[arg(long, value_parser = combination::computer, value_name = "COMPUTER")]
    pub o: Computer,

    /// How many games
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..), value_name = "N")]
    pub games: u32,

    /// Width, height and how many in a row win [default: the variant's first, 3x3x3 for line]
    #[arg(long, value_name = "WxHxLINE")]
    pub board: Option<BoardSpec>,

    /// The rules: line, ultimate, misere, gravity and so on
    #[arg(long, default_value = "line", value_parser = variant, value_name = "VARIANT")]
    pub variant: Variant,

    /// Let O begin every second game
    #[arg(long)]
    pub alternate: bool,

    /// How long to think about a move; 3x3x3 needs no time
    #[arg(long, default_value = "1s", value_parser = duration, value_name = "TIME")]
    pub time: Duration,

    /// The seed of the random choices, to play the same games again [default: random]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// One JSON object instead of a table
    #[arg(long)]
    pub json: bool,
}

/// Options of `engine`.
#[derive(Debug, Clone, Args)]
#[command(args_override_self = true)]
pub struct EngineArgs {
    /// minimax, heuristic, perfect or rules
    #[arg(long, default_value = "minimax", value_parser = combination::strategy, value_name = "STRATEGY")]
    pub strategy: Strategy,

    /// `very_weak`, weak, average, strong or `very_strong`, or 1 to 9, for minimax and heuristic
    #[arg(long, default_value = "very_strong", value_parser = combination::strength, value_name = "STRENGTH")]
    pub strength: Strength,

    /// How long to think about a move if the manager sets no limit
    #[arg(long, default_value = "1s", value_parser = duration, value_name = "TIME")]
    pub time: Duration,

    /// The positions that a search looks at for a move at most, to play the same on every machine
    #[arg(long, value_name = "N")]
    pub positions: Option<u64>,
}

/// Options of `export`, `ratings` and `verify`; `admin` and `backup` have them too.
#[derive(Debug, Clone, Args)]
#[command(args_override_self = true)]
pub struct StoredArgs {
    /// The server's configuration file; only its data-dir counts here
    #[arg(long, env = "NOUGHTS_CONFIG", value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,

    /// The server's data folder, or a backup to read [default: noughts in the user's state folder]
    #[arg(long, env = "NOUGHTS_DATA_DIR", value_name = "FOLDER", global = true)]
    pub data_dir: Option<PathBuf>,
}

/// Options of `backup`.
#[derive(Debug, Clone, Args)]
#[command(args_override_self = true)]
pub struct BackupArgs {
    /// The new file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The folder
    #[command(flatten)]
    pub stored: StoredArgs,
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use crate::cli::{CommandLine, Subcommand};
    use crate::config::settings::Settings;

    /// Catches a command without `--config`, and a file that gives it options that it does not have.
    #[test]
    fn a_command_beside_hosting_takes_the_data_folder_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("noughts.toml");
        fs::write(&file, "name = \"Grace's games\"\ndata-dir = '/srv/games'\n").unwrap();
        for command in [&["export"][..], &["backup", "copy.db"], &["verify"], &["ratings"]] {
            let before = ["noughts-server"].iter().chain(command).map(Into::into);
            let words = before.chain(["--config".into(), file.clone().into_os_string()]);
            let (line, _) = Settings::read::<CommandLine>(words).unwrap();
            let stored = match line.subcommand.unwrap() {
                Subcommand::Export(args) | Subcommand::Verify(args) | Subcommand::Ratings(args) => {
                    args
                }
                Subcommand::Backup(args) => args.stored,
                other => panic!("{other:?}"),
            };
            assert_eq!(stored.data_dir.as_deref(), Some(Path::new("/srv/games")), "{command:?}");
        }
    }
}
