//! The commands of plain mode.

use noughts_protocol::{ClaimedResult, OpeningChoice};

/// A typed command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LineCommand {
    /// An empty line.
    Nothing,
    /// A cell, or any other text.
    Cell(String),
    Resign,
    Rematch,
    Claim(ClaimedResult),
    Hint,
    Review,
    Choose(OpeningChoice),
    Board,
    Help,
    Quit,
}

impl LineCommand {
    pub(super) fn parse(line: &str) -> Self {
        let words: Vec<String> = line.split_whitespace().map(str::to_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[..] {
            [] => Self::Nothing,
            ["resign"] => Self::Resign,
            ["rematch" | "again"] => Self::Rematch,
            ["claim"] | ["claim", "win"] => Self::Claim(ClaimedResult::Win),
            ["claim", "draw"] => Self::Claim(ClaimedResult::Draw),
            ["hint"] => Self::Hint,
            ["review"] => Self::Review,
            ["choose", "x"] => Self::Choose(OpeningChoice::X),
            ["choose", "o"] => Self::Choose(OpeningChoice::O),
            ["choose", "a" | "add"] => Self::Choose(OpeningChoice::Add),
            ["board" | "show"] => Self::Board,
            ["help" | "?"] => Self::Help,
            ["quit" | "exit" | "leave"] => Self::Quit,
            _ => Self::Cell(line.trim().to_owned()),
        }
    }
}

/// The text of `help`.
pub(super) const HELP: &str = "\
Type a cell to place your mark: its number (5) or its coordinate (b2).
  board       show the board again
  hint        ask for the best move and its reason
  review      see how good each move of the last finished game was
  choose x    in a swap2 opening: play X; also choose o, and choose add (two marks)
  resign      give up the game
  rematch     offer or accept a rematch; a second time withdraws the offer
  claim       take the win when the opponent has been away too long
  claim draw  take a draw instead
  quit        leave; a running game is resigned
  help        this list
The end of input (Ctrl-D) ends the connection and keeps your seat.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_without_case() {
        assert_eq!(LineCommand::parse("  Resign "), LineCommand::Resign);
        assert_eq!(LineCommand::parse("claim  DRAW"), LineCommand::Claim(ClaimedResult::Draw));
        assert_eq!(LineCommand::parse("choose ADD"), LineCommand::Choose(OpeningChoice::Add));
        assert_eq!(LineCommand::parse("?"), LineCommand::Help);
        assert_eq!(LineCommand::parse(""), LineCommand::Nothing);
        assert_eq!(LineCommand::parse(" b2 "), LineCommand::Cell("b2".to_owned()));
        assert_eq!(LineCommand::parse("claim it"), LineCommand::Cell("claim it".to_owned()));
    }
}
