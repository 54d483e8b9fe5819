//! Takes in the server's messages: its answers, and what it sends without being asked.

use noughts_protocol::{
    AnnouncementText, CHALLENGE_MS, ChatLine, Event, PartyCode, Presence, ServerMessage, Snapshot,
};

use super::*;

/// How long a challenge stands.
const CHALLENGE: Duration = Duration::from_millis(CHALLENGE_MS as u64);

impl Session {
    pub(super) fn told(&mut self, message: ServerMessage, now: Instant) {
        match message {
            ServerMessage::Ok { id, room, party } => self.applied(id, room, party, now),
            ServerMessage::Refused { id, code, message } => self.refused(id, code, message, now),
            ServerMessage::Snapshot(snapshot) => self.snapshot(&snapshot, now),
            ServerMessage::Event { room, v, event } => self.event(room, v, event, now),
            ServerMessage::Presence { room, presence } => self.presence(room, presence, now),
            // Most pings are the connection's: no intent has their id.
            ServerMessage::Pong { id, room, v, party_v, presence } => {
                self.applied(id, None, None, now);
                self.party_pong(party_v);
                self.pong(room, v, presence, now);
            }
            ServerMessage::Hint(hint) => {
                let Some(view) = self.view_of(hint.room) else { return };
                if view.position() == Some((hint.game, hint.ply)) {
                    view.hint = Some(hint);
                    self.analysis.take_if(|asked| asked.is_hint());
                    self.happened(Happening::Hint);
                }
            }
            ServerMessage::Evaluation(evaluation) => {
                let Some(view) = self.view_of(evaluation.room) else { return };
                if view.position() == Some((evaluation.game, evaluation.ply)) {
                    view.evaluation = Some(evaluation);
                    self.happened(Happening::Evaluation);
                }
            }
            ServerMessage::Review(review) => {
                let Some(view) = self.view_of(review.room) else { return };
                view.review = Some(review);
                self.analysis.take_if(|asked| !asked.is_hint());
                self.happened(Happening::Review);
            }
            ServerMessage::Lobby { waiting, playing, more } if self.watches_lobby => {
                self.lobby = Some(Lobby { waiting, playing, more });
                self.happened(Happening::Lobby);
            }
            ServerMessage::Chat { room, lines, muted } => {
                self.heard(room, lines, muted.as_deref());
            }
            ServerMessage::Found { id, found } => {
                if self.answered(id, now).is_some() {
                    self.question_answered(id, Ok(found));
                }
            }
            ServerMessage::Party(snapshot) => self.party_snapshot(snapshot, now),
            ServerMessage::PartyEvents { party, v, events } => self.party_events(party, v, events),
            ServerMessage::PartyPresence { party, presence } => {
                self.party_presence(party, presence, now);
            }
            ServerMessage::Boards { party, boards } => self.boards(party, boards),
            ServerMessage::PlacePass { party, entrant, code, .. } => {
                if self.party_of(party).is_some() {
                    self.happened(Happening::PlacePass(entrant, code));
                }
            }
            ServerMessage::Announcement { text, room, party } => self.announced(text, room, party),
            ServerMessage::Features { features } => self.switched(features),
            ServerMessage::Challenged { room, name, .. } => {
                self.challenge = Some((room, now + CHALLENGE));
                self.happened(Happening::Challenged(room, name));
            }
            ServerMessage::Declined { name, .. } => self.happened(Happening::Declined(name)),
            ServerMessage::Pass { code, expires_in_ms } => {
                let left = Duration::from_millis(expires_in_ms.into());
                self.happened(Happening::Pass { code, left });
            }
            // One welcome is enough.
            ServerMessage::Lobby { .. } | ServerMessage::Welcome { .. } => {}
        }
    }

    /// Takes in a snapshot, if it is of this room or of a room that the player wants to enter.
    fn snapshot(&mut self, snapshot: &Snapshot, now: Instant) {
        let code = snapshot.room;
        // To leave a room after a break, the session first returns to it.
        let leaves = |message| intent_in(message, code) == Some(RoomIntent::Leave);
        let leaving = self.unanswered.iter().any(leaves);
        let current = self.view_of(code).is_some();
        let table = snapshot.settings.party.map(|table| table.party);
        // A room that was made, or found for a quick match, is no party's.
        let fresh = !current && table.is_none();
        let entered = |entering: Entering| entering.room.map_or(fresh, |room| room == code);
        let awaited = self.entering.is_some_and(entered) || (self.queue.is_some() && fresh);
        // The server leads the player to the table of their game.
        let party = self.party.as_ref().map(|view| view.state.code);
        let led = table.is_some() && table == party;
        if leaving || !(current || awaited || led) {
            return;
        }
        let Ok(mut view) = RoomView::new(snapshot, self.player, now) else {
            return self.happened(Happening::Impossible);
        };
        if !current {
            self.forget_room();
        }
        if let Some(before) = self.room.take() {
            view.take_over(before);
        }
        self.room = Some(view);
        if awaited {
            self.entering = None;
        }
        if current && !awaited {
            return self.happened(Happening::Refreshed);
        }
        // The server ends the wait of whoever enters a room.
        self.end_wait();
        self.happened(Happening::Entered);
    }

