//! Repairs a session that missed an event: asks for the room's snapshot again.

use noughts_protocol::{ClientMessage, Role, RoomCode};

use super::{Entering, Session};

impl Session {
    /// Compares the server's version of the room with ours. Only this shows that a last event or a
    /// first snapshot was lost.
    pub(super) fn pong(&mut self, room: Option<RoomCode>, v: Option<u64>) -> Option<ClientMessage> {
        if self.unanswered == 0 {
            // The awaited snapshot would have come before this.
            self.syncing = false;
        }
        if let (None, Entering::Room(code), 0) = (&self.room, self.entering, self.unanswered) {
            return (room == Some(code)).then(|| self.sync_in(code));
        }
        let view = self.room.as_ref()?;
        if self.entering != Entering::Nothing {
            return None;
        }
        if room != Some(view.state.code) {
            let role = if view.mine.is_empty() { Role::Spectator } else { Role::Player };
            return Some(self.join(view.state.code, role));
        }
        if v == Some(view.state.v) { None } else { self.sync() }
    }

    /// Asks for the room's snapshot, unless it is awaited already.
    pub(super) fn sync(&mut self) -> Option<ClientMessage> {
        let room = self.room.as_ref()?.state.code;
        if std::mem::replace(&mut self.syncing, true) {
            return None;
        }
        Some(self.sync_in(room))
    }

    fn sync_in(&mut self, room: RoomCode) -> ClientMessage {
        self.track(ClientMessage::Sync { id: self.ids.next(), room })
    }
}
