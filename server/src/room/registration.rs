//! A room's reports to the lobby. The lobby implements [`Registration`], so a room knows nothing of
//! the lobby.

use std::time::Duration;

/// A running room's entry in the lobby. The room's task holds it; dropping it removes the room.
pub(crate) trait Registration: Send {
    /// Whether the room waits for a player.
    fn set_waiting(&mut self, waiting: bool);

    /// The room does not end for another one, because somebody is in it.
    fn keep(&self);

    /// The room's task ends and the room stays in the store.
    fn hibernate(self, hibernated: Hibernated);
}

/// A room without a task. Its row is in the store; the first join activates it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hibernated {
    /// Whether the row was found when the server started, and nobody has activated the room since.
    pub(crate) is_restored: bool,
    /// The time at which the lobby activates the room, to see whether it ends.
    pub(crate) until: Duration,
}
