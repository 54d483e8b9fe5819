//! The party that the player follows, beside the room.

use noughts_protocol::party::versions;
use noughts_protocol::{
    Entrant, Pairing, PartyCode, PartyEvent, PartyFormat, PartyIntent, PartyPhase, PartyPresence,
    PartyRole, PartySnapshot, PartyState, TableBoard,
};

use super::*;

#[derive(Debug)]
pub(in crate::wire::stories) struct Followed {
    pub(in crate::wire::stories) state: PartyState,
    role: PartyRole,
    presence: PartyPresence,
    presence_at: u64,
    boards: BTreeMap<u32, TableBoard>,
}

/// A party whose snapshot has not come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Following {
    id: IntentId,
    party: Option<PartyCode>,
    role: PartyRole,
}

pub(super) const fn is_about_parties(message: &ClientMessage) -> bool {
    matches!(
        message,
        ClientMessage::Party { .. }
            | ClientMessage::Lobby {
                intent: LobbyIntent::CreateParty { .. } | LobbyIntent::JoinParty { .. },
                ..
            }
    )
}

fn join(party: PartyCode, role: PartyRole, id: IntentId) -> ClientMessage {
    ClientMessage::Lobby { intent: LobbyIntent::JoinParty { party, role }, id }
}

impl Client {
    fn party_code(&self) -> Option<PartyCode> {
        self.party.as_ref().map(|party| party.state.code)
    }

    fn me(&self) -> Option<&Entrant> {
        self.party.as_ref()?.state.entrant_of(self.player?)
    }

    fn is_party_return(&self, message: &ClientMessage) -> bool {
        let ClientMessage::Lobby { intent: LobbyIntent::JoinParty { party, .. }, id } = message
        else {
            return false;
        };
        self.party_code() == Some(*party) && self.following.is_none_or(|asked| asked.id != *id)
    }

    pub(super) fn is_party_repair(&self, message: &ClientMessage) -> bool {
        let syncs = matches!(message, ClientMessage::Party { intent: PartyIntent::SyncParty, .. });
        syncs || self.is_party_return(message)
    }

    // The player's intents.

    pub(super) fn allows_in_party(&self, intent: &PartyIntent, party: PartyCode) -> bool {
        let Some(Followed { state, .. }) = &self.party else { return false };
        let is_host = self.player == Some(state.host);
        let me = self.me();
        let may = match intent {
            PartyIntent::Ready { pairing } => me.is_some_and(|me| {
                state.open_pairing_of(me.number).is_some_and(|mine| mine.number == *pairing)
            }),
            PartyIntent::Withdraw => me.is_some_and(|me| !me.left),
            PartyIntent::LeaveParty | PartyIntent::SyncParty => true,
            _ => is_host,
        };
        may && state.code == party
    }

    pub(super) fn party_asked(&mut self, intent: &LobbyIntent, id: IntentId) {
        let (party, role) = match *intent {
            LobbyIntent::CreateParty { plays: true, .. } => (None, PartyRole::Player),
            LobbyIntent::CreateParty { .. } => (None, PartyRole::Spectator),
            LobbyIntent::JoinParty { party, role } => (Some(party), role),
            _ => return,
        };
        self.following = Some(Following { id, party, role });
    }

    pub(super) fn forget_party(&mut self) {
        let unanswered = std::mem::take(&mut self.unanswered);
        let kept = unanswered.into_iter().filter(|message| !self.is_party_repair(message));
        self.unanswered = kept.collect();
        (self.party, self.following) = (None, None);
    }

    // The server's messages.

    pub(super) fn party_applied(&mut self, message: &ClientMessage, party: Option<PartyCode>) {
        if let Some(asked) = &mut self.following
            && Some(asked.id) == message.id()
        {
            asked.party = party.or(asked.party);
            return;
        }
        let (me, here) = (self.me().map(|me| me.number), self.party_code());
        if let ClientMessage::Party { intent: PartyIntent::Ready { .. }, party, .. } = message
            && let (Some(me), true, Some(view)) = (me, here == Some(*party), &mut self.party)
        {
            view.presence.ready.retain(|one| *one != me);
            view.presence.ready.push(me);
        }
    }

    /// Returns whether the refusal is dealt with.
    pub(super) fn party_refused(
        &mut self,
        message: &ClientMessage,
        code: RefusalCode,
        now: u64,
    ) -> bool {
        if self.following.take_if(|asked| Some(asked.id) == message.id()).is_some() {
            return false;
        }
        if self.is_party_return(message) {
            if code == RefusalCode::NotStored {
                self.happens("unreadable");
            } else {
                self.forget_party();
                self.happens("party_lost");
            }
            return true;
        }
        let ClientMessage::Party { intent, .. } = message else { return false };
        if *intent == PartyIntent::SyncParty && code == RefusalCode::NotInParty {
            self.go_back_to_party(now);
        }
        matches!(intent, PartyIntent::SyncParty | PartyIntent::LeaveParty)
    }

