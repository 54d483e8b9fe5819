//! The commands of plain mode.

use noughts_client::session::Session;
use noughts_protocol::settings::alternatives;
use noughts_protocol::{
    ChatMode, ClaimedResult, OpeningChoice, Pace, RoomIntent, Series, Strength,
};

use crate::talk::{self, Typed};
use party::PartyLine;

pub(super) mod party;

/// A typed command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LineCommand {
    /// An empty line.
    Nothing,
    /// A cell, or any other text.
    Cell(String),
    /// An intent for the room that the player is in.
    Intent(RoomIntent),
    /// Something to say.
    Talk(Typed),
    /// A line about the party that the player follows.
    Party(PartyLine),
    /// A line that means nothing. The text says what is right.
    Wrong(String),
    /// Plays with the person who asks.
    Accept,
    Board,
    /// Shows the board after each move, or only when it is asked for.
    Boards(bool),
    Rules,
    Help,
    Quit,
}

/// The answer to a series without a length that there is.
const WRONG_SERIES: &str = "type series open, series 3 or series 5: how many wins decide it";

/// The answer to a strength that there is not.
fn wrong_strength() -> String {
    format!("type strength and {}, or 1 to 9", alternatives(Strength::NAMES))
}

/// The length of a series: "open", or how many wins decide it.
fn length_of(text: &str) -> Option<Series> {
    if text == "open" {
        return Some(Series { first_to: None });
    }
    let wins = text.parse().ok().filter(|wins| (1..=Series::MAX).contains(wins))?;
    Some(Series { first_to: Some(wins) })
}

impl LineCommand {
    /// Reads a line. An intent is about the session's game.
    pub(super) fn parse(line: &str, session: &Session) -> Self {
        let words: Vec<String> = line.split_whitespace().map(str::to_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if let Some(talk) = talk_of(line.trim(), session) {
            return talk.map_or_else(Self::Wrong, Self::Talk);
        }
        let state = session.party().map(|view| &view.state);
        if let Some(line) = state.and_then(|state| party::read(line, state)) {
            return Self::Party(line);
        }
        let game = session.game();
        let claim = |result| RoomIntent::Claim { game, result };
        let choose = |choice| RoomIntent::Choose { game, choice };
        Self::Intent(match words[..] {
            ["resign"] => RoomIntent::Resign { game },
            ["rematch" | "again"] => session.rematch(),
            ["series", length] | ["series", "first", "to", length] => match length_of(length) {
                Some(series) => session.new_series(series),
                None => return Self::Wrong(WRONG_SERIES.to_owned()),
            },
            ["series"] => return Self::Wrong(WRONG_SERIES.to_owned()),
            ["pause"] => RoomIntent::Pace { pace: Pace::Paused },
            ["slow"] => RoomIntent::Pace { pace: Pace::Slow },
            ["go" | "normal"] => RoomIntent::Pace { pace: Pace::Normal },
            ["fast"] => RoomIntent::Pace { pace: Pace::Fast },
            ["easier"] => session.adjust(false),
            ["harder"] => session.adjust(true),
            ["strength", ref name @ ..] => match name.join(" ").parse() {
                Ok(strength) => RoomIntent::Strength { strength },
                Err(_) => return Self::Wrong(wrong_strength()),
            },
            ["step" | "next"] => session.step(),
            ["claim"] | ["claim", "win"] => claim(ClaimedResult::Win),
            ["claim", "draw"] => claim(ClaimedResult::Draw),
            ["undo"] | ["take", "back"] => session.take_back(),
            ["undo" | "rematch", "no"] => session.decline(),
            ["hint"] => RoomIntent::Hint { game },
            ["review"] => session.review(),
            ["choose", "x"] => choose(OpeningChoice::X),
            ["choose", "o"] => choose(OpeningChoice::O),
            ["choose", "a" | "add"] => choose(OpeningChoice::Add),
            [] => return Self::Nothing,
            ["accept"] => return Self::Accept,
            ["board" | "show"] => return Self::Board,
            ["board", "on"] => return Self::Boards(true),
            ["board", "off"] => return Self::Boards(false),
            ["rules"] => return Self::Rules,
            ["help" | "?"] => return Self::Help,
            ["quit" | "exit" | "leave"] => return Self::Quit,
            _ => return Self::Cell(line.trim().to_owned()),
        })
    }
}

/// The words of a line, or the person whom it mutes; `None` if it is about something else.
fn talk_of(line: &str, session: &Session) -> Option<Result<Typed, String>> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let mode = session.room().map_or(ChatMode::Text, |view| view.state.settings.chat);
    Some(match &*word.to_lowercase() {
        "say" => talk::read(rest, mode),
        "emote" => talk::emote(rest),
        "mute" | "unmute" => talk::read(&format!("/{} {rest}", word.to_lowercase()), mode),
        _ if line.starts_with('/') => talk::read(line, mode),
        _ => return None,
    })
}

