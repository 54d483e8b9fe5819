//! A connection's room and party at other nodes of the cluster; and at the owner's end of a pipe, what the client's
//! node asks.
//!
//! A connection is in one room at most, and follows one party at most, here or at another node. A session at the
//! end of a pipe goes to no third node: if its room has moved on meanwhile, the client is closed, comes back and
//! finds the room anew. So no message goes round.

use noughts_cluster::Peer;
use noughts_protocol::{
    ClientMessage, CloseCode, IntentId, PartyCode, Refusal, RoomCode, ServerMessage,
};
use tokio::time::Instant;

use super::Session;
use crate::lobby::matchmaker::{MatchTicket, QuickSettings};
use crate::lobby::{QuickMatch, Requester};
use crate::pipe::{Door, NoAnswer, RemotePlace, Request, Told, text};

/// Where a connection has its room or its party, with this code.
#[derive(Debug)]
pub(super) enum Located<Here> {
    Here(RoomCode, Here),
    There(RemotePlace),
}

impl<Here> Located<Here> {
    /// Whether this is the room or the party with a code.
    pub(super) fn is(&self, code: RoomCode) -> bool {
        self.code() == Some(code)
    }

    /// Its code; `None` until the other node has told it.
    pub(super) const fn code(&self) -> Option<RoomCode> {
        match self {
            Self::Here(here, _) => Some(*here),
            Self::There(place) => place.code(),
        }
    }

    /// The place at another node.
    pub(super) const fn there(&self) -> Option<&RemotePlace> {
        match self {
            Self::Here(..) => None,
            Self::There(place) => Some(place),
        }
    }
}

impl Session {
    /// Goes to another node. Returns false if nothing was done there: it cannot be reached, or nobody waits there
    /// for this quick match.
    pub(super) async fn go(&mut self, peer: &Peer, door: Door) -> bool {
        let Some(cluster) = self.shared.lease.cluster().filter(|_| !self.outbox.is_piped()) else {
            self.outbox.close(CloseCode::Restart);
            return true;
        };
        match self.shared.enter_at(peer, self.client(), self.address, door).await {
            Ok((Told::InRoom(_), place)) => {
                self.membership = Some(Located::There(place));
                self.end_wait();
            }
            Ok((Told::InParty(_), place)) => self.party = Some(Located::There(place)),
            Ok((Told::NobodyWaits, _)) => return false,
            Ok(_) => {}
            Err(NoAnswer::Unreachable) => {
                cluster.suspect(peer.id);
                return false;
            }
            Err(NoAnswer::Broken) => self.outbox.close(CloseCode::Restart),
        }
        true
    }

    /// Looks for somebody at another node who waits for the same game. Returns what is left to do here.
    pub(super) async fn match_elsewhere(
        &mut self,
        ticket: MatchTicket,
    ) -> Result<Option<QuickMatch>, Refusal> {
        let Some(peer) = self.shared.lobby.listing.waits_elsewhere(ticket.wanted) else {
            return Ok(Some(QuickMatch::Wait(ticket)));
        };
        let wanted = ticket.wanted;
        let requester = ticket.requester.clone();
        drop(ticket);
        if self.match_at(&peer, &requester, wanted, false).await {
            return Ok(None);
        }
        self.shared.lobby.quick_match(&requester, wanted).map(Some)
    }

    /// Pairs the player with somebody who waits at another node. Returns false if nobody does.
    pub(super) async fn match_at(
        &mut self,
        peer: &Peer,
        requester: &Requester,
        wanted: QuickSettings,
        is_answered: bool,
    ) -> bool {
        let QuickSettings { board, variant, move_time_ms } = wanted;
        let door = Door::Match { id: requester.id, board, variant, move_time_ms, is_answered };
        self.go(peer, door).await
    }