    pub(super) fn party_told(&mut self, message: ServerMessage, now: u64) {
        match message {
            ServerMessage::Party(snapshot) => self.party_snapshot(snapshot, now),
            ServerMessage::PartyEvents { party, v, events } if self.party_code() == Some(party) => {
                self.party_events(v, &events, now);
            }
            ServerMessage::PartyPresence { party, presence } => {
                if let Some(view) = self.party.as_mut().filter(|view| view.state.code == party) {
                    (view.presence, view.presence_at) = (presence, now);
                    self.happens("party_presence");
                }
            }
            ServerMessage::Boards { party, boards } => {
                if let Some(view) = self.party.as_mut().filter(|view| view.state.code == party) {
                    view.boards.extend(boards.into_iter().map(|board| (board.pairing, board)));
                    view.drop_boards();
                    self.happens("boards");
                }
            }
            _ => {}
        }
    }

    fn party_snapshot(&mut self, snapshot: PartySnapshot, now: u64) {
        let ours = self.party_code() == Some(snapshot.party);
        let asked = self.following.filter(|asked| match asked.party {
            Some(party) => party == snapshot.party,
            None => !ours,
        });
        if asked.is_none() && !ours {
            return;
        }
        let presence = snapshot.presence.clone();
        let Ok(state) = PartyState::from_snapshot(snapshot) else {
            return self.happens("impossible");
        };
        let before = self.party.take().filter(|_| ours);
        let role = asked.map(|asked| asked.role).or(before.as_ref().map(|view| view.role));
        let boards = before.map(|view| view.boards).unwrap_or_default();
        let role = role.expect("asked, or of before");
        let mut view = Followed { state, role, presence, presence_at: now, boards };
        view.drop_boards();
        self.party = Some(view);
        if asked.is_some() {
            self.following = None;
        }
        self.happens("party");
    }

    fn party_events(&mut self, v: u64, events: &[PartyEvent], now: u64) {
        if v <= self.party.as_ref().expect("our party").state.v {
            return;
        }
        for (v, event) in versions(v, events).zip(events) {
            if !self.party_event(v, event) {
                let party = self.party_code().expect("our party");
                return self.sync_party(party, now);
            }
        }
    }

    /// Applies the next fact. Returns whether it is the next one.
    fn party_event(&mut self, v: u64, event: &PartyEvent) -> bool {
        let view = self.party.as_mut().expect("our party");
        if view.state.apply(v, event).is_err() {
            return false;
        }
        if let PartyEvent::Paired { .. } = event {
            view.presence.next_ms = None;
        }
        if let PartyEvent::Opened { pairing, .. } | PartyEvent::Decided { pairing, .. } = event {
            let play: Vec<u16> =
                view.state.pairing(*pairing).iter().flat_map(|one| one.entrants()).collect();
            if !play.is_empty() {
                view.presence.checks.retain(|check| check.pairing != *pairing);
            }
            view.presence.ready.retain(|one| !play.contains(one));
        }
        view.drop_boards();
        self.happens("party_event");
        true
    }

    pub(super) fn party_pong(&mut self, v: Option<u64>, now: u64) {
        if let Some(asked) = self.following {
            let answered = !self.unanswered.iter().any(|one| one.id() == Some(asked.id));
            if let (Some(party), true, true) = (asked.party, answered, v.is_some()) {
                self.sync_party(party, now);
            }
        } else if let Some(view) = &self.party {
            let party = view.state.code;
            match v {
                None => self.go_back_to_party(now),
                Some(v) if v != view.state.v => self.sync_party(party, now),
                Some(_) => {}
            }
        }
    }

    // Its own messages.

    fn repairs_party(&self) -> bool {
        self.unanswered.iter().any(|message| self.is_party_repair(message))
    }

    fn sync_party(&mut self, party: PartyCode, now: u64) {
        if !self.repairs_party() {
            let (intent, id) = (PartyIntent::SyncParty, self.fresh());
            self.send_tracked(ClientMessage::Party { intent, id, party }, now);
        }
    }

    fn go_back_to_party(&mut self, now: u64) {
        if self.repairs_party() {
            return;
        }
        if let Some((party, role)) = self.party.as_ref().map(|view| (view.state.code, view.role)) {
            let id = self.fresh();
            self.send_tracked(join(party, role, id), now);
        }
    }

