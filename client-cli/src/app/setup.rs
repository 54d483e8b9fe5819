//! The settings screen of a new game, and the action that results. The fields of each kind of game,
//! their values and the settings that they make are in [`choices`].

mod choices;

use noughts_protocol::{
    BoardSpec, Computer, ComputerFallback, Features, LobbyIntent, SeatRequest, Strategy, Strength,
};

pub use choices::Field;
use choices::{BOARDS, COMPUTERS, Choice, FALLBACKS, MARKS};

use crate::core::Action;

/// The kind of game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GameKind {
    Friend,
    Quick,
    Computer,
    Exhibition,
    Both,
}

/// The settings screen of a new game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    kind: GameKind,
    /// The fields, from top to bottom.
    pub fields: Vec<Field>,
    /// The field that left and right change.
    pub selected: usize,
}

impl Setup {
    /// The fields for a kind of game, without those that the server's host has switched off.
    pub(super) fn new(kind: GameKind, features: Features) -> Self {
        Self { kind, fields: choices::fields(kind, features), selected: 0 }
    }

    /// The screen's title.
    #[must_use]
    pub const fn title(&self) -> &'static str {
        match self.kind {
            GameKind::Friend => "Play a friend",
            GameKind::Quick => "Quick match",
            GameKind::Computer => "Play the computer",
            GameKind::Exhibition => "Watch two computers",
            GameKind::Both => "Play both sides here",
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
            self.fit_strengths();
        }
    }

    /// Shows a strength field only after a strategy that has strengths.
    fn fit_strengths(&mut self) {
        for (strategy, strength) in COMPUTERS {
            let place = |choice| self.fields.iter().position(|field| field.choice == choice);
            let Some(at) = place(strategy) else { continue };
            match (Strategy::ALL[self.index_of(strategy)].has_strengths(), place(strength)) {
                (true, None) => self.fields.insert(at + 1, strength.into()),
                (false, Some(strength)) => drop(self.fields.remove(strength)),
                _ => {}
            }
        }
    }

    /// Shows the opening field, right after the board, only for boards that are large enough.
    fn fit_opening(&mut self) {
        let fits = self.kind != GameKind::Quick && self.board().admits_swap2();
        let place = |choice| self.fields.iter().position(|field| field.choice == choice);
        match (place(Choice::Board), place(Choice::Opening)) {
            (Some(board), None) if fits => {
                self.fields.insert(board + 1, Choice::Opening.into());
            }
            (_, Some(opening)) if !fits => drop(self.fields.remove(opening)),
            _ => {}
        }
    }

    fn board(&self) -> BoardSpec {
        BOARDS[self.index_of(Choice::Board)].parse().unwrap_or_default()
    }

    fn index_of(&self, choice: Choice) -> usize {
        let field = self.fields.iter().find(|field| field.choice == choice);
        field.map_or(choice.start(), |field| field.index)
    }

    fn computer(&self, (strategy, strength): (Choice, Choice)) -> Computer {
        let strategy = Strategy::ALL[self.index_of(strategy)];
        Computer { strategy, strength: Strength::ALL[self.index_of(strength)] }
    }

    /// The action with these settings.
    pub(super) fn action(&self) -> Action {
        let board = self.board();
        let settings = choices::settings(board, |choice| self.index_of(choice));
        let mark = MARKS[self.index_of(Choice::Mark)].1;
        let opponent = match self.kind {
            GameKind::Friend => SeatRequest::Open,
            GameKind::Computer => SeatRequest::Computer(self.computer(COMPUTERS[0])),
            GameKind::Both => SeatRequest::You,
            GameKind::Exhibition => {
                let [_, x, o] = COMPUTERS.map(|which| self.computer(which));
                return Action::exhibition(x, o, settings);
            }
            GameKind::Quick => {
                let computer = FALLBACKS[self.index_of(Choice::Fallback)]
                    .1
                    .map(|after_ms| ComputerFallback { after_ms, computer: Computer::default() });
                let quick = LobbyIntent::QuickMatch { board, move_time_ms: None, computer };
                return Action::Enter(quick);
            }
        };
        Action::create(opponent, mark, settings)
    }
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{ByMark, Opening, RoomSettings};

    use super::*;

    /// The settings and seats of the room that a screen creates.
    fn created(setup: &Setup) -> (RoomSettings, ByMark<SeatRequest>) {
        let Action::Enter(LobbyIntent::Create { settings, seats, .. }) = setup.action() else {
            panic!()
        };
        (settings, seats)
    }

    #[test]
    fn the_choices_become_the_goal() {
        let mut setup = Setup::new(GameKind::Computer, Features::default());
        setup.select(true);
        setup.change(true);
        setup.select(true);
        setup.change(false);
        let (settings, seats) = created(&setup);
        assert_eq!(settings.board.to_string(), "19x19x5");
        assert!(matches!(seats.o, SeatRequest::Computer(c) if c.strength == Strength::Strong));
        let untouched = created(&Setup::new(GameKind::Computer, Features::default())).0;
        assert!(!settings.listed && settings.spectators == untouched.spectators);
    }

    #[test]
    fn a_strategy_without_strengths_asks_for_none() {
        let mut setup = Setup::new(GameKind::Exhibition, Features::default());
        let labels = |setup: &Setup| setup.fields.iter().map(Field::label).collect::<Vec<_>>();
        let all = labels(&setup);
        assert_eq!(all[..4], ["X's strategy", "X's strength", "O's strategy", "O's strength"]);
        setup.change(false);
        assert_eq!(labels(&setup)[..3], ["X's strategy", "O's strategy", "O's strength"]);
        setup.select(true);
        setup.change(true);
        let seats = created(&setup).1;
        let computer =
            |strategy| SeatRequest::Computer(Computer { strategy, strength: Strength::Average });
        assert_eq!(seats.x, computer(Strategy::Rules));
        assert_eq!(seats.o, computer(Strategy::Heuristic));
        setup.select(false);
        setup.change(true);
        assert_eq!(labels(&setup), all);
    }

    #[test]
    fn a_large_board_asks_how_the_game_opens() {
        let mut setup = Setup::new(GameKind::Both, Features::default());
        let labels = |setup: &Setup| setup.fields.iter().map(Field::label).collect::<Vec<_>>();
        assert_eq!(labels(&setup), ["Board", "Who begins", "Hints"]);
        setup.change(false);
        assert_eq!(labels(&setup), ["Board", "Opening", "Who begins", "Hints"]);
        setup.select(true);
        setup.change(true);
        assert_eq!(created(&setup).0.opening, Opening::Swap2);
        setup.select(false);
        setup.change(true);
        assert!(created(&setup).0.opening_is_legal(), "it goes with the board");
    }

    /// The settings after each named field was changed once.
    fn turned(kind: GameKind, labels: &[&str]) -> RoomSettings {
        let mut setup = Setup::new(kind, Features::default());
        for label in labels {
            setup.selected = setup.fields.iter().position(|f| f.label() == *label).unwrap();
            setup.change(true);
        }
        created(&setup).0
    }

    #[test]
    fn hints_and_evaluation_are_as_they_are_by_default_until_they_are_changed() {
        for kind in [GameKind::Friend, GameKind::Computer, GameKind::Exhibition, GameKind::Both] {
            assert_eq!(turned(kind, &[]), RoomSettings::default());
        }
        for kind in [GameKind::Friend, GameKind::Computer, GameKind::Both] {
            assert!(!turned(kind, &["Hints"]).hints);
        }
        for kind in [GameKind::Friend, GameKind::Exhibition] {
            assert!(turned(kind, &["Show who is winning"]).evaluation);
        }
        let unwatched = turned(GameKind::Friend, &["Show who is winning", "Spectators"]);
        assert!(!unwatched.evaluation && !unwatched.spectators, "there is nobody to tell");
    }
}
