//! The settings screen of a new game: the choices of its form, see [`App::selected`](super::App::selected).

use noughts_protocol::{Features, GameKind};

use crate::choices::Choices;
use crate::core::Action;

/// The settings screen of a new game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    choices: Choices,
}

impl Setup {
    /// The fields for a kind of game, without those that the server's host has switched off.
    pub(super) const fn new(kind: GameKind, features: Features) -> Self {
        Self { choices: Choices::new(kind, features) }
    }

    /// The screen's title.
    #[must_use]
    pub const fn title(&self) -> &'static str {
        self.choices.kind.label()
    }

    /// The label and the value of each field, from top to bottom.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.choices
            .offered()
            .map(|setting| (setting.label, setting.label_of(self.choices.value(setting))))
    }

    /// Takes the next or the previous value of the field at a place.
    pub(super) fn change(&mut self, place: usize, right: bool) {
        let Some(setting) = self.choices.offered().nth(place) else { return };
        let values = setting.offered;
        let at = values.iter().position(|(text, _)| *text == self.choices.value(setting));
        let step = if right { 1 } else { values.len() - 1 };
        self.choices.set(setting, values[(at.unwrap_or_default() + step) % values.len()].0);
    }

    /// The action with these settings.
    pub(super) fn action(&self) -> Action {
        self.choices.action()
    }
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{
        ByMark, Computer, LobbyIntent, Opening, RoomSettings, SeatRequest, Strategy, Strength,
    };

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
        setup.change(1, true);
        setup.change(2, false);
        let (settings, seats) = created(&setup);
        assert_eq!(settings.board.to_string(), "19x19x5");
        assert!(matches!(seats.o, SeatRequest::Computer(c) if c.strength == Strength::Strong));
        let untouched = created(&Setup::new(GameKind::Computer, Features::default())).0;
        assert!(!settings.listed && settings.spectators == untouched.spectators);
    }

    #[test]
    fn a_strategy_without_strengths_asks_for_none() {
        let mut setup = Setup::new(GameKind::Exhibition, Features::default());
        let labels = |setup: &Setup| setup.fields().map(|(label, _)| label).collect::<Vec<_>>();
        let all = labels(&setup);
        assert_eq!(all[..4], ["X's strategy", "X's strength", "O's strategy", "O's strength"]);
        setup.change(0, false);
        assert_eq!(labels(&setup)[..3], ["X's strategy", "O's strategy", "O's strength"]);
        setup.change(1, true);
        let seats = created(&setup).1;
        let computer =
            |strategy| SeatRequest::Computer(Computer { strategy, strength: Strength::Average });
        assert_eq!(seats.x, computer(Strategy::Rules));
        assert_eq!(seats.o, computer(Strategy::Heuristic));
        setup.change(0, true);
        assert_eq!(labels(&setup), all);
    }

    #[test]
    fn a_large_board_asks_how_the_game_opens() {
        let mut setup = Setup::new(GameKind::Both, Features::default());
        let labels = |setup: &Setup| setup.fields().map(|(label, _)| label).collect::<Vec<_>>();
        assert_eq!(labels(&setup)[..2], ["Board", "Who begins"]);
        setup.change(0, false);
        assert_eq!(labels(&setup)[..3], ["Board", "Opening", "Who begins"]);
        setup.change(1, true);
        assert_eq!(created(&setup).0.opening, Opening::Swap2);
        setup.change(0, true);
        assert!(created(&setup).0.opening_is_legal(), "it goes with the board");
    }

    /// The settings after each named field was changed once.
    fn turned(kind: GameKind, labels: &[&str]) -> RoomSettings {
        let mut setup = Setup::new(kind, Features::default());
        for label in labels {
            let place = setup.fields().position(|field| field.0 == *label).unwrap();
            setup.change(place, true);
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
