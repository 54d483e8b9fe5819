//! The messages that the session sends by itself: the unanswered ones again after a break, and a
//! request for the room where it missed something.

use super::*;

impl Session {
    /// Repeats what was unanswered, and asks again for what the server forgets with a connection.
    pub(super) fn resume(&mut self, now: Instant) {
        self.drop_resyncs();
        self.drop_party_resyncs();
        let (of_parties, unanswered): (Vec<_>, Vec<_>) =
            self.unanswered.iter().cloned().partition(party::is_about_parties);
        let mut rest = &unanswered[..];
        while let Some((place, room)) = rest.iter().enumerate().find_map(left) {
            let (with_leave, after) = rest.split_at(place + 1);
            // Only who is in a room can leave it. Nothing depends on this answer.
            let intent = LobbyIntent::Join { room, role: Role::Spectator };
            let id = self.take_id();
            self.send(ClientMessage::Lobby { intent, id });
            with_leave.iter().for_each(|message| self.send(message.clone()));
            rest = after;
        }
        self.return_to_room();
        let watches = |message: &ClientMessage| {
            matches!(message, ClientMessage::Lobby { intent: LobbyIntent::WatchLobby, .. })
        };
        if self.watches_lobby && !unanswered.iter().any(watches) {
            self.ask_lobby(LobbyIntent::WatchLobby);
        }
        if let Some(queue) = self.queue.clone().filter(|queue| !unanswered.contains(queue)) {
            self.send(queue);
        }
        rest.iter().for_each(|message| self.send(message.clone()));
        if let Some(Entering { id, room: Some(room), role }) = self.entering
            && !self.is_unanswered(id)
        {
            let id = self.ask_lobby(LobbyIntent::Join { room, role });
            self.entering = Some(Entering { id, room: Some(room), role });
        }
        // A hint went with the connection, so this is a review.
        if let Some(Analysis { id, intent, position }) = self.analysis.clone()
            && let Some(room) = self.code()
            && !self.is_unanswered(id)
        {
            let id = self.ask_in(room, intent.clone());
            self.analysis = Some(Analysis { id, intent, position });
        }
        // After the room: the server leads a player whose game runs out of another one.
        self.resume_party(&of_parties);
        self.answer_due = Some(now + ANSWER_TIME);
    }

    /// Enters the room again, unless its snapshot is awaited already. A player gets the seat back
    /// also as a spectator, and somebody who has none any more takes none.
    pub(super) fn return_to_room(&mut self) {
        if let Some(room) = self.code()
            && self.phase == Phase::Open
            && !self.is_resyncing()
        {
            self.ask_lobby(LobbyIntent::Join { room, role: Role::Spectator });
        }
    }

    /// Asks for the room's snapshot, unless it is awaited already.
    pub(super) fn sync(&mut self) {
        if let Some(room) = self.code()
            && !self.is_resyncing()
        {
            self.ask_in(room, RoomIntent::Sync);
        }
    }

    /// Whether a snapshot of the room is on its way.
    fn is_resyncing(&self) -> bool {
        self.unanswered.iter().any(|message| self.is_resync(message))
    }

    pub(super) fn is_resync(&self, message: &ClientMessage) -> bool {
        is_sync(message) || self.is_return(message)
    }

    /// Whether a message returns to the room that the player is in.
    pub(super) fn is_return(&self, message: &ClientMessage) -> bool {
        let join = |room| LobbyIntent::Join { room, role: Role::Spectator };
        matches!(message, ClientMessage::Lobby { intent, .. } if self.code().map(join).as_ref() == Some(intent))
    }

    /// Forgets the questions for a snapshot of the room: their answers are about a room or a
    /// connection of before.
    pub(super) fn drop_resyncs(&mut self) {
        let mut unanswered = mem::take(&mut self.unanswered);
        unanswered.retain(|message| !self.is_resync(message));
        self.unanswered = unanswered;
    }
}

/// The place of a `leave` among messages, and its room.
const fn left((place, message): (usize, &ClientMessage)) -> Option<(usize, RoomCode)> {
    match message {
        ClientMessage::Room { intent: RoomIntent::Leave, room, .. } => Some((place, *room)),
        _ => None,
    }
}
