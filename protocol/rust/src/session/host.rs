//! The server's host: announcements, and features that are switched.

use super::*;
use noughts_protocol::{AnnouncementText, PartyCode};

impl Session {
    /// Takes in what the host says. Words for a place where the player is not are not for them.
    pub(super) fn announced(
        &mut self,
        text: AnnouncementText,
        room: Option<RoomCode>,
        party: Option<PartyCode>,
    ) {
        let elsewhere = room.is_some_and(|room| self.code() != Some(room))
            || party.is_some_and(|party| self.party_of(party).is_none());
        if !elsewhere {
            self.happened(Happening::Announcement(text));
        }
    }

    /// The features have changed. A feature that is off ends here at once, and the list of rooms
    /// that is back is asked for again.
    pub(super) fn switched(&mut self, now: Features) {
        let before = std::mem::replace(&mut self.features, now);
        if !now.listing {
            self.lobby = None;
        } else if !before.listing && self.watches_lobby {
            self.ask_lobby(LobbyIntent::WatchLobby);
        }
        if before.quick_match && !now.quick_match && self.is_queued() {
            self.ask_lobby(LobbyIntent::CancelMatch);
        }
        self.happened(Happening::Switched { before, now });
    }
}
