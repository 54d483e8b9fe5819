//! The options of `analyze`, `match`, `engine`, `export`, `backup`, `ratings` and `verify`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use humantime::parse_duration;
use noughts_protocol::{BoardSpec, Computer, Mark, Strategy, Strength};

use crate::cli::combination;
use crate::cli::combination::StrategyChoice;

/// Options of `analyze`.
#[derive(Debug, Clone, Args)]
#[command(args_override_self = true)]
pub struct AnalyzeArgs {
    /// Positions, cell by cell and row by row: X, O and . for an empty cell [default: one a line
    /// from standard input]
    #[arg(value_name = "POSITION")]
    pub positions: Vec<String>,

    /// Width, height and how many in a row win
    #[arg(long, default_value = "3x3x3", value_name = "WxHxLINE")]
    pub board: BoardSpec,

    /// Whose turn it is [default: from the marks; X if both have as many]
    #[arg(long, value_parser = combination::mark, value_name = "x|o")]
    pub turn: Option<Mark>,

    /// minimax, heuristic, perfect, rules, or all: these with each of their strengths
    #[arg(long, default_value = "minimax", value_parser = combination::strategy_choice, value_name = "STRATEGY")]
    pub strategy: StrategyChoice,

    /// `very_weak`, weak, average, strong or `very_strong`, for minimax and heuristic
    #[arg(long, default_value = "average", value_parser = combination::strength, value_name = "STRENGTH")]
    pub strength: Strength,

    /// How long to think about a position; 3x3x3 needs no time
    #[arg(long, default_value = "1s", value_parser = parse_duration, value_name = "TIME")]
    pub time: Duration,

    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// Options of `match`.
#[derive(Debug, Clone, Args)]
#[command(args_override_self = true)]
pub struct MatchArgs {
    /// Who plays X: minimax, heuristic, perfect or rules, with a strength as in heuristic:strong
    #[arg(long, value_parser = combination::computer, value_name = "COMPUTER")]
    pub x: Computer,

    /// Who plays O
    #[arg(long, value_parser = combination::computer, value_name = "COMPUTER")]
    pub o: Computer,

    /// How many games
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..), value_name = "N")]
    pub games: u32,

    /// Width, height and how many in a row win
    #[arg(long, default_value = "3x3x3", value_name = "WxHxLINE")]
    pub board: BoardSpec,

    /// Let O begin every second game
    #[arg(long)]
    pub alternate: bool,

    /// How long to think about a move; 3x3x3 needs no time
    #[arg(long, default_value = "1s", value_parser = parse_duration, value_name = "TIME")]
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

    /// `very_weak`, weak, average, strong or `very_strong`, for minimax and heuristic
    #[arg(long, default_value = "very_strong", value_parser = combination::strength, value_name = "STRENGTH")]
    pub strength: Strength,

    /// How long to think about a move if the manager sets no limit
    #[arg(long, default_value = "1s", value_parser = parse_duration, value_name = "TIME")]
    pub time: Duration,
}

/// Options of `export`, `ratings` and `verify`.
#[derive(Debug, Clone, Args)]
#[command(args_override_self = true)]
pub struct StoredArgs {
    /// The server's data folder [default: noughts in the user's state folder]
    #[arg(long, env = "NOUGHTS_DATA_DIR", value_name = "FOLDER")]
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
