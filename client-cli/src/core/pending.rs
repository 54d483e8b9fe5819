//! What a connection must repeat after a break: its room, its place in the queue, and the
//! unanswered intents in their order.

use std::collections::VecDeque;

use noughts_protocol::{
    ClientMessage, Event, IntentId, LobbyIntent, Role, RoomCode, RoomIntent, ServerMessage,
};

use crate::ids::IntentIds;

/// The most unanswered intents; further ones wait. It is below the server's burst limit of 20, so
/// that all of them may be repeated at once.
pub(crate) const MAX_UNANSWERED: usize = 12;

/// What the connection has asked of the server.
#[derive(Debug)]
pub(crate) struct Pending {
    ids: IntentIds,
    unanswered: VecDeque<ClientMessage>,
    /// The room that the player has entered.
    room: Option<RoomCode>,
    /// The `join` that returns to the room after a break.
    rejoin: Option<(IntentId, RoomCode)>,
    /// The `quick_match` that was accepted and has found nobody yet.
    quick: Option<ClientMessage>,
    /// Whether the lobby is watched.
    lobby: bool,
}

/// What an answer was about.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answered {
    /// An intent of the program.
    Intent(ClientMessage),
    /// The return to a room.
    Rejoin(RoomCode),
    /// Nothing: the id is unknown or was answered before.
    Nothing,
}

impl Pending {
    pub(crate) fn new(ids: IntentIds) -> Self {
        let unanswered = VecDeque::with_capacity(MAX_UNANSWERED);
        Self { ids, unanswered, room: None, rejoin: None, quick: None, lobby: false }
    }

    /// Whether another intent may be sent.
    pub(crate) fn has_room(&self) -> bool {
        self.unanswered.len() < MAX_UNANSWERED
    }

    /// Whether an intent or the return to a room is unanswered.
    pub(crate) fn awaits_answer(&self) -> bool {
        self.rejoin.is_some() || !self.unanswered.is_empty()
    }

    /// Adds an intent that is sent now or after the break.
    pub(crate) fn sent(&mut self, intent: ClientMessage) {
        self.unanswered.push_back(intent);
    }

    /// A ping. Its answer is `pong`, so it is not unanswered.
    pub(crate) fn ping(&self) -> ClientMessage {
        self.lobby_message(LobbyIntent::Ping)
    }

    fn lobby_message(&self, intent: LobbyIntent) -> ClientMessage {
        ClientMessage::Lobby { intent, id: self.ids.next() }
    }

    /// Handles an answer. `room` is the room that the intent led to.
    pub(crate) fn answered(
        &mut self,
        id: IntentId,
        applied: bool,
        room: Option<RoomCode>,
    ) -> Answered {
        if let Some((_, room)) = self.rejoin.take_if(|(rejoin, _)| *rejoin == id) {
            return Answered::Rejoin(room);
        }
        // A queue that refuses us after a break counts as a refused match.
        if let Some(quick) = self.quick.take_if(|quick| quick.id() == Some(id) && !applied) {
            return Answered::Intent(quick);
        }
        let place = self.unanswered.iter().position(|intent| intent.id() == Some(id));
        let Some(intent) = place.and_then(|place| self.unanswered.remove(place)) else {
            return Answered::Nothing;
        };
        if applied {
            self.applied(&intent, room);
        }
        Answered::Intent(intent)
    }

    /// Updates what to repeat after a break. A room's snapshot follows the answer; a break between
    /// the two must lead back to the room too.
    fn applied(&mut self, message: &ClientMessage, led_to: Option<RoomCode>) {
        match message {
            ClientMessage::Room { intent: RoomIntent::Leave, room, .. } => self.left(*room),
            ClientMessage::Lobby { intent, .. } => match (intent, led_to) {
                (LobbyIntent::QuickMatch { .. }, None) => self.quick = Some(message.clone()),
                (LobbyIntent::CancelMatch, _) => self.quick = None,
                (LobbyIntent::WatchLobby, _) => self.lobby = true,
                (LobbyIntent::UnwatchLobby, _) => self.lobby = false,
                (_, Some(room)) => self.room = Some(room),
                _ => {}
            },
            _ => {}
        }
    }

    fn left(&mut self, room: RoomCode) {
        self.room.take_if(|current| *current == room);
    }

    /// Updates what to repeat from a message that answers no intent.
    pub(crate) fn observe(&mut self, message: &ServerMessage) {
        match message {
            ServerMessage::Snapshot(snapshot) => {
                self.room = Some(snapshot.room);
                self.quick = None;
            }
            ServerMessage::Event { room, event: Event::Closed { .. }, .. } => self.left(*room),
            _ => {}
        }
    }

    /// The server did not let the player back into the room.
    pub(crate) fn room_is_lost(&mut self) {
        self.room = None;
    }

