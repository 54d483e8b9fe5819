//! The rules of hints and reviews: which player may ask for one, and about which game.

use noughts_protocol::{IllegalMove, PlayerId, Refusal, RefusalCode};

use crate::room::rules::RoomRules;

/// The question that an analysis answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The best moves of a game at a ply.
    Hint { game: u32, ply: u16 },
    /// A game that is over. Its opening placed the first `opening` marks.
    Review { game: u32, opening: u16 },
    /// How a game stands at a ply, for all spectators.
    Evaluation { game: u32, ply: u16 },
}

impl Subject {
    /// The number of the game.
    pub(crate) const fn game(self) -> u32 {
        match self {
            Self::Hint { game, .. } | Self::Review { game, .. } | Self::Evaluation { game, .. } => {
                game
            }
        }
    }
}

impl RoomRules {
    /// The hint that `player` may have in the running game.
    ///
    /// # Errors
    /// If the room gives no hints, or it is not the player's turn in game `number`.
    pub(crate) fn hint(&self, player: PlayerId, number: u32) -> Result<Subject, Refusal> {
        let marks = self.seated(player)?;
        if !self.state.gives_hints() {
            let message = match self.state.settings.party {
                Some(_) => "there are no hints in a party",
                None => "this room gives no hints: create a room with hints to get them",
            };
            return Err(Refusal::new(RefusalCode::HintsOff, message));
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
            Ok(Subject::Hint { game: number, ply: running.game.ply() })
        } else {
            Err(IllegalMove::NotYourTurn { turn }.into())
        }
    }

    /// Notes that the side to move gets a hint, which two people are told. A hint that is asked for again
    /// counts once.
    pub(crate) fn note_hint(&mut self, ply: u16) {
        let Some(turn) = self.state.turn().filter(|_| self.state.has_two_people()) else { return };
        if self.hinted_at.replace(ply) != Some(ply) {
            let hints = self.hints.get_or_insert_default();
            hints[turn] = hints[turn].saturating_add(1);
        }
    }

    /// The review of game `number`: it is over, and the last game or the one before.
    ///
    /// # Errors
    /// If the game is still running, or is not one of those two.
    pub(crate) fn review(&self, number: u32) -> Result<Subject, Refusal> {
        let named = self.named(number)?;
        if named.game.turn().is_none() {
            return Ok(Subject::Review { game: number, opening: self.opening_marks(named) });
        }
        Err(Refusal::new(
            RefusalCode::NotNow,
            "the game is still running: it can be reviewed when it is over",
        ))
    }
}
