//! What the server tells, and how it heals what was lost.

use noughts_protocol::PartyCode;

use super::*;

impl Client {
    pub(super) fn told(&mut self, message: ServerMessage, now: u64) {
        match message {
            ServerMessage::Ok { id, room, party } => self.applied(id, room, party, now),
            ServerMessage::Refused { id: None, code: RefusalCode::AlreadyGreeted, .. } => {}
            ServerMessage::Refused { id: None, .. } => self.happens("server_error"),
            ServerMessage::Refused { id: Some(id), code, .. } => self.refused(id, code, now),
            ServerMessage::Snapshot(snapshot) => self.snapshot(&snapshot, now),
            ServerMessage::Event { room, v, event } => self.event(room, v, &event, now),
            ServerMessage::Presence { room, presence } if self.code() == Some(room) => {
                self.presence(presence, now);
            }
            ServerMessage::Pong { room, v, party_v, presence, .. } => {
                self.party_pong(party_v, now);
                self.pong(room, v, presence, now);
            }
            ServerMessage::Hint(hint) => {
                let position = (hint.game, hint.ply);
                if self.code() == Some(hint.room) && self.position() == Some(position) {
                    self.view().hint = Some(position);
                    self.analysis.take_if(|asked| asked.hint_for.is_some());
                    self.happens("hint");
                }
            }
            ServerMessage::Evaluation(evaluation) => {
                let position = (evaluation.game, evaluation.ply);
                if self.code() == Some(evaluation.room) && self.position() == Some(position) {
                    self.view().evaluation = Some(position);
                    self.happens("evaluation");
                }
            }
            ServerMessage::Review(review) if self.code() == Some(review.room) => {
                self.view().review = Some(review.game);
                self.analysis.take_if(|asked| asked.hint_for.is_none());
                self.happens("review");
            }
            ServerMessage::Lobby { waiting, playing, .. } if self.watches_lobby => {
                self.lobby = Some(waiting.len() + playing.len());
                self.happens("lobby");
            }
            ServerMessage::Chat { room, lines, muted } if self.code() == Some(room) => {
                self.heard(room, lines, muted.as_deref(), now);
            }
            ServerMessage::Found { id, found } if self.answered(id, now).is_some() => {
                let kind = serde_json::to_value(found).expect("JSON")["kind"].take();
                self.question_answered(id, json(&kind));
            }
            other => self.party_told(other, now),
        }
    }

    fn view(&mut self) -> &mut View {
        self.room.as_mut().expect("a room")
    }

    /// Takes an answer into account; `None` if it answers nothing.
    fn answered(&mut self, id: IntentId, now: u64) -> Option<ClientMessage> {
        let place = self.unanswered.iter().position(|message| message.id() == Some(id))?;
        self.answer_due = Some(now + ANSWER_MS);
        Some(self.unanswered.remove(place))
    }

    fn applied(
        &mut self,
        id: IntentId,
        room: Option<RoomCode>,
        party: Option<PartyCode>,
        now: u64,
    ) {
        let Some(message) = self.answered(id, now) else { return };
        if lobby_intent(&message) == Some(&LobbyIntent::Forget) {
            let output = std::mem::take(&mut self.output);
            *self = Self { output, ..Self::new(self.next_id) };
            return self.happens("forgotten");
        }
        if let Some(entering) = self.entering.as_mut().filter(|entering| entering.id == id) {
            entering.room = room;
        }
        let intent = lobby_intent(&message);
        let queued = matches!(intent, Some(LobbyIntent::QuickMatch { .. }));
        let cancelled = matches!(intent, Some(LobbyIntent::CancelMatch));
        if cancelled || (queued && room.is_some()) {
            // Another match may have been asked for since.
            let unanswered = &self.unanswered;
            self.queue.take_if(|queue| !unanswered.contains(queue));
            if room.is_some() {
                self.entering = Some(Entering { id, room, role: Role::Player });
            }
        }
        self.party_applied(&message, party);
        self.happens("applied");
    }