    /// After the room, with the messages about parties that are not answered.
    pub(super) fn resume_party(&mut self, unanswered: &[ClientMessage], now: u64) {
        let mut waiting = Vec::new();
        for message in unanswered {
            waiting.push(message.clone());
            if let ClientMessage::Party { intent: PartyIntent::LeaveParty, party, .. } = message {
                let id = self.fresh();
                self.send(join(*party, PartyRole::Spectator, id));
                self.output.sent.append(&mut waiting);
            }
        }
        self.go_back_to_party(now);
        waiting.into_iter().for_each(|message| self.send(message));
        if let Some(Following { id, party: Some(party), role }) = self.following
            && !unanswered.iter().any(|message| message.id() == Some(id))
        {
            let id = self.fresh();
            self.following = Some(Following { id, party: Some(party), role });
            self.send_tracked(join(party, role, id), now);
        }
    }

    // The display.

    pub(super) fn shown_following(&self) -> String {
        self.following
            .map_or("null".into(), |asked| asked.party.map_or("true".into(), |party| json(&party)))
    }

    pub(super) fn shown_party(&self) -> String {
        let Some(Followed { state, role, .. }) = &self.party else { return "null".into() };
        let places: Vec<_> = state.places.iter().map(|one| [one.place, one.entrant]).collect();
        let is_host = self.player == Some(state.host);
        let fields = [
            ("party", json(&state.code)),
            ("v", json(&state.v)),
            ("role", json(role)),
            ("phase", json(&state.phase)),
            ("paused", json(&state.paused)),
            ("round", json(&state.round)),
            ("me", json(&self.me().map(|me| me.number))),
            ("is_host", json(&is_host)),
            ("entrants", list(state.entrants.iter().map(shown_entrant))),
            ("pairings", list(state.pairings.iter().map(shown_pairing))),
            ("past", json(&state.past)),
            ("queue", json(&state.queue)),
            ("places", json(&places)),
            ("standings", json(&standings(state))),
        ];
        let fields = fields.map(|(name, value)| format!(r#""{name}":{value}"#));
        format!("{{{}}}", fields.join(","))
    }

    pub(super) fn shown_party_presence(&self) -> String {
        let Some(Followed { presence, presence_at, .. }) = &self.party else {
            return "null".into();
        };
        let at = |ms: u32| presence_at + u64::from(ms);
        let checks: Vec<_> =
            presence.checks.iter().map(|one| (one.pairing, at(one.ms_left))).collect();
        let (away, ready, checks) = (json(&presence.away), json(&presence.ready), json(&checks));
        let (next, spectators) = (json(&presence.next_ms.map(at)), presence.spectators);
        format!(
            r#"{{"away":{away},"ready":{ready},"checks":{checks},"next_at":{next},"spectators":{spectators}}}"#
        )
    }

    pub(super) fn shown_boards(&self) -> String {
        let boards = self.party.as_ref().map(|view| {
            let shown = |one: &TableBoard| (one.pairing, one.game, one.moves.len());
            view.boards.values().map(shown).collect::<Vec<_>>()
        });
        json(&boards)
    }
}

impl Followed {
    /// Forgets the boards of earlier rounds.
    fn drop_boards(&mut self) {
        let Self { state, boards, .. } = self;
        boards.retain(|pairing, _| state.pairings.iter().any(|one| one.number == *pairing));
    }
}

fn list(values: impl Iterator<Item = String>) -> String {
    format!("[{}]", values.collect::<Vec<_>>().join(","))
}

fn shown_entrant(one: &Entrant) -> String {
    json(&(one.number, one.left, one.points, one.wins, one.draws, one.losses))
}

/// A pairing without null: 0 for nobody, and an empty text.
fn shown_pairing(one: &Pairing) -> String {
    let outcome = one.outcome.as_ref();
    let winner = outcome.and_then(|outcome| outcome.winner).unwrap_or(0);
    let how = outcome.map_or(r#""""#.into(), |outcome| json(&outcome.how));
    let room = one.room.map_or(String::new(), |room| room.as_str().to_owned());
    let second = one.second.unwrap_or(0);
    let numbers = format!("{},{},{},{second},{}", one.number, one.table, one.first, one.game);
    format!("[{numbers},{},{winner},{how}]", json(&room))
}

/// The numbers by points (in "winner stays on" by wins), then by the last places; after the end by
/// these alone.
fn standings(state: &PartyState) -> Vec<u16> {
    let mut numbers: Vec<u16> = state.entrants.iter().map(|one| one.number).collect();
    numbers.sort_by_key(|number| {
        let entrant = state.entrant(*number).expect("an entrant");
        let stays = state.settings.format == PartyFormat::WinnerStays;
        let score = if stays { entrant.wins } else { entrant.points };
        let score = if state.phase == PartyPhase::Over { 0 } else { score };
        let place = state.places.iter().position(|place| place.entrant == *number);
        (std::cmp::Reverse(score), place.unwrap_or(usize::MAX), *number)
    });
    numbers
}
