//! The party that the player follows, beside the room.

use super::*;
use noughts_protocol::party::versions;
use noughts_protocol::{PartyCode, PartyEvent, PartyPresence, PartySnapshot, PlayerId, TableBoard};

/// A party that was asked for, until its snapshot comes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Following {
    /// The intent that leads to it.
    id: IntentId,
    /// The party; `None` until the server has made it.
    pub(super) party: Option<PartyCode>,
    role: PartyRole,
}

/// Whether a message is about parties.
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

impl Session {
    /// The party that the player follows.
    #[must_use]
    pub const fn party(&self) -> Option<&PartyView> {
        self.party.as_ref()
    }

    /// The player who leads the party whose table the room is.
    #[must_use]
    pub fn host_here(&self) -> Option<PlayerId> {
        self.party().filter(|_| self.is_at_table())?.state.leading_player()
    }

    /// Whether the room is a table of the party that the player follows.
    #[must_use]
    pub fn is_at_table(&self) -> bool {
        let table = self.room().and_then(|view| view.state.settings.party);
        table.is_some_and(|table| self.party_code() == Some(table.party))
    }

    /// Whether a party was asked for whose snapshot has not come.
    #[must_use]
    pub const fn awaits_party(&self) -> bool {
        self.following.is_some()
    }

    // The player's intents.

    /// Takes a place with this pass in the party that comes next.
    pub fn take_place(&mut self, pass: Option<PassCode>) {
        self.place = pass;
    }

    /// The change that an intent for the lobby makes before its answer.
    pub(super) fn follow(&mut self, intent: &LobbyIntent, id: IntentId) {
        let (party, role) = match *intent {
            LobbyIntent::CreateParty { plays: true, .. } => (None, PartyRole::Player),
            LobbyIntent::CreateParty { plays: false, .. } => (None, PartyRole::Spectator),
            LobbyIntent::JoinParty { party, role } => (Some(party), role),
            _ => return,
        };
        self.following = Some(Following { id, party, role });
    }

    pub(super) fn asked_of_party(&mut self, intent: PartyIntent) {
        match self.check_party(&intent) {
            Ok(party) => {
                if intent == PartyIntent::LeaveParty {
                    self.forget_party();
                }
                self.ask_party(party, intent);
            }
            Err(why) => self.happened(Happening::Blocked(why)),
        }
    }

    /// Checks an intent for the party as far as this side knows. Returns the party.
    fn check_party(&self, intent: &PartyIntent) -> Result<PartyCode, IntentError> {
        let view = self.party.as_ref().ok_or(IntentError::NotNow("you are in no party"))?;
        let (possible, otherwise) = match intent {
            PartyIntent::Ready { pairing } => (
                view.my_pairing().is_some_and(|mine| mine.number == *pairing),
                "you have no such game to play now",
            ),
            PartyIntent::Withdraw => {
                (view.me().is_some_and(|me| !me.left), "you do not play in this party")
            }
            PartyIntent::StartParty
            | PartyIntent::PauseParty { .. }
            | PartyIntent::AddTime { .. }
            | PartyIntent::Skip { .. }
            | PartyIntent::Remove { .. }
            | PartyIntent::Rename { .. }
            | PartyIntent::PlacePass { .. }
            | PartyIntent::Decide { .. }
            | PartyIntent::EndParty
            | PartyIntent::Again { .. } => {
                (view.is_host(), "only the host of the party can do this")
            }
            PartyIntent::LeaveParty | PartyIntent::SyncParty | PartyIntent::TakePlace { .. } => {
                (true, "")
            }
        };
        if possible { Ok(view.state.code) } else { Err(IntentError::NotNow(otherwise)) }
    }

    fn ask_party(&mut self, party: PartyCode, intent: PartyIntent) -> IntentId {
        let id = self.take_id();
        self.ask(ClientMessage::Party { intent, id, party });
        id
    }

    fn forget_party(&mut self) {
        self.drop_unanswered(Self::is_party_resync);
        (self.party, self.following) = (None, None);
    }

    // The server's answers.

    pub(super) fn party_applied(&mut self, message: &ClientMessage, party: Option<PartyCode>) {
        let id = message.id();
        if let Some(following) = self.following.as_mut().filter(|asked| Some(asked.id) == id) {
            following.party = party.or(following.party);
        } else if let ClientMessage::Party { intent: PartyIntent::Ready { .. }, party, .. } =
            message
            && let Some(view) = self.party_of(*party)
        {
            view.am_ready();
        }
    }

    /// Takes a refusal into account. Returns whether nothing else is to be told of it.
    pub(super) fn party_refused(&mut self, message: &ClientMessage, refusal: &Refusal) -> bool {
        if self.following.take_if(|following| Some(following.id) == message.id()).is_some() {
            self.place = None;
            return false;
        }
        if self.is_party_return(message) {
            if matches!(refusal.code, RefusalCode::NotStored | RefusalCode::Stopping) {
                // The next pong shows again that this side does not follow it.
                self.happened(Happening::Unreadable(refusal.clone()));
            } else if let Some(party) = self.party_code() {
                self.forget_party();
                self.happened(Happening::PartyLost(party, refusal.clone()));
            }
            return true;
        }
        let ClientMessage::Party { intent, .. } = message else { return false };
        if *intent == PartyIntent::SyncParty && refusal.code == RefusalCode::NotInParty {
            self.return_to_party();
        }
        matches!(intent, PartyIntent::SyncParty | PartyIntent::LeaveParty)
    }