    fn event(&mut self, code: RoomCode, v: u64, event: Event, now: Instant) {
        // An event that a snapshot overtook needs no repair.
        let Some(view) = self.view_of(code).filter(|view| v > view.state.v) else { return };
        let Ok(before) = view.apply(v, &event, now) else { return self.sync() };
        if let Event::Closed { reason } = event {
            self.forget_room();
            return self.happened(Happening::Closed(code, reason));
        }
        self.happened(Happening::Event { event, before });
    }

    /// Takes over the presence of the room.
    fn presence(&mut self, code: RoomCode, presence: Presence, now: Instant) {
        // The answer to the player's own "no" comes after the presence.
        let by_me = self.sent().any(|intent| {
            matches!(
                intent,
                RoomIntent::TakeBack { offer: false, .. }
                    | RoomIntent::Rematch { offer: false, .. }
            )
        });
        let Some(view) = self.view_of(code) else { return };
        let mut changes = view.take_presence(presence, now);
        for change in &mut changes {
            if let PresenceChange::TakeBack { mark, asks: false }
            | PresenceChange::Rematch { mark, offered: false, .. } = *change
                && !by_me
                && view.mine == [mark]
            {
                *change = PresenceChange::Declined(mark.other());
            }
        }
        if !changes.is_empty() {
            self.happened(Happening::Presence(changes));
        }
    }

    /// Compares the server's version of the room with ours. Only this shows that a last event or a
    /// first snapshot was lost.
    fn pong(
        &mut self,
        code: Option<RoomCode>,
        v: Option<u64>,
        presence: Option<Presence>,
        now: Instant,
    ) {
        if let Some(Entering { id, room, .. }) = self.entering {
            let syncing = self.unanswered.iter().any(is_sync);
            if let Some(room) = room
                && code == Some(room)
                && !syncing
                && !self.is_unanswered(id)
            {
                self.ask_in(room, RoomIntent::Sync);
            }
            return;
        }
        let Some(view) = &self.room else { return };
        if code != Some(view.state.code) {
            self.return_to_room();
        } else if v != Some(view.state.v) {
            // The snapshot has the presence too.
            self.sync();
        } else if let (Some(code), Some(presence)) = (code, presence) {
            self.presence(code, presence, now);
        }
    }

    // Answers.

    /// Whether the server has not answered this intent yet.
    pub(crate) fn is_unanswered(&self, id: IntentId) -> bool {
        self.unanswered.iter().any(|message| message.id() == Some(id))
    }

    /// Takes the intent of an answer from the unanswered ones. `None` means that it is answered
    /// already.
    pub(super) fn answered(&mut self, id: IntentId, now: Instant) -> Option<ClientMessage> {
        let place = self.unanswered.iter().position(|message| message.id() == Some(id))?;
        self.answer_due = Some(now + ANSWER_TIME);
        Some(self.unanswered.remove(place))
    }

    pub(super) fn applied(
        &mut self,
        id: IntentId,
        room: Option<RoomCode>,
        party: Option<PartyCode>,
        now: Instant,
    ) {
        let Some(message) = self.answered(id, now) else { return };
        if matches!(message, ClientMessage::Lobby { intent: LobbyIntent::Forget, .. }) {
            return self.forgotten();
        }
        if let ClientMessage::Lobby { intent, .. } = &message {
            let cancels = *intent == LobbyIntent::CancelMatch;
            let queues = matches!(intent, LobbyIntent::QuickMatch { .. });
            // A match may be found before it is cancelled.
            if room.is_some() && (queues || cancels) {
                self.entering = Some(Entering { id, room, role: Role::Player });
            }
            if cancels || (queues && room.is_some()) {
                self.end_wait();
            }
        }
        if let Some(entering) = self.entering.as_mut().filter(|entering| entering.id == id) {
            entering.room = room.or(entering.room);
        }
        self.party_applied(&message, party);
        self.happened(Happening::Applied(message));
    }

