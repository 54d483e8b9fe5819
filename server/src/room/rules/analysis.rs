//! Whom the teacher may help, and with which game.

use noughts_protocol::{IllegalMove, NumberedGame, PlayerId, Refusal, RefusalCode};

use crate::room::rules::RoomRules;

impl RoomRules {
    /// The running game in which `player` may be given a hint.
    ///
    /// # Errors
    /// Where the room gives none, or it is not the player's turn in game `number`.
    pub(crate) fn hint(&self, player: PlayerId, number: u32) -> Result<&NumberedGame, Refusal> {
        let marks = self.seated(player)?;
        if !self.state.settings.hints {
            return Err(Refusal::new(
                RefusalCode::HintsOff,
                "this room gives no hints: make a room that does to learn",
            ));
        }
        let running = self.running(number)?;
        if running.opening.is_some() {
            return Err(Refusal::new(
                RefusalCode::NotNow,
                "there are no hints for an opening: place and choose by your own judgement",
            ));
        }
        let turn = running.game.to_move();
        if marks.contains(&turn) {
            Ok(running)
        } else {
            Err(IllegalMove::NotYourTurn { turn }.into())
        }
    }

    /// The game that may be reviewed as `number`, the last one or the one before, once over; and
    /// how many of its marks its opening placed.
    ///
    /// # Errors
    /// Where it is still running, or is no such game.
    pub(crate) fn review(&self, number: u32) -> Result<(&NumberedGame, u16), Refusal> {
        let named = self.named(number)?;
        if named.game.turn().is_none() {
            return Ok((named, self.opening_marks(named)));
        }
        Err(Refusal::new(
            RefusalCode::NotNow,
            "the game is still running: it can be reviewed when it is over",
        ))
    }
}
