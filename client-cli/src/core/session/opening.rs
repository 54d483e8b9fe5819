//! A swap2 opening from the player's side: what the player may place and choose.

use noughts_protocol::{Mark, NumberedGame, OpeningChoice, OpeningPhase};

use super::{IntentError, RoomView};

impl RoomView {
    /// The phase of the running game's opening, or `None` without one.
    #[must_use]
    pub fn opening(&self) -> Option<OpeningPhase> {
        self.state.running()?.opening
    }

    /// Whether the player has to choose; the value says whether they may add two marks.
    #[must_use]
    pub fn my_choice(&self) -> Option<bool> {
        match self.opening()? {
            OpeningPhase::Choosing { by, may_add } if self.mine.contains(&by) => Some(may_add),
            _ => None,
        }
    }

    /// Whether the player may make this choice now.
    pub(super) fn check_choice(&self, choice: OpeningChoice) -> Result<(), IntentError> {
        match self.my_choice() {
            None => Err(IntentError::NothingToChoose),
            Some(false) if choice == OpeningChoice::Add => Err(IntentError::AlreadyAdded),
            Some(_) => Ok(()),
        }
    }

    /// The mark that the player would place next.
    pub(super) fn mark_to_place(&self, numbered: &NumberedGame) -> Result<Mark, IntentError> {
        match numbered.opening {
            Some(OpeningPhase::Placing { by, .. }) if self.mine.contains(&by) => {
                Ok(numbered.game.to_move())
            }
            Some(OpeningPhase::Choosing { by, .. }) if self.mine.contains(&by) => {
                Err(IntentError::ChooseFirst)
            }
            Some(_) => Err(IntentError::OpponentsOpening),
            None => Ok(self.my_turn().unwrap_or(self.mine[0])),
        }
    }
}