    fn refused(&mut self, id: IntentId, code: RefusalCode, now: u64) {
        let message = self.answered(id, now);
        if self.question_answered(id, json(&code)) {
            return;
        }
        let queued = self.queue.take_if(|queue| queue.id() == Some(id)).is_some();
        let entered = self.entering.take_if(|entering| entering.id == id).is_some();
        self.analysis.take_if(|analysis| analysis.asked.id() == Some(id));
        let Some(message) = message else {
            if queued {
                self.happens("refused");
            }
            return;
        };
        if self.party_refused(&message, code, now) {
            return;
        }
        if !entered && self.is_return(&message) {
            if code == RefusalCode::NotStored {
                self.rejoin_at = Some(now + REJOIN_MS);
                self.happens("unreadable");
            } else {
                self.forget_room();
                self.happens("room_lost");
            }
        } else if let Some(room) = sync_of(&message) {
            let ours = Some(room) == self.code() && self.entering.is_none();
            if code == RefusalCode::NotInRoom && ours {
                self.go_back(now);
            }
        } else if leave_of(&message).is_none() {
            let joins = matches!(lobby_intent(&message), Some(LobbyIntent::Join { .. }));
            let is_party = joins && code == RefusalCode::PartyCode;
            self.happens(if is_party { "is_party" } else { "refused" });
        }
    }

    fn snapshot(&mut self, snapshot: &Snapshot, now: u64) {
        let room = snapshot.room;
        let ours = self.code() == Some(room);
        let table = snapshot.settings.party.map(|table| table.party);
        let unknown = !ours && table.is_none();
        let entered = self.entering.as_ref().is_some_and(|entering| match entering.room {
            Some(code) => code == room,
            None => unknown,
        });
        let awaited = entered || (self.queue.is_some() && unknown);
        let led = table.is_some() && table == self.party.as_ref().map(|party| party.state.code);
        let left = self.unanswered.iter().any(|message| leave_of(message) == Some(room));
        if left || !(ours || awaited || led) {
            return;
        }
        let Ok(state) = RoomState::from_snapshot(snapshot) else {
            return self.happens("impossible");
        };
        if !ours {
            self.forget_room();
        }
        let kept = self.room.take();
        let (lines, muted, listed) = kept
            .as_ref()
            .map(|view| (view.lines.clone(), view.muted.clone(), view.listed))
            .unwrap_or_default();
        let kept = kept.map(|view| (view.hint, view.evaluation, view.review));
        let (hint, evaluation, review) = kept.unwrap_or_default();
        let move_ends = snapshot.move_ms_left.map(|left| now + u64::from(left));
        let (presence, presence_at) = (snapshot.presence, now);
        self.room = Some(View {
            state,
            presence,
            presence_at,
            move_ends,
            hint,
            evaluation,
            review,
            lines,
            muted,
            listed,
        });
        if awaited {
            (self.entering, self.queue) = (None, None);
        }
        self.happens(if ours && !awaited { "refreshed" } else { "entered" });
    }

    fn event(&mut self, room: RoomCode, v: u64, event: &Event, now: u64) {
        let Some(view) = self.room.as_mut().filter(|view| view.state.code == room) else { return };
        if v <= view.state.v {
            return;
        }
        let seats = view.state.seats.clone();
        if view.state.apply(v, event).is_err() {
            return self.sync(room, now);
        }
        view.presence = view.presence.after(event, &seats);
        if !matches!(event, Event::Seated { .. }) {
            view.move_ends = view.state.move_limit().map(|ms| now + u64::from(ms));
        }
        if view.state.closed {
            self.forget_room();
            return self.happens("closed");
        }
        self.happens("event");
    }

    fn presence(&mut self, presence: Presence, now: u64) {
        let view = self.view();
        let before = std::mem::replace(&mut view.presence, presence);
        view.presence_at = now;
        let kind = |seat: Option<SeatPresence>| match seat {
            None | Some(SeatPresence::Connected) => "here",
            Some(SeatPresence::Away { .. }) => "away",
            Some(SeatPresence::Gone) => "gone",
        };
        let offer = |told: Presence| (told.rematch, told.series);
        let changed = |mark: Mark| kind(before.seats[mark]) != kind(presence.seats[mark]);
        if Mark::BOTH.into_iter().any(changed) || offer(before) != offer(presence) {
            self.happens("presence");
        }
    }

    fn pong(
        &mut self,
        room: Option<RoomCode>,
        v: Option<u64>,
        presence: Option<Presence>,
        now: u64,
    ) {
        if let Some(Entering { id, room: awaited, .. }) = &self.entering {
            let answered = !self.unanswered.iter().any(|message| message.id() == Some(*id));
            if let (Some(room), true) = (room, answered && room == *awaited) {
                self.sync(room, now);
            }
            return;
        }
        let Some(View { state, .. }) = &self.room else { return };
        if room != Some(state.code) {
            self.go_back(now);
        } else if v != Some(state.v) {
            self.sync(state.code, now);
        } else if let Some(presence) = presence {
            self.presence(presence, now);
        }
    }
}
