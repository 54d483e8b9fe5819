//! A swap2 opening from the player's side: what the player may do, and the intent to choose.

use noughts_protocol::{ClientMessage, Mark, NumberedGame, Opening, OpeningChoice, OpeningPhase};

use super::{MoveError, RoomView, Session};

impl RoomView {
    /// The phase of the running game's opening, or `None` without one.
    #[must_use]
    pub fn opening(&self) -> Option<OpeningPhase> {
        self.state.running()?.opening
    }

    /// Whether the running game is still in its opening.
    #[must_use]
    pub fn is_opening(&self) -> bool {
        self.opening().is_some() || self.expects_opening_event()
    }

    /// Whether the player has to choose; the value says whether they may add two marks.
    #[must_use]
    pub fn my_choice(&self) -> Option<bool> {
        match self.opening()? {
            OpeningPhase::Choosing { by, may_add } if self.mine.contains(&by) => Some(may_add),
            _ => None,
        }
    }

    /// Whether the next event will say how the opening continues. It follows the event of the
    /// game's start or of the mark.
    #[must_use]
    pub fn expects_opening_event(&self) -> bool {
        let swap2 = self.state.settings.opening == Opening::Swap2;
        let Some(running) = self.state.running().filter(|_| swap2) else { return false };
        match running.opening {
            Some(OpeningPhase::Placing { until_ply, .. }) => running.game.ply() >= until_ply,
            Some(_) => false,
            None => running.game.ply() == 0,
        }
    }

    /// The mark that the player would place next.
    pub(super) fn mark_to_place(&self, numbered: &NumberedGame) -> Result<Mark, MoveError> {
        match numbered.opening {
            Some(OpeningPhase::Placing { by, .. }) if self.mine.contains(&by) => {
                Ok(numbered.game.to_move())
            }
            Some(OpeningPhase::Choosing { by, .. }) if self.mine.contains(&by) => {
                Err(MoveError::ChooseFirst)
            }
            Some(OpeningPhase::Placing { .. } | OpeningPhase::Choosing { .. }) => {
                Err(MoveError::OpponentsOpening)
            }
            Some(OpeningPhase::Done) | None => Ok(self.my_turn().unwrap_or(self.mine[0])),
        }
    }
}

impl Session {
    /// Chooses a side in an opening, or adds two marks.
    ///
    /// # Errors
    /// If the server would refuse it. The message says what to do.
    pub fn choose(&mut self, choice: OpeningChoice) -> Result<ClientMessage, MoveError> {
        let view = self.room.as_ref().ok_or(MoveError::NoGame)?;
        let may_add = view.my_choice().ok_or(MoveError::NothingToChoose)?;
        if choice == OpeningChoice::Add && !may_add {
            return Err(MoveError::AlreadyAdded);
        }
        let running = view.state.running().ok_or(MoveError::NoGame)?;
        let (room, game, phase) = (view.state.code, running.number, running.opening);
        if self.sent_choice == Some((game, phase)) {
            return Err(MoveError::Unconfirmed);
        }
        self.sent_choice = Some((game, phase));
        let id = self.ids.next();
        Ok(self.track(ClientMessage::Choose { id, room, game, choice }))
    }
}
