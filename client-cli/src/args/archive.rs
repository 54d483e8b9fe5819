//! The options of the commands about kept games.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use noughts_protocol::{BoardSpec, ExportFormat, GameId, OpponentFilter, Outcome};

use super::named;
use crate::net::address::Link;

/// Options of `history`.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct HistoryArgs {
    /// Only games against these: computer, human, a player's name, or a player's id.
    #[arg(long, value_name = "OPPONENT", value_parser = parse_opponent)]
    pub opponent: Option<OpponentArg>,
    /// Only games on this board.
    #[arg(long, value_name = "WxHxLINE")]
    pub board: Option<BoardSpec>,
    /// Only games that you won, lost or drew: won, lost, drawn.
    #[arg(
        long,
        value_name = "RESULT",
        hide_possible_values = true,
        value_parser = named::<Outcome>(Outcome::NAMES),
        ignore_case = true
    )]
    pub result: Option<Outcome>,
    /// Only games before this one: its id, the last one of the page before.
    #[arg(long, value_name = "GAME")]
    pub before: Option<GameId>,
    /// Print all games; else the last 50.
    #[arg(long)]
    pub all: bool,
    /// Print a line of JSON for each game.
    #[arg(long)]
    pub json: bool,
    /// Write your games to this new file; - is the standard output.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["opponent", "board", "result", "before", "all", "json"]
    )]
    pub export: Option<PathBuf>,
    /// The format of the file: json, a game in each line; or sgf, games of five in a row only. Else its
    /// ending decides.
    #[arg(long, value_name = "FORMAT", requires = "export", value_parser = parse_format)]
    pub format: Option<ExportFormat>,
}

/// The opponents of the games to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpponentArg {
    /// The filters that the server knows.
    Filter(OpponentFilter),
    /// A person by name. The player's profile has the id.
    Name(String),
}

/// Options of `replay`.
#[derive(Debug, Clone, ClapArgs)]
pub struct ReplayArgs {
    /// The game: its id or its link.
    #[arg(value_parser = parse_game)]
    pub game: GameRef,
    /// In lines of text: also print how good each move was.
    #[arg(long)]
    pub review: bool,
}

impl ReplayArgs {
    /// Shows a game without a review.
    #[must_use]
    pub const fn of(id: GameId) -> Self {
        Self { game: GameRef { id, link: None }, review: false }
    }
}

/// A kept game: its id, or a link that also names its server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRef {
    /// The game's id.
    pub id: GameId,
    /// The whole link, if it was one.
    pub link: Option<Link>,
}

fn parse_game(text: &str) -> Result<GameRef, String> {
    if !text.contains(['/', ':', '.']) {
        return text.parse().map(|id| GameRef { id, link: None }).map_err(|e| format!("{e}"));
    }
    let link: Link = text.parse().map_err(|e| format!("{e}"))?;
    let id = link.game.ok_or("that link names no game: a game's link ends in /g/ and its id")?;
    Ok(GameRef { id, link: Some(link) })
}

fn parse_opponent(text: &str) -> Result<OpponentArg, String> {
    Ok(match text.trim().to_lowercase().as_str() {
        "" => return Err("type computer, human, a name or a player's id".to_owned()),
        "computer" | "computers" => OpponentArg::Filter(OpponentFilter::Computer),
        "human" | "humans" | "people" => OpponentArg::Filter(OpponentFilter::Human),
        other => match other.parse() {
            Ok(player) => OpponentArg::Filter(OpponentFilter::Player(player)),
            Err(_) => OpponentArg::Name(text.trim().to_owned()),
        },
    })
}

fn parse_format(text: &str) -> Result<ExportFormat, String> {
    match text {
        "json" => Ok(ExportFormat::JsonLines),
        "sgf" => Ok(ExportFormat::Sgf),
        _ => Err("type json or sgf".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponents_are_kinds_ids_or_names() {
        let opponent = |text| parse_opponent(text).unwrap();
        assert_eq!(opponent("Computer"), OpponentArg::Filter(OpponentFilter::Computer));
        assert_eq!(opponent("people"), OpponentArg::Filter(OpponentFilter::Human));
        let id = OpponentFilter::Player(noughts_protocol::PlayerId(0xabc));
        assert_eq!(opponent("0000000000000abc"), OpponentArg::Filter(id));
        assert_eq!(opponent(" Bob B "), OpponentArg::Name("Bob B".to_owned()));
    }

    #[test]
    fn a_game_is_an_id_or_a_link() {
        let id = GameId(0x0123_4567_89ab_cdef);
        assert_eq!(parse_game("0123456789ABCDEF").unwrap(), GameRef { id, link: None });
        let linked = parse_game("https://play.example/noughts/g/0123456789abcdef").unwrap();
        assert_eq!(linked.id, id);
        assert_eq!(linked.link.unwrap().server.to_string(), "https://play.example/noughts");
        assert!(parse_game("http://host/r/KQRZX").unwrap_err().contains("names no game"));
        assert!(parse_game("KQRZX").is_err());
    }
}
