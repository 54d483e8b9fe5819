//! The fields of the settings screen, the values of each, and the settings of a room that they make.

use noughts_protocol::{BoardSpec, Features, FirstMove, Opening, RoomSettings};

use super::GameKind;
use crate::args::STRATEGY_NAMES;
use crate::core::MarkChoice;

/// The boards to choose from. The command line takes any other board.
pub(super) const BOARDS: [&str; 8] =
    ["3x3x3", "4x4x4", "5x5x4", "7x6x4", "9x9x5", "13x13x5", "15x15x5", "19x19x5"];

pub(super) const MARKS: [(&str, MarkChoice); 3] =
    [("X", MarkChoice::X), ("O", MarkChoice::O), ("random", MarkChoice::Random)];

const FIRSTS: [(&str, FirstMove); 5] = [
    ("alternate", FirstMove::Alternate),
    ("X", FirstMove::X),
    ("O", FirstMove::O),
    ("random", FirstMove::Random),
    ("the loser", FirstMove::Loser),
];

const OPENINGS: [(&str, Opening); 2] = [("free", Opening::Free), ("swap2", Opening::Swap2)];

pub(super) const STRENGTHS: [&str; 5] = ["very weak", "weak", "average", "strong", "very strong"];

/// Labels and times, in milliseconds.
const MOVE_TIMES: [(&str, Option<u32>); 6] = [
    ("no limit", None),
    ("10 seconds", Some(10_000)),
    ("30 seconds", Some(30_000)),
    ("1 minute", Some(60_000)),
    ("5 minutes", Some(300_000)),
    ("1 day", Some(86_400_000)),
];

/// Labels and waits, in milliseconds, before the computer replaces a stranger.
pub(super) const FALLBACKS: [(&str, Option<u32>); 4] = [
    ("never", None),
    ("after 15 seconds", Some(15_000)),
    ("after 30 seconds", Some(30_000)),
    ("after 1 minute", Some(60_000)),
];

pub(super) const YES_NO: [&str; 2] = ["yes", "no"];

/// The fields that describe a computer: the player's opponent, X and O.
pub(super) const COMPUTERS: [(Choice, Choice); 3] = [
    (Choice::Strategy, Choice::Strength),
    (Choice::StrategyX, Choice::StrengthX),
    (Choice::StrategyO, Choice::StrengthO),
];

/// What a field sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    Strategy,
    StrategyX,
    StrategyO,
    Strength,
    StrengthX,
    StrengthO,
    Mark,
    First,
    Board,
    Opening,
    MoveTime,
    Listed,
    Spectators,
    Hints,
    Evaluation,
    Fallback,
}

/// A field and its current value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub(super) choice: Choice,
    pub(super) index: usize,
}

impl Field {
    /// The field's name.
    #[must_use]
    pub const fn label(&self) -> &'static str {
        match self.choice {
            Choice::Strategy => "Strategy",
            Choice::StrategyX => "X's strategy",
            Choice::StrategyO => "O's strategy",
            Choice::Strength => "Strength",
            Choice::StrengthX => "X's strength",
            Choice::StrengthO => "O's strength",
            Choice::Mark => "Your mark",
            Choice::First => "Who begins",
            Choice::Board => "Board",
            Choice::Opening => "Opening",
            Choice::MoveTime => "Time for a move",
            Choice::Listed => "In the public list",
            Choice::Spectators => "Spectators",
            Choice::Hints => "Hints",
            Choice::Evaluation => "Show who is winning",
            Choice::Fallback => "Computer instead",
        }
    }

    /// The current value.
    #[must_use]
    pub fn value(&self) -> &'static str {
        self.choice.values()[self.index]
    }

    pub(super) fn turn(&mut self, by: usize) {
        let count = self.choice.values().len();
        self.index = (self.index + by) % count;
    }
}

impl From<Choice> for Field {
    fn from(choice: Choice) -> Self {
        Self { choice, index: choice.start() }
    }
}

impl Choice {
    pub(super) fn values(self) -> Vec<&'static str> {
        match self {
            Self::Strategy | Self::StrategyX | Self::StrategyO => STRATEGY_NAMES.to_vec(),
            Self::Strength | Self::StrengthX | Self::StrengthO => STRENGTHS.to_vec(),
            Self::Mark => MARKS.map(|(label, _)| label).to_vec(),
            Self::First => FIRSTS.map(|(label, _)| label).to_vec(),
            Self::Board => BOARDS.to_vec(),
            Self::Opening => OPENINGS.map(|(label, _)| label).to_vec(),
            Self::MoveTime => MOVE_TIMES.map(|(label, _)| label).to_vec(),
            Self::Listed | Self::Spectators | Self::Hints | Self::Evaluation => YES_NO.to_vec(),
            Self::Fallback => FALLBACKS.map(|(label, _)| label).to_vec(),
        }
    }

    /// The index of the default value.
    pub(super) const fn start(self) -> usize {
        match self {
            Self::Strength | Self::StrengthX | Self::StrengthO => 2,
            Self::Listed | Self::Evaluation => 1,
            _ => 0,
        }
    }
}

/// The fields for a kind of game, without those that the server's host has switched off.
pub(super) fn fields(kind: GameKind, features: Features) -> Vec<Field> {
    use Choice::{
        Board, Evaluation, Fallback, First, Hints, Listed, Mark, MoveTime, Spectators, Strategy,
        StrategyO, StrategyX, Strength, StrengthO, StrengthX,
    };
    let choices: &[Choice] = match kind {
        GameKind::Friend => &[Board, Mark, First, MoveTime, Hints, Spectators, Evaluation, Listed],
        GameKind::Quick => &[Board, Fallback],
        GameKind::Computer => &[Strategy, Strength, Board, Mark, First, MoveTime, Hints],
        GameKind::Exhibition => &[StrategyX, StrengthX, StrategyO, StrengthO, Board, Evaluation],
        GameKind::Both => &[Board, First, Hints],
    };
    let on = |choice: &&Choice| match choice {
        Spectators | Evaluation => features.spectators,
        Listed => features.listing,
        _ => true,
    };
    choices.iter().filter(on).map(|&choice| choice.into()).collect()
}

/// The settings of a room on `board`. `index_of` gives the place of each field's value in its list.
pub(super) fn settings(board: BoardSpec, index_of: impl Fn(Choice) -> usize) -> RoomSettings {
    let spectators = index_of(Choice::Spectators) == 0;
    RoomSettings {
        board,
        first: FIRSTS[index_of(Choice::First)].1,
        opening: OPENINGS[index_of(Choice::Opening)].1,
        move_time_ms: MOVE_TIMES[index_of(Choice::MoveTime)].1,
        listed: index_of(Choice::Listed) == 0,
        spectators,
        hints: index_of(Choice::Hints) == 0,
        // Only spectators see the evaluation.
        evaluation: spectators && index_of(Choice::Evaluation) == 0,
        ..RoomSettings::default()
    }
}

#[cfg(test)]
mod tests {
    use noughts_protocol::BoardSpec;

    use super::*;

    #[test]
    fn every_board_is_one() {
        for board in BOARDS {
            assert!(board.parse::<BoardSpec>().is_ok(), "{board}");
        }
    }
}
