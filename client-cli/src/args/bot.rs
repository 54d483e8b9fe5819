//! The options of `bot`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use noughts_protocol::settings::parse_time;

use super::{RoomRef, parse_room};

/// Options of `bot`.
#[derive(Debug, Clone, ClapArgs)]
pub struct BotArgs {
    /// The room to join: its code or its link.
    #[arg(value_parser = parse_room)]
    pub code: RoomRef,
    /// The program. It speaks the Gomocup protocol on standard input and output.
    #[arg(long, value_name = "PROGRAM")]
    pub engine: PathBuf,
    /// The program's arguments; after -- also those that begin with a dash.
    #[arg(value_name = "ARGS")]
    pub args: Vec<OsString>,
    /// How long the program thinks about a move; less if the room's clock leaves less.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_time)]
    pub move_time: u32,
    /// Leave after so many games.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
}
