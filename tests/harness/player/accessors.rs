//! The player's view of its room.

use noughts_protocol::{Game, GameResult, Mark, RoomState};

use super::Player;

impl Player {
    /// The room.
    ///
    /// # Panics
    /// If the player is in none.
    #[must_use]
    pub fn state(&self) -> &RoomState {
        self.room.as_ref().unwrap()
    }

    /// The current game.
    ///
    /// # Panics
    /// If none has begun.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.state().game.as_ref().unwrap().game
    }

    /// The current game's number; 0 before the first.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.state().game.as_ref().map_or(0, |game| game.number)
    }

    /// The marks this player plays.
    #[must_use]
    pub fn marks(&self) -> Vec<Mark> {
        self.state().marks_of(self.id).collect()
    }

    /// Whether it is this player's turn.
    #[must_use]
    pub fn is_my_turn(&self) -> bool {
        self.room.as_ref().is_some_and(|state| {
            state.turn().is_some_and(|turn| state.marks_of(self.id).any(|mark| mark == turn))
        })
    }

    /// How the current game ended, if it has.
    #[must_use]
    pub fn result(&self) -> Option<&GameResult> {
        self.room.as_ref()?.game.as_ref()?.game.result()
    }
}
