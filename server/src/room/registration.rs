//! What a room tells the lobby about itself. The lobby implements [`Registration`], so a room
//! knows nothing of the lobby.

use std::time::Duration;

use crate::room::rules::ResumePoint;

/// A running room's entry in the lobby. The room's task holds it; dropping it removes the room.
pub(crate) trait Registration: Send {
    /// An activated room waits for a player.
    fn waits(&mut self);

    /// The room does not wait for a player, or no more.
    fn waits_no_longer(&mut self);

    /// The room does not end for another one, because somebody is in it.
    fn stays(&self);

    /// The room's task ends and the room stays in the journal.
    fn hibernate(self, hibernated: Hibernated);
}

/// A room without a task. Its facts are in the journal; the first join activates it.
#[derive(Debug, Clone)]
pub(crate) struct Hibernated {
    /// The room's number in the journal.
    pub(crate) id: i64,
    /// `None` if the room hibernated, or was active, in an earlier run of the server.
    pub(crate) resume: Option<ResumePoint>,
    /// The time of the last departure.
    pub(crate) since: Duration,
    /// The time at which the lobby activates the room, to see whether it ends.
    pub(crate) until: Duration,
}