    /// The `join` that returns to the room. A player gets the seat back also as a spectator, and
    /// somebody who has none any more takes none.
    pub(crate) fn rejoin(&mut self) -> Option<ClientMessage> {
        let room = self.room?;
        let join = self.lobby_message(LobbyIntent::Join { room, role: Role::Spectator });
        self.rejoin = join.id().map(|id| (id, room));
        Some(join)
    }

    /// The messages after `hello`, in order: the room, the lobby and the queue, then all unanswered
    /// intents.
    pub(crate) fn resume(&mut self) -> Vec<ClientMessage> {
        let mut messages: Vec<_> = self.rejoin().into_iter().collect();
        if self.lobby {
            messages.push(self.lobby_message(LobbyIntent::WatchLobby));
        }
        messages.extend(self.quick.clone());
        messages.extend(self.unanswered.iter().cloned());
        messages
    }
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{Cell, CloseReason, Presence, RoomSettings, RoomState};

    use super::*;

    fn code() -> RoomCode {
        "KQRZX".parse().unwrap()
    }

    fn id(number: u64) -> IntentId {
        number.try_into().unwrap()
    }

    fn pending() -> Pending {
        Pending::new(IntentIds::starting_at(100))
    }

    fn snapshot() -> ServerMessage {
        let state = RoomState::new(code(), RoomSettings::default());
        ServerMessage::Snapshot(state.to_snapshot(Presence::default(), None))
    }

    fn play() -> ClientMessage {
        let intent = RoomIntent::Play { game: 1, ply: 0, cell: Cell(4) };
        ClientMessage::Room { intent, id: id(7), room: code() }
    }

    fn join(number: u64, role: Role) -> ClientMessage {
        lobby(number, LobbyIntent::Join { room: code(), role })
    }

    fn lobby(number: u64, intent: LobbyIntent) -> ClientMessage {
        ClientMessage::Lobby { intent, id: id(number) }
    }

    #[test]
    fn an_unanswered_intent_is_repeated_with_its_id() {
        let mut pending = pending();
        pending.observe(&snapshot());
        pending.sent(play());
        assert_eq!(pending.resume(), [join(100, Role::Spectator), play()]);
        assert_eq!(pending.answered(id(100), true, None), Answered::Rejoin(code()));
        assert_eq!(pending.answered(id(7), true, None), Answered::Intent(play()));
        assert_eq!(pending.answered(id(7), true, None), Answered::Nothing);
        assert_eq!(pending.resume().len(), 1);
    }

    #[test]
    fn a_room_that_is_left_closed_or_lost_is_not_entered_again() {
        let closed = Event::Closed { reason: CloseReason::Idle };
        let mut left = pending();
        left.observe(&snapshot());
        let leave = RoomIntent::Leave;
        left.sent(ClientMessage::Room { intent: leave, id: id(7), room: code() });
        assert_eq!(left.resume().len(), 2, "leaving needs the room until it is answered");
        left.answered(id(7), true, None);
        let mut ended = pending();
        ended.observe(&snapshot());
        ended.observe(&ServerMessage::Event { room: code(), v: 1, event: closed });
        let mut lost = pending();
        lost.observe(&snapshot());
        lost.resume();
        assert_eq!(lost.answered(id(100), false, None), Answered::Rejoin(code()));
        let again = Some(join(101, Role::Spectator));
        assert_eq!(lost.rejoin(), again, "until it is called lost");
        lost.room_is_lost();
        for pending in [&mut left, &mut ended, &mut lost] {
            assert_eq!(pending.resume(), []);
        }
    }

    #[test]
    fn a_break_between_the_answer_and_the_snapshot_leads_back_to_the_room() {
        let mut pending = pending();
        pending.sent(join(7, Role::Player));
        pending.answered(id(7), true, Some(code()));
        assert_eq!(pending.resume(), [join(100, Role::Spectator)]);
    }

    #[test]
    fn a_place_in_the_queue_is_kept_until_there_is_a_room() {
        let mut pending = pending();
        let board = noughts_protocol::BoardSpec::TIC_TAC_TOE;
        let quick = LobbyIntent::QuickMatch { board, move_time_ms: None, computer: None };
        let quick = lobby(7, quick);
        pending.sent(quick.clone());
        pending.answered(id(7), true, None);
        assert_eq!(pending.resume(), [quick]);
        pending.observe(&snapshot());
        assert_eq!(pending.resume().len(), 1);
    }

    #[test]
    fn what_is_unanswered_is_bounded() {
        let mut pending = pending();
        for _ in 0..MAX_UNANSWERED {
            assert!(pending.has_room());
            pending.sent(play());
        }
        assert!(!pending.has_room());
    }
}
