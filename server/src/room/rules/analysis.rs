//! The rules of hints and reviews: which player may ask for one, and about which game.

use noughts_protocol::{IllegalMove, NumberedGame, PlayerId, Refusal, RefusalCode};

use crate::room::rules::RoomRules;

impl RoomRules {
    /// The running game, where `player` may have a hint in it.
    ///
    /// # Errors
    /// Where the room gives no hints, or it is not the player's turn in game `number`.
    pub(crate) fn hint(&self, player: PlayerId, number: u32) -> Result<&NumberedGame, Refusal> {
        let marks = self.seated(player)?;
        if !self.state.settings.hints {
            return Err(Refusal::new(
                RefusalCode::HintsOff,
                "this room gives no hints: create a room with hints to get them",
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

    /// Game `number`, where it may be reviewed: it is over, and the last game or the one before.
    /// Also gives the number of marks that its opening placed.
    ///
    /// # Errors
    /// Where the game is still running, or is not one of those two.
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
