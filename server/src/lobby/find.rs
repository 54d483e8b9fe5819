//! How people reach a room by its code, whichever node has it.

use noughts_protocol::{Refusal, RoomCode};

use super::Lobby;
use crate::room::RoomHandle;

/// What has a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    Nothing,
    Room,
    Party,
}

impl Lobby {
    /// The room with a code.
    ///
    /// # Errors
    /// If there is no such room.
    pub(crate) async fn find(&self, code: RoomCode) -> Result<RoomHandle, Refusal> {
        self.find_here(code)
    }

    /// What has a code.
    pub(crate) async fn known(&self, code: RoomCode) -> Known {
        self.known_here(code)
    }
}