/// The text of `help`.
pub(super) const HELP: &str = "\
Type a cell to place your mark: its number (5) or its coordinate (b2). Where you
choose the mark, type x b2 or o b2; where marks fall, the column is enough (d).
  board       show the board again; board off shows it only then, in words, and
              board on always
  rules       read the rules of a variant in three notes
  hint        ask for one good cell and the reason
  review      see how good each move of the last finished game was
  choose x    in a swap2 opening: play X; also choose o, and choose add (two
              marks)
  undo        take back your last move; a person is asked, and answers undo or
              undo no
  resign      give up the game; in a terminal type it twice
  rematch     offer or accept a rematch; again withdraws the offer, rematch no
              declines one
  series 3    the same for a new series that is first to 3; also series open
  harder      make the computer a step stronger, easier: a step weaker; also
              strength 4
  say hello   say something to the people in the room
  emote wow   say an emote: hello, good_luck, well_played, good_game, thanks,
              wow, oops or thinking
  mute Bob    do not hear what Bob says; also unmute Bob
  claim       take the win when the opponent has been away too long
  claim draw  take a draw instead
  pause       two computers that you let play: pause them
  step        ... let them make one move; go, slow and fast let them play on
  accept      play with somebody who asks you to
  quit        leave; a running game is resigned, in a terminal after a second
              quit
  help        this list
The end of input (Ctrl-D) ends the connection and keeps your seat. Ctrl-C ends
the program, and keeps it too.
";

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if a line is wider than most terminals.
    #[test]
    fn the_help_has_80_columns() {
        for line in HELP.lines().chain(party::HELP.lines()) {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }

    #[test]
    fn words_are_read_without_case() {
        let session = Session::new(0);
        let check = |line, command| assert_eq!(LineCommand::parse(line, &session), command);
        let intent = LineCommand::Intent;
        check("  Resign ", intent(RoomIntent::Resign { game: 0 }));
        let result = ClaimedResult::Draw;
        check("claim  DRAW", intent(RoomIntent::Claim { game: 0, result }));
        let choice = OpeningChoice::Add;
        check("choose ADD", intent(RoomIntent::Choose { game: 0, choice }));
        let series = |first_to| {
            let series = Some(Series { first_to });
            intent(RoomIntent::Rematch { game: 0, offer: true, series })
        };
        check("series 3", series(Some(3)));
        check("Series first to 5", series(Some(5)));
        check("series OPEN", series(None));
        for wrong in ["series", "series 0", "series 100", "series soon"] {
            check(wrong, LineCommand::Wrong(WRONG_SERIES.to_owned()));
        }
        let strength = |strength| intent(RoomIntent::Strength { strength });
        check("Strength level 4", strength(Strength::Level4));
        check("strength 9", strength(Strength::VeryStrong));
        check("strength 10", LineCommand::Wrong(wrong_strength()));
        check("pause", intent(RoomIntent::Pace { pace: Pace::Paused }));
        check("go", intent(RoomIntent::Pace { pace: Pace::Normal }));
        check("step", intent(RoomIntent::Step { game: 0, ply: 0 }));
        check("?", LineCommand::Help);
        check("Accept", LineCommand::Accept);
        check("", LineCommand::Nothing);
        check("board OFF", LineCommand::Boards(false));
        check(" b2 ", LineCommand::Cell("b2".to_owned()));
        let said = |text: &str| {
            LineCommand::Talk(Typed::Say(noughts_protocol::Said::Text(text.parse().unwrap())))
        };
        check("say  Well, 5 or b2?", said("Well, 5 or b2?"));
        check("SAY resign", said("resign"));
        let emote = noughts_protocol::Said::Emote(noughts_protocol::Emote::GoodGame);
        check("emote good game", LineCommand::Talk(Typed::Say(emote)));
        let names =
            "the emotes are hello, good_luck, well_played, good_game, thanks, wow, oops, thinking";
        check("emote banana", LineCommand::Wrong(names.to_owned()));
        let mute = |mute| LineCommand::Talk(Typed::Mute { name: "Bob".to_owned(), mute });
        check("mute Bob", mute(true));
        check("Unmute  Bob", mute(false));
        check("claim it", LineCommand::Cell("claim it".to_owned()));
    }
}
