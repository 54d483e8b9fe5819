//! Repairs a session that missed something: asks for the room's snapshot again, or takes over the
//! presence of a `pong`.

use std::time::Instant;

use noughts_protocol::{ClientMessage, LobbyIntent, Presence, Role, RoomCode, RoomIntent};

use super::{Entering, Session, SessionEvent};

impl Session {
    /// Compares the server's version of the room with ours. Only this shows that a last event or a
    /// first snapshot was lost.
    pub(super) fn pong(
        &mut self,
        (room, v): (Option<RoomCode>, Option<u64>),
        presence: Option<Presence>,
        now: Instant,
    ) -> (Option<SessionEvent>, Option<ClientMessage>) {
        if self.unanswered == 0 {
            // The awaited snapshot would have come before this.
            self.syncing = false;
        }
        if let (None, Entering::Room(code), 0) = (&self.room, self.entering, self.unanswered) {
            return (None, (room == Some(code)).then(|| self.room_message(code, RoomIntent::Sync)));
        }
        let Some(view) = self.room.as_ref().filter(|_| self.entering == Entering::Nothing) else {
            return (None, None);
        };
        let code = view.state.code;
        if room != Some(code) {
            let join = LobbyIntent::Join { room: code, role: Role::Spectator };
            return (None, Some(self.lobby(join)));
        }
        if v != Some(view.state.v) {
            // The snapshot has the presence too.
            return (None, self.sync());
        }
        (presence.and_then(|presence| self.presence(code, presence, now)), None)
    }

    /// Asks for the room's snapshot, unless it is awaited already.
    pub(super) fn sync(&mut self) -> Option<ClientMessage> {
        let room = self.room.as_ref()?.state.code;
        let awaited = std::mem::replace(&mut self.syncing, true);
        (!awaited).then(|| self.room_message(room, RoomIntent::Sync))
    }
}