    // The server's messages.

    pub(super) fn party_snapshot(&mut self, snapshot: PartySnapshot, now: Instant) {
        let code = snapshot.state.code;
        let here = self.party_code() == Some(code);
        let awaited = self.following.filter(|asked| asked.party.map_or(!here, |one| one == code));
        let old = self.party.as_ref().filter(|_| here).map(|view| view.role);
        let Some(role) = awaited.map(|asked| asked.role).or(old) else { return };
        let Ok(mut view) = PartyView::new(snapshot, role, self.player, now) else {
            return self.happened(Happening::Impossible);
        };
        if let Some(before) = self.party.take().filter(|_| here) {
            view.boards = before.boards;
            view.drop_boards();
        }
        self.party = Some(view);
        if awaited.is_some() {
            self.following = None;
        }
        self.happened(Happening::Party);
        if let Some(pass) = self.place.take() {
            self.ask_party(code, PartyIntent::TakePlace { pass });
        }
    }

    pub(super) fn party_events(&mut self, party: PartyCode, v: u64, events: Vec<PartyEvent>) {
        // Facts that a snapshot overtook need no repair.
        if self.party_of(party).is_none_or(|view| v <= view.state.v) {
            return;
        }
        for (v, event) in versions(v, &events).zip(events) {
            let Some(view) = self.party_of(party) else { return };
            let me = view.me().map(|me| me.number);
            if view.apply(v, &event).is_err() {
                return self.sync_party(party);
            }
            if matches!(event, PartyEvent::Left { entrant, removed: true, .. } if me == Some(entrant))
            {
                // The server refuses it, and says why.
                self.return_to_party();
                continue;
            }
            self.happened(Happening::PartyEvent(event));
        }
    }

    pub(super) fn party_presence(
        &mut self,
        party: PartyCode,
        presence: PartyPresence,
        now: Instant,
    ) {
        let Some(view) = self.party_of(party) else { return };
        view.take_presence(presence, now);
        self.happened(Happening::PartyPresence);
    }

    pub(super) fn boards(&mut self, party: PartyCode, boards: Vec<TableBoard>) {
        let Some(view) = self.party_of(party) else { return };
        view.boards.extend(boards.into_iter().map(|board| (board.pairing, board)));
        view.drop_boards();
        self.happened(Happening::Boards);
    }

    /// Compares the server's version of the party with ours.
    pub(super) fn party_pong(&mut self, v: Option<u64>) {
        if let Some(Following { id, party, .. }) = self.following {
            if let Some(party) = party
                && v.is_some()
                && !self.is_unanswered(id)
            {
                self.sync_party(party);
            }
            return;
        }
        match (&self.party, v) {
            (Some(_), None) => self.return_to_party(),
            (Some(view), Some(v)) if v != view.state.v => self.sync_party(view.state.code),
            _ => {}
        }
    }

    // The session's own messages.

    /// Sends what a break has cut off. `unanswered` are the messages about parties.
    pub(super) fn resume_party(&mut self, unanswered: &[ClientMessage]) {
        let rest = self.leave_again(unanswered);
        self.return_to_party();
        rest.iter().for_each(|message| self.send(message.clone()));
        if let Some(Following { id, party: Some(party), role }) = self.following
            && !self.is_unanswered(id)
        {
            let id = self.ask_lobby(LobbyIntent::JoinParty { party, role });
            self.following = Some(Following { id, party: Some(party), role });
        }
    }

    /// Follows the party again, unless its snapshot is awaited already. A player who has left comes
    /// back by asking only, not by a break.
    fn return_to_party(&mut self) {
        let asked = self.party.as_ref().map(|view| {
            let has_left = view.me().is_some_and(|me| me.left) && view.role == PartyRole::Player;
            (view.state.code, if has_left { PartyRole::Spectator } else { view.role })
        });
        if let Some((party, role)) = asked
            && self.phase == Phase::Open
            && !self.awaits(Self::is_party_resync)
        {
            self.ask_lobby(LobbyIntent::JoinParty { party, role });
        }
    }

    fn sync_party(&mut self, party: PartyCode) {
        if !self.awaits(Self::is_party_resync) {
            self.ask_party(party, PartyIntent::SyncParty);
        }
    }

    /// Whether a message asks for the snapshot of the party that the player follows.
    pub(super) fn is_party_resync(&self, message: &ClientMessage) -> bool {
        matches!(message, ClientMessage::Party { intent: PartyIntent::SyncParty, .. })
            || self.is_party_return(message)
    }

    fn is_party_return(&self, message: &ClientMessage) -> bool {
        let asked = self.following.map(|following| following.id);
        match message {
            ClientMessage::Lobby { intent: LobbyIntent::JoinParty { party, .. }, id } => {
                self.party_code() == Some(*party) && asked != Some(*id)
            }
            _ => false,
        }
    }

    fn party_code(&self) -> Option<PartyCode> {
        self.party.as_ref().map(|view| view.state.code)
    }

    /// The party that the player follows, if it is this one.
    pub(super) fn party_of(&mut self, code: PartyCode) -> Option<&mut PartyView> {
        self.party.as_mut().filter(|view| view.state.code == code)
    }
}