    /// Enters the room into which a party leads the player, whichever node they reached.
    pub(super) async fn led(&mut self, room: RoomCode) {
        if self.outbox.is_piped() {
            return self.outbox.tell_node(text(&Told::Led(room)));
        }
        if self.membership.as_ref().is_some_and(|membership| membership.is(room)) {
            return;
        }
        match self.party.as_ref().and_then(Located::there).map(|party| party.peer().clone()) {
            Some(peer) => drop(self.go(&peer, Door::Led(room)).await),
            None => self.enter_led(room).await,
        }
    }

    /// Does what is told of the party's place at another node.
    pub(super) async fn told(&mut self, told: Told) {
        match told {
            Told::Led(room) => self.led(room).await,
            Told::PartyVersion(id, version) => self.ping_room(id, version).await,
            _ => {}
        }
    }

    /// Answers a ping: the room may be at one node, and the party at another.
    pub(super) async fn ping(&self, id: IntentId) {
        match self.party.as_ref().and_then(Located::there) {
            Some(party) => party.ask(&Request::PartyVersion(id)),
            None => self.ping_room(id, self.party_version()).await,
        }
    }

    async fn ping_room(&self, id: IntentId, party_v: Option<u64>) {
        let is_sent = match &self.membership {
            Some(Located::Here(_, membership)) => membership.ping(id, party_v).await.is_ok(),
            Some(Located::There(place)) => return place.ask(&Request::Ping { id, party_v }),
            None => false,
        };
        if !is_sent {
            let pong = ServerMessage::Pong { id, room: None, v: None, party_v, presence: None };
            self.outbox.send(&pong);
        }
    }

    // The owner's end.

    /// Lets the client of another node in.
    pub(crate) async fn come_in(&mut self, door: Door) -> Told {
        match door {
            Door::Message(text) => self.message_of_node(&text).await,
            Door::Led(room) => self.enter_led(room).await,
            Door::Match { id, board, variant, move_time_ms, is_answered } => {
                let wanted = QuickSettings { board, variant, move_time_ms };
                let quick = self.shared.lobby.quick_match(&self.requester(id), wanted);
                // If nobody waits any more, the player waits at their own node.
                let Ok(QuickMatch::Room(room)) = quick else { return Told::NobodyWaits };
                self.enter(room, (!is_answered).then_some(id)).await;
            }
            Door::Forget(code) => {
                let asker = self.outbox.connection();
                if self.shared.forget_here(code, self.player, asker).await {
                    return Told::Forgotten;
                }
            }
            Door::Redeem(pass) => {
                if let Some((player, name)) = self.shared.redeem_here(&pass) {
                    return Told::Redeemed(player, name);
                }
            }
            Door::Here(mut players) => {
                players.retain(|player| self.shared.visitors.is_here(*player));
                return Told::Here(players);
            }
            Door::Challenge { other, room, settings } => {
                self.tell_challenged(other, room, settings);
            }
            Door::Decline(other) => drop(self.decline_here(other)),
            Door::EndWait => self.shared.lobby.matchmaker.end_waits(|one| one == self.player),
        }
        match (&self.membership, &self.party) {
            (Some(Located::Here(room, _)), _) => Told::InRoom(*room),
            (_, Some(Located::Here(party, _))) => Told::InParty(PartyCode(*party)),
            _ => Told::Refused,
        }
    }

    /// Does what the client's node asks.
    pub(crate) async fn answer_node(&mut self, request: Request) {
        match request {
            Request::Message(text) => self.message_of_node(&text).await,
            Request::Ping { id, party_v } => self.ping_room(id, party_v).await,
            Request::PartyVersion(id) => {
                let told = Told::PartyVersion(id, self.party_version());
                self.outbox.tell_node(text(&told));
            }
            Request::Enter { .. } | Request::Leave => {}
        }
    }

    async fn message_of_node(&mut self, text: &str) {
        match ClientMessage::from_json(text) {
            Ok(message) => self.handle(message, Instant::now()).await,
            Err(error) => tracing::error!(%error, "another node has passed on what is no message"),
        }
    }
}