    pub(super) fn refused(
        &mut self,
        id: Option<IntentId>,
        code: RefusalCode,
        message: DisplayText,
        now: Instant,
    ) {
        let refusal = Refusal { code, message };
        let Some(id) = id else {
            // A repeated greeting does not concern the player.
            if code != RefusalCode::AlreadyGreeted {
                self.happened(Happening::ServerError(refusal));
            }
            return;
        };
        // After a break the queue is asked for again, although it was answered.
        let queue = self.queue.take_if(|queue| queue.id() == Some(id));
        let Some(message) = self.answered(id, now).or(queue) else { return };
        if let ClientMessage::Lobby { intent, .. } = &message
            && LookupKind::of(intent).is_some()
        {
            return self.question_answered(id, Err(refusal));
        }
        if self.party_refused(&message, &refusal) {
            return;
        }
        if self.is_return(&message) {
            return self.return_refused(refusal, now);
        }
        self.entering.take_if(|entering| entering.id == id);
        self.analysis.take_if(|asked| asked.id == id);
        match message {
            ClientMessage::Room { intent: RoomIntent::Sync, room, .. } => {
                let here = self.entering.is_none() && self.code() == Some(room);
                if here && code == RefusalCode::NotInRoom {
                    self.return_to_room();
                }
                return;
            }
            // This side has left already.
            ClientMessage::Room { intent: RoomIntent::Leave, .. }
                if code == RefusalCode::NotInRoom =>
            {
                return;
            }
            // People type the code of a party in the same place.
            ClientMessage::Lobby { intent: LobbyIntent::Join { room, .. }, .. }
                if code == RefusalCode::PartyCode =>
            {
                return self.happened(Happening::IsParty(PartyCode(room)));
            }
            _ => {}
        }
        self.happened(Happening::Refused(message, refusal));
    }

    pub(super) fn question_answered(&mut self, id: IntentId, answer: Result<Found, Refusal>) {
        let mut questions = self.questions.iter_mut();
        if let Some((kind, question)) = questions.find(|(_, question)| question.id == id) {
            let kind = *kind;
            question.answer = Some(answer);
            self.happened(Happening::Answered(kind));
        }
    }

    /// The player is nobody now: nothing of the session is theirs.
    fn forgotten(&mut self) {
        let outputs = mem::take(&mut self.outputs);
        *self = Self { outputs, ..Self::new(self.next_id) };
        self.outputs.push(Output::Forget);
        self.happened(Happening::Forgotten);
    }

    fn return_refused(&mut self, refusal: Refusal, now: Instant) {
        let Some(room) = self.code() else { return };
        if matches!(refusal.code, RefusalCode::NotStored | RefusalCode::Stopping) {
            self.rejoin_at = Some(now + REJOIN_AFTER);
            return self.happened(Happening::Unreadable(refusal));
        }
        self.forget_room();
        self.happened(Happening::RoomLost(room, refusal));
    }

    // The server's host.

    /// Takes in what the host says. Words for a place where the player is not are not for them.
    fn announced(
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
    fn switched(&mut self, now: Features) {
        let before = mem::replace(&mut self.features, now);
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

    // Talk.

    pub(super) fn heard(
        &mut self,
        room: RoomCode,
        lines: Vec<ChatLine>,
        muted: Option<&[PlayerId]>,
    ) {
        let Self { room: view, unanswered, .. } = self;
        let Some(view) = view.as_mut().filter(|view| view.state.code == room) else { return };
        let heard = view.chat.hear(lines, muted, |player| is_pending(unanswered, room, player));
        // Both lists show mutes that the server has forgotten.
        for player in heard.forgotten {
            let full = self.unanswered.len() >= MAX_UNANSWERED;
            if !full && !is_pending(&self.unanswered, room, player) {
                self.ask_in(room, RoomIntent::Mute { player, mute: true });
            }
        }
        if heard.mutes || !heard.lines.is_empty() {
            self.happened(Happening::Chat(heard.lines));
        }
    }
}

/// Whether a `mute` of this person is unanswered.
fn is_pending(unanswered: &[ClientMessage], room: RoomCode, player: PlayerId) -> bool {
    unanswered
        .iter()
        .filter_map(|message| intent_in(message, room))
        .any(|intent| matches!(intent, RoomIntent::Mute { player: muted, .. } if muted == player))
}
