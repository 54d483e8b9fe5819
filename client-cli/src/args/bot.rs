//! The options of `bot`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use noughts_protocol::settings::parse_time;

use super::{RoomRef, parse_room};
use crate::net::address::Link;

/// Options of `bot`.
#[derive(Debug, Clone, ClapArgs)]
pub struct BotArgs {
    /// The room or the party to join: its code or its link.
    #[arg(value_parser = parse_place)]
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
    /// Leave a room after so many games.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
}

/// Parses the code or the link of a room or a party. Which of both a code is, the server knows.
fn parse_place(text: &str) -> Result<RoomRef, String> {
    let link = text.parse::<Link>().ok();
    match link.map(|link| (link.party, link)) {
        Some((Some(party), link)) => Ok(RoomRef { code: party.0, link: Some(link) }),
        _ => parse_room(text),
    }
}

#[cfg(test)]
mod tests {
    use super::parse_place;

    #[test]
    fn a_party_is_named_as_a_room_is() {
        for text in ["KQRZX", "http://host/r/KQRZX", "http://host/party/KQRZX"] {
            assert_eq!(parse_place(text).unwrap().code.as_str(), "KQRZX", "{text}");
        }
        assert!(parse_place("http://host/g/0123456789abcdef").is_err());
    }
}
