//! A swap2 opening as this player sees it: what they may do in it, and the intent to choose.

use noughts_protocol::{ClientMessage, Mark, NumberedGame, Opening, OpeningChoice, OpeningPhase};

use super::{NoMove, RoomView, Session};

impl RoomView {
    /// Where the running game's opening stands; none when it has no opening (any more).
    #[must_use]
    pub fn opening(&self) -> Option<OpeningPhase> {
        self.state.running()?.opening
    }

    /// Whether the opening of the running game still lasts.
    #[must_use]
    pub fn is_opening(&self) -> bool {
        self.opening().is_some() || self.opening_follows()
    }

    /// Whether the player has to choose, and if so, whether they may add two marks.
    #[must_use]
    pub fn my_choice(&self) -> Option<bool> {
        match self.opening()? {
            OpeningPhase::Choosing { by, may_add } if self.mine.contains(&by) => Some(may_add),
            _ => None,
        }
    }

    /// Whether the event that says what is next in the opening is still to come: it follows that
    /// of the game's start or of the mark.
    #[must_use]
    pub fn opening_follows(&self) -> bool {
        let swap2 = self.state.settings.opening == Opening::Swap2;
        let Some(running) = self.state.running().filter(|_| swap2) else { return false };
        match running.opening {
            Some(OpeningPhase::Placing { until_ply, .. }) => running.game.ply() >= until_ply,
            Some(_) => false,
            None => running.game.ply() == 0,
        }
    }

    /// The mark that the player would place next.
    pub(super) fn mark_to_place(&self, numbered: &NumberedGame) -> Result<Mark, NoMove> {
        match numbered.opening {
            Some(OpeningPhase::Placing { by, .. }) if self.mine.contains(&by) => {
                Ok(numbered.game.to_move())
            }
            Some(OpeningPhase::Choosing { by, .. }) if self.mine.contains(&by) => {
                Err(NoMove::ChooseFirst)
            }
            Some(OpeningPhase::Placing { .. } | OpeningPhase::Choosing { .. }) => {
                Err(NoMove::OpponentOpens)
            }
            Some(OpeningPhase::Done) | None => Ok(self.my_turn().unwrap_or(self.mine[0])),
        }
    }
}

impl Session {
    /// Chooses in an opening.
    ///
    /// # Errors
    /// Where it would be refused; the text says what to do.
    pub fn choose(&mut self, choice: OpeningChoice) -> Result<ClientMessage, NoMove> {
        let view = self.room.as_ref().ok_or(NoMove::NoGame)?;
        let may_add = view.my_choice().ok_or(NoMove::NothingToChoose)?;
        if choice == OpeningChoice::Add && !may_add {
            return Err(NoMove::AddedAlready);
        }
        let running = view.state.running().ok_or(NoMove::NoGame)?;
        let (room, game, phase) = (view.state.code, running.number, running.opening);
        if self.chose == Some((game, phase)) {
            return Err(NoMove::OnItsWay);
        }
        self.chose = Some((game, phase));
        let id = self.ids.next();
        Ok(self.counted(ClientMessage::Choose { id, room, game, choice }))
    }
}
