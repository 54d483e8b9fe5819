//! The meaning of the server's answers.

use super::*;
use noughts_protocol::{DisplayText, Found, PartyCode, Refusal};

impl Session {
    pub(super) fn is_unanswered(&self, id: IntentId) -> bool {
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
                // Another match may have been asked for since.
                let unanswered = &self.unanswered;
                self.queue.take_if(|queue| !unanswered.contains(queue));
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
            && QuestionKind::of(intent).is_some()
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
            ClientMessage::Room { intent: RoomIntent::Leave, .. } => return,
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
        if let Some(kind) = self.questions.answer(id, answer) {
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
}
