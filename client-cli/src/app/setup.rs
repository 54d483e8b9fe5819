//! The choices before a game: how each kind of game can be set, and the goal that results.

use noughts_protocol::{
    BoardSpec, Computer, ComputerFallback, FirstMove, Opening, RoomSettings, SeatRequest, Strategy,
    Strength,
};

use crate::args::MarkChoice;
use crate::goal::{Goal, NewRoom};

/// Boards to choose from; any other can be named on the command line.
const BOARDS: [&str; 8] =
    ["3x3x3", "4x4x4", "5x5x4", "7x6x4", "9x9x5", "13x13x5", "15x15x5", "19x19x5"];

const MARKS: [(&str, MarkChoice); 3] =
    [("X", MarkChoice::X), ("O", MarkChoice::O), ("random", MarkChoice::Random)];

const FIRSTS: [(&str, FirstMove); 5] = [
    ("by turns", FirstMove::Alternate),
    ("X", FirstMove::X),
    ("O", FirstMove::O),
    ("random", FirstMove::Random),
    ("who lost last", FirstMove::Loser),
];

const OPENINGS: [(&str, Opening); 2] = [("free", Opening::Free), ("swap2", Opening::Swap2)];

/// In the order of [`Strategy::ALL`].
const STRATEGIES: [&str; 4] = ["minimax", "heuristic", "perfect", "rules"];

const STRENGTHS: [&str; 5] = ["very weak", "weak", "average", "strong", "very strong"];

/// Labels with milliseconds.
const MOVE_TIMES: [(&str, Option<u32>); 6] = [
    ("no limit", None),
    ("10 seconds", Some(10_000)),
    ("30 seconds", Some(30_000)),
    ("1 minute", Some(60_000)),
    ("5 minutes", Some(300_000)),
    ("1 day", Some(86_400_000)),
];

/// Labels with milliseconds after which the computer steps in.
const FALLBACKS: [(&str, Option<u32>); 4] = [
    ("never", None),
    ("after 15 seconds", Some(15_000)),
    ("after 30 seconds", Some(30_000)),
    ("after 1 minute", Some(60_000)),
];

const YES_NO: [&str; 2] = ["yes", "no"];

/// What kind of game is being set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Friend,
    Quick,
    Computer,
    Exhibition,
    Both,
}

/// Something that can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Strategy,
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
    Fallback,
}

/// A choice and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    choice: Choice,
    at: usize,
}

/// The choices before a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    kind: Kind,
    /// What can be chosen.
    pub fields: Vec<Field>,
    /// The field that left and right change.
    pub selected: usize,
}

impl Field {
    /// What is chosen here.
    #[must_use]
    pub const fn label(&self) -> &'static str {
        match self.choice {
            Choice::Strategy => "Strategy",
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
            Choice::Fallback => "Else the computer",
        }
    }

    /// What stands there.
    #[must_use]
    pub fn value(&self) -> &'static str {
        self.choice.values()[self.at]
    }

    fn turn(&mut self, by: usize) {
        let count = self.choice.values().len();
        self.at = (self.at + by) % count;
    }
}

impl Choice {
    fn values(self) -> Vec<&'static str> {
        match self {
            Self::Strategy => STRATEGIES.to_vec(),
            Self::Strength | Self::StrengthX | Self::StrengthO => STRENGTHS.to_vec(),
            Self::Mark => MARKS.map(|(label, _)| label).to_vec(),
            Self::First => FIRSTS.map(|(label, _)| label).to_vec(),
            Self::Board => BOARDS.to_vec(),
            Self::Opening => OPENINGS.map(|(label, _)| label).to_vec(),
            Self::MoveTime => MOVE_TIMES.map(|(label, _)| label).to_vec(),
            Self::Listed | Self::Spectators => YES_NO.to_vec(),
            Self::Fallback => FALLBACKS.map(|(label, _)| label).to_vec(),
        }
    }

    /// Where a choice stands at first.
    const fn start(self) -> usize {
        match self {
            Self::Strength | Self::StrengthX | Self::StrengthO => 2,
            Self::Listed => 1,
            _ => 0,
        }
    }
}

impl Setup {
    pub(super) fn new(kind: Kind) -> Self {
        use Choice::{
            Board, Fallback, First, Listed, Mark, MoveTime, Spectators, Strength, StrengthO,
            StrengthX,
        };
        let choices: &[Choice] = match kind {
            Kind::Friend => &[Board, Mark, First, MoveTime, Spectators, Listed],
            Kind::Quick => &[Board, Fallback],
            Kind::Computer => &[Strength, Choice::Strategy, Board, Mark, First, MoveTime],
            Kind::Exhibition => &[StrengthX, StrengthO, Board],
            Kind::Both => &[Board, First],
        };
        let fields = choices.iter().map(|&choice| Field { choice, at: choice.start() }).collect();
        Self { kind, fields, selected: 0 }
    }

