//! The options of the commands about kept games, people and puzzles.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};
use noughts_protocol::{
    BoardClass, BoardSpec, Date, ExportFormat, GameId, OpponentFilter, Outcome, PassCode, Period,
    PlayerId, Variant,
};

use super::{Linked, linked, named};

/// Options of `history`.
#[derive(Debug, Clone, Default, ClapArgs)]
pub(crate) struct HistoryArgs {
    /// Only games against these: computer, human, a player's name, or a player's id.
    #[arg(long, value_name = "OPPONENT", value_parser = parse_opponent)]
    pub(crate) opponent: Option<OpponentArg>,
    /// Only games on this board.
    #[arg(long, value_name = "WxHxLINE")]
    pub(crate) board: Option<BoardSpec>,
    /// Only games of this variant: line, ultimate, misere, gravity and so on.
    #[arg(
        long,
        value_name = "VARIANT",
        hide_possible_values = true,
        value_parser = named::<Variant>(Variant::NAMES),
        ignore_case = true
    )]
    pub(crate) variant: Option<Variant>,
    /// Only games that you won, lost or drew: won, lost, drawn.
    #[arg(
        long,
        value_name = "RESULT",
        hide_possible_values = true,
        value_parser = named::<Outcome>(Outcome::NAMES),
        ignore_case = true
    )]
    pub(crate) result: Option<Outcome>,
    /// Only games before this one: its id, the last one of the page before.
    #[arg(long, value_name = "GAME")]
    pub(crate) before: Option<GameId>,
    /// Print all games; else the last 50.
    #[arg(long)]
    pub(crate) all: bool,
    /// Print a line of JSON for each game.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write your games to this new file; - is the standard output.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["opponent", "board", "variant", "result", "before", "all", "json"]
    )]
    pub(crate) export: Option<PathBuf>,
    /// The format of the file: json, a game in each line; or sgf, games of five in a row only. Else its
    /// ending decides.
    #[arg(long, value_name = "FORMAT", requires = "export", value_parser = parse_format)]
    pub(crate) format: Option<ExportFormat>,
}

/// The opponents of the games to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OpponentArg {
    /// The filters that the server knows.
    Filter(OpponentFilter),
    /// A person by name. The player's profile has the id.
    Name(String),
}

/// Options of `replay`.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct ReplayArgs {
    /// The game: its id or its link.
    #[arg(value_parser = parse_game)]
    pub(crate) game: Linked<GameId>,
    /// In lines of text: also print how good each move was.
    #[arg(long)]
    pub(crate) review: bool,
}

impl ReplayArgs {
    /// Shows a game without a review.
    pub(crate) const fn of(id: GameId) -> Self {
        Self { game: Linked { id, link: None }, review: false }
    }
}

fn parse_game(text: &str) -> Result<Linked<GameId>, String> {
    let missing = "that link names no game: a game's link ends in /g/ and its id";
    linked(text, |link| link.game, missing)
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

/// Options of `profile`.
#[derive(Debug, Clone, Default, ClapArgs)]
pub(crate) struct ProfileArgs {
    /// The player: an id, or the link of a profile. Without it, you.
    #[arg(value_parser = parse_player)]
    pub(crate) player: Option<Linked<PlayerId>>,
    /// Print a line of JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of `leaders`.
#[derive(Debug, Clone, Default, ClapArgs)]
pub(crate) struct LeadersArgs {
    /// The boards, by the marks in a row that win: three, four, five; or ultimate,
    /// gravity, other.
    #[arg(
        long,
        value_name = "CLASS",
        default_value = "three",
        hide_possible_values = true,
        value_parser = named::<BoardClass>(BoardClass::NAMES),
        ignore_case = true
    )]
    pub(crate) class: BoardClass,
    /// The time: tonight, week, ever.
    #[arg(
        long,
        value_name = "PERIOD",
        default_value = "week",
        hide_possible_values = true,
        value_parser = named::<Period>(Period::NAMES),
        ignore_case = true
    )]
    pub(crate) period: Period,
    /// Print a line of JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of `puzzle`.
#[derive(Debug, Clone, Copy, Default, ClapArgs)]
pub(crate) struct PuzzleArgs {
    /// A day that has been, as in 2026-11-27. Without it, today, in UTC.
    #[arg(value_name = "DATE")]
    pub(crate) date: Option<Date>,
}

/// The commands for an identity.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum IdentityCommand {
    /// Save who you are on a server to a file, to be the same player on another device.
    Save {
        /// The new file.
        file: PathBuf,
    },
    /// Become the player of such a file.
    Load {
        /// The file.
        file: PathBuf,
        /// Do not ask before you stop being who you are now.
        #[arg(long)]
        yes: bool,
    },
}

/// Options of `pass`.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct PassArgs {
    /// The pass of another device, or the link with it: good once, for two minutes. Without it, a pass
    /// of yours is printed.
    #[arg(value_parser = parse_pass)]
    pub(crate) pass: Option<Linked<PassCode>>,
    /// Do not ask before you stop being who you are now.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Options of `forget`.
#[derive(Debug, Clone, Copy, ClapArgs)]
pub(crate) struct ForgetArgs {
    /// Do not ask first.
    #[arg(long)]
    pub(crate) yes: bool,
}

fn parse_player(text: &str) -> Result<Linked<PlayerId>, String> {
    let missing = "that link names nobody: a profile's link ends in /p/ and its id";
    linked(text, |link| link.player, missing)
}

/// Parses a pass or a link with one. A pass may look like a host, but no link has nothing else.
fn parse_pass(text: &str) -> Result<Linked<PassCode>, String> {
    if let Ok(id) = text.parse() {
        return Ok(Linked { id, link: None });
    }
    linked(text, |link| link.pass.clone(), "that link has no pass: it ends in #pass= and the pass")
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
        assert_eq!(parse_game("0123456789ABCDEF").unwrap(), Linked { id, link: None });
        let linked = parse_game("https://play.example/noughts/g/0123456789abcdef").unwrap();
        assert_eq!(linked.id, id);
        assert_eq!(linked.link.unwrap().server.to_string(), "https://play.example/noughts");
        assert!(parse_game("http://host/r/KQRZX").unwrap_err().contains("names no game"));
        assert!(parse_game("KQRZX").is_err());
        assert!(parse_player("http://host/r/KQRZX").unwrap_err().contains("names nobody"));
    }

    #[test]
    fn a_pass_is_a_code_or_a_link() {
        let id: PassCode = "8f14.7b52".parse().unwrap();
        assert_eq!(parse_pass("8f14.7b52").unwrap(), Linked { id: id.clone(), link: None });
        for link in ["http://host/#pass=8f14.7b52", "http://host/r/KQRZX#pass=8f14.7b52"] {
            let linked = parse_pass(link).unwrap();
            assert_eq!(linked.id, id);
            assert_eq!(linked.link.unwrap().server.to_string(), "host:80");
        }
        assert!(parse_pass("http://host/r/KQRZX").unwrap_err().contains("has no pass"));
    }
}
