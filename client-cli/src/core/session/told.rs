//! Messages that the server sends without being asked, and after its answers.

use super::*;
use noughts_protocol::{Event, Presence, Snapshot};

impl Session {
    pub(super) fn told(&mut self, message: ServerMessage, now: Instant) {
        match message {
            ServerMessage::Ok { id, room, party } => self.applied(id, room, party, now),
            ServerMessage::Refused { id, code, message } => self.refused(id, code, message, now),
            ServerMessage::Snapshot(snapshot) => self.snapshot(&snapshot, now),
            ServerMessage::Event { room, v, event } => self.event(room, v, event, now),
            ServerMessage::Presence { room, presence } => self.presence(room, presence, now),
            ServerMessage::Pong { room, v, party_v, presence, .. } => {
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
            // A terminal never asks for a pass, and one welcome is enough.
            ServerMessage::Lobby { .. }
            | ServerMessage::Welcome { .. }
            | ServerMessage::Pass { .. } => {}
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
            (self.entering, self.queue) = (None, None);
        }
        let refreshed = current && !awaited;
        self.happened(if refreshed { Happening::Refreshed } else { Happening::Entered });
    }

    fn event(&mut self, code: RoomCode, v: u64, event: Event, now: Instant) {
        // An event that a snapshot overtook needs no repair.
        let Some(view) = self.view_of(code).filter(|view| v > view.state.v) else { return };
        let Ok(before) = view.apply(v, &event, now) else { return self.sync() };
        if let Event::Closed { reason } = event {
            self.forget_room();
            return self.happened(Happening::Closed(reason));
        }
        self.happened(Happening::Event { event, before });
    }

    /// Takes over what passes in the room.
    fn presence(&mut self, code: RoomCode, presence: Presence, now: Instant) {
        let Some(view) = self.view_of(code) else { return };
        let changes = view.take_presence(presence, now);
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
}