    /// What the choices are for.
    #[must_use]
    pub const fn title(&self) -> &'static str {
        match self.kind {
            Kind::Friend => "Play a friend",
            Kind::Quick => "Quick match",
            Kind::Computer => "Play the computer",
            Kind::Exhibition => "Watch two computers",
            Kind::Both => "Play both sides here",
        }
    }

    pub(super) fn select(&mut self, down: bool) {
        let count = self.fields.len();
        self.selected = (self.selected + if down { 1 } else { count - 1 }) % count;
    }

    pub(super) fn change(&mut self, right: bool) {
        if let Some(field) = self.fields.get_mut(self.selected) {
            let back = field.choice.values().len() - 1;
            field.turn(if right { 1 } else { back });
            self.fit_opening();
        }
    }

    /// On boards that are large enough, how the game opens can be chosen, right after the board.
    fn fit_opening(&mut self) {
        let fits = self.kind != Kind::Quick && self.board().admits_swap2();
        let place = |choice| self.fields.iter().position(|field| field.choice == choice);
        match (place(Choice::Board), place(Choice::Opening)) {
            (Some(board), None) if fits => {
                self.fields.insert(board + 1, Field { choice: Choice::Opening, at: 0 });
            }
            (_, Some(opening)) if !fits => drop(self.fields.remove(opening)),
            _ => {}
        }
    }

    fn board(&self) -> BoardSpec {
        BOARDS[self.at(Choice::Board)].parse().unwrap_or_default()
    }

    fn at(&self, choice: Choice) -> usize {
        let field = self.fields.iter().find(|field| field.choice == choice);
        field.map_or(choice.start(), |field| field.at)
    }

    fn computer(&self, choice: Choice) -> Computer {
        let strategy = Strategy::ALL[self.at(Choice::Strategy)];
        Computer { strategy, strength: Strength::ALL[self.at(choice)] }
    }

    /// The goal with these choices.
    pub(super) fn goal(&self) -> Goal {
        let board = self.board();
        let settings = RoomSettings {
            board,
            first: FIRSTS[self.at(Choice::First)].1,
            opening: OPENINGS[self.at(Choice::Opening)].1,
            move_time_ms: MOVE_TIMES[self.at(Choice::MoveTime)].1,
            listed: self.at(Choice::Listed) == 0,
            spectators: self.at(Choice::Spectators) == 0,
            ..RoomSettings::default()
        };
        let mark = MARKS[self.at(Choice::Mark)].1;
        let opponent = match self.kind {
            Kind::Friend => SeatRequest::Open,
            Kind::Computer => SeatRequest::Computer(self.computer(Choice::Strength)),
            Kind::Both => SeatRequest::You,
            Kind::Exhibition => {
                let x = self.computer(Choice::StrengthX).strength;
                let o = self.computer(Choice::StrengthO).strength;
                return Goal::Create(NewRoom::exhibition(x, o, settings));
            }
            Kind::Quick => {
                let computer = FALLBACKS[self.at(Choice::Fallback)]
                    .1
                    .map(|after_ms| ComputerFallback { after_ms, computer: Computer::default() });
                return Goal::Quick { board, computer };
            }
        };
        Goal::Create(NewRoom::against(opponent, mark, settings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_is_one() {
        for board in BOARDS {
            assert!(board.parse::<BoardSpec>().is_ok(), "{board}");
        }
    }

    #[test]
    fn the_choices_become_the_goal() {
        let mut setup = Setup::new(Kind::Computer);
        setup.change(true);
        setup.select(true);
        setup.select(true);
        setup.change(false);
        let Goal::Create(room) = setup.goal() else { panic!() };
        assert_eq!(room.settings.board.to_string(), "19x19x5");
        assert!(matches!(room.seats.o, SeatRequest::Computer(c) if c.strength == Strength::Strong));
        assert!(
            !room.settings.listed
                && room.settings.spectators == Setup::new(Kind::Computer).goal_spectators()
        );
    }

    #[test]
    fn a_large_board_asks_how_the_game_opens() {
        let mut setup = Setup::new(Kind::Both);
        let labels = |setup: &Setup| setup.fields.iter().map(Field::label).collect::<Vec<_>>();
        assert_eq!(labels(&setup), ["Board", "Who begins"]);
        setup.change(false);
        assert_eq!(labels(&setup), ["Board", "Opening", "Who begins"]);
        setup.select(true);
        setup.change(true);
        let Goal::Create(room) = setup.goal() else { panic!() };
        assert_eq!(room.settings.opening, Opening::Swap2);
        setup.select(false);
        setup.change(true);
        let Goal::Create(room) = setup.goal() else { panic!() };
        assert!(room.settings.opening_is_legal(), "it goes with the board");
    }

    impl Setup {
        fn goal_spectators(&self) -> bool {
            matches!(self.goal(), Goal::Create(room) if room.settings.spectators)
        }
    }
}
