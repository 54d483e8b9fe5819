//! Checks of intents without the server: each refusal has its condition and its text here.

use noughts_protocol::{
    Cell, IllegalMove, Mark, Move, OpeningChoice, OpeningPhase, Pace, RoomIntent,
};

use super::RoomView;

/// Why an intent is not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IntentError {
    /// It is not possible now. The text says when it is.
    #[error("{0}")]
    NotNow(&'static str),
    /// The rules forbid the move.
    #[error("{0}")]
    Illegal(IllegalMove),
}

impl IntentError {
    pub(super) const NO_ROOM: Self = Self::NotNow("you are in no room yet");
    pub(super) const NO_GAME: Self =
        Self::NotNow("the game has not begun: it begins when a player takes the open seat");
    pub(super) const STOPPED: Self =
        Self::NotNow("the host of the party has paused the game: wait until it goes on");
    pub(super) const UNCONFIRMED: Self =
        Self::NotNow("your last move or choice is on its way: wait for the server");
}

impl RoomView {
    /// Checks whether the player may do this, as far as this side knows. Each intent has its
    /// condition and its text here.
    pub(super) fn check(&self, intent: &RoomIntent) -> Result<(), IntentError> {
        let (possible, otherwise) = match *intent {
            RoomIntent::Play { .. } | RoomIntent::Choose { .. } | RoomIntent::Claim { .. }
                if self.state.clock_stopped =>
            {
                return Err(IntentError::STOPPED);
            }
            RoomIntent::Play { ply, cell, placed, .. } => {
                return self.check_move(ply, cell, placed);
            }
            RoomIntent::Choose { choice, .. } => return self.check_choice(choice),
            RoomIntent::Resign { .. } => (self.is_playing(), "you have no running game to resign"),
            RoomIntent::Rematch { series: Some(_), .. } => (
                self.may_rematch(),
                "you can begin a new series when your game is over: finish or resign it first",
            ),
            RoomIntent::Rematch { series: None, .. } => (
                self.may_rematch(),
                "you can offer a rematch when your game is over: finish or resign it first",
            ),
            RoomIntent::TakeBack { offer: false, .. } => (
                self.presence.take_back.is_some(),
                "nobody asks you to take back a move or for a rematch",
            ),
            RoomIntent::TakeBack { .. } => (
                self.may_take_back(),
                "no move of yours can be taken back: none can in a party, in a quick match \
                 or with swap2",
            ),
            RoomIntent::Hint { .. } if self.is_watching() => {
                (false, "you are watching: hints are for players")
            }
            RoomIntent::Hint { .. } => {
                (self.my_turn().is_some(), "you can ask for a hint when it is your turn")
            }
            RoomIntent::Review { .. } => {
                (self.last_finished().is_some(), "there is no game to review yet")
            }
            RoomIntent::Claim { .. } => (
                self.is_playing() && self.away_opponent().is_some(),
                "there is nothing to claim: your opponent is here, or no game is running",
            ),
            RoomIntent::Pace { .. } => (
                self.may_pace(),
                "only the player who made a room of two computers sets their pace",
            ),
            RoomIntent::Strength { strength } => match self.adjustable() {
                None => (false, "no computer with strengths plays against you here"),
                Some(now) => (now != strength, "the computer has no other strength there"),
            },
            RoomIntent::Step { .. } => (
                self.may_pace() && self.state.pace == Pace::Paused,
                "the computers make single steps while you have paused them",
            ),
            RoomIntent::Say { .. }
            | RoomIntent::Mute { .. }
            | RoomIntent::Leave
            | RoomIntent::Sync => return Ok(()),
        };
        if possible { Ok(()) } else { Err(IntentError::NotNow(otherwise)) }
    }

    fn check_move(&self, ply: u16, cell: Cell, placed: Option<Mark>) -> Result<(), IntentError> {
        let seat = self
            .mine
            .first()
            .ok_or(IntentError::NotNow("you are watching: only players can do this"))?;
        let numbered = self.state.game.as_ref().ok_or(IntentError::NO_GAME)?;
        let mark = match numbered.opening {
            Some(phase) if !self.mine.contains(&phase.by()) => {
                return Err(IntentError::NotNow(
                    "your opponent is making the opening: wait for them",
                ));
            }
            Some(OpeningPhase::Choosing { .. }) => {
                return Err(IntentError::NotNow("choose a side first"));
            }
            // In an opening one player places the marks of both.
            Some(OpeningPhase::Placing { .. }) => numbered.game.to_move(),
            None => self.my_turn().unwrap_or(*seat),
        };
        let decided = numbered.decide(Move { ply, mark, cell, placed });
        decided.map(|_| ()).map_err(IntentError::Illegal)
    }

    fn check_choice(&self, choice: OpeningChoice) -> Result<(), IntentError> {
        match self.my_choice() {
            None => Err(IntentError::NotNow("there is nothing for you to choose now")),
            Some(false) if choice == OpeningChoice::Add => {
                Err(IntentError::NotNow("two marks were added already: choose x or o"))
            }
            Some(_) => Ok(()),
        }
    }
}
