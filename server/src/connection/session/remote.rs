//! A connection's rooms and parties at other nodes of the cluster, by its [`Pipe`]s; and at the other end of a
//! pipe, what the node that passes the connection on asks and is told.
//!
//! A connection is in one room at most, and follows one party at most, here or at another node. Where it came to
//! last is where it is. A session at the end of a pipe opens no pipe: a room that has moved on meanwhile closes it,
//! and the client comes back and finds the room anew. So no message goes round.

use std::time::Duration;

use noughts_cluster::Peer;
use noughts_protocol::{
    ClientMessage, CloseCode, IntentId, LobbyIntent, PartyCode, Refusal, RoomCode, ServerMessage,
};
use tokio::time::Instant;

use super::Session;
use crate::connection::pipe::{Pipe, PipeRequest, PipeTold, Piped, Places, text};
use crate::identity::ticket::Ticket;
use crate::lobby::matchmaker::{MatchTicket, QuickSettings};
use crate::lobby::{QuickMatch, Requester};
use crate::outbox::Frame;

/// Pipes of a connection: to the nodes of its room and its party, and to those where it was before.
const MAX_PIPES: usize = 4;

/// A pipe is closed when the client has been nowhere there for this long: until then answers may come.
const IDLE: Duration = Duration::from_secs(10);

/// How often the pipes are looked at.
const CHECK_EVERY: Duration = Duration::from_secs(1);

/// A node that was dead at so many looks in a row closes its pipes. One look may be wrong.
const DEAD_LOOKS: u8 = 2;

/// Why another node has not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoAnswer {
    /// It was not asked.
    Unreachable,
    /// Nobody knows what it has done. The connection is about to close, and its client asks again.
    Broken,
}

impl Session {
    /// Whether another node passes this connection on.
    pub(crate) const fn is_piped(&self) -> bool {
        self.told.is_some()
    }

    /// Where the client is at this node.
    pub(super) fn places(&self) -> Places {
        let room = self.membership.as_ref().map(|membership| membership.code());
        let party = self.party.as_ref().map(|membership| membership.code());
        Places { room, party }
    }

    /// Passes on a message that leads to another node. Returns false if that cannot be reached.
    pub(super) async fn pass_on(&mut self, peer: &Peer, intent: LobbyIntent, id: IntentId) -> bool {
        if self.is_piped() {
            self.outbox.close(CloseCode::Restart);
            return true;
        }
        let message = text(&ClientMessage::Lobby { intent, id });
        self.ask(peer, PipeRequest::Message(message)).await != Err(NoAnswer::Unreachable)
    }

    /// Looks for somebody at another node who waits for the same game. Returns what is left to do here.
    pub(super) async fn match_elsewhere(
        &mut self,
        ticket: MatchTicket,
    ) -> Result<Option<QuickMatch>, Refusal> {
        let Some(peer) = self.shared.lobby.waits_elsewhere(ticket.wanted) else {
            return Ok(Some(QuickMatch::Wait(ticket)));
        };
        let wanted = ticket.wanted;
        let requester = ticket.requester.clone();
        drop(ticket);
        if self.match_at(&peer, &requester, wanted, false).await {
            return Ok(None);
        }
        self.shared.lobby.quick_match(&requester, wanted.board, wanted.move_time_ms).map(Some)
    }

    /// Pairs the player with somebody who waits at another node. Returns false if nobody does.
    pub(super) async fn match_at(
        &mut self,
        peer: &Peer,
        requester: &Requester,
        wanted: QuickSettings,
        is_answered: bool,
    ) -> bool {
        let QuickSettings { board, move_time_ms } = wanted;
        let request = PipeRequest::Match { id: requester.id, board, move_time_ms, is_answered };
        match self.ask(peer, request).await {
            Ok(told) => told.done == Some(true),
            Err(why) => why == NoAnswer::Broken,
        }
    }

    /// The pipe for an intent for this room. If nothing here knows the room, the party may have led the client
    /// there.
    pub(super) fn pipe_of_room(&self, room: RoomCode) -> Option<usize> {
        let here = self.pipes.iter().position(|pipe| pipe.places.room == Some(room));
        here.or_else(|| self.pipes.iter().position(|pipe| pipe.places.party.is_some()))
    }

    /// The pipe for an intent for this party.
    pub(super) fn pipe_of_party(&self, party: PartyCode) -> Option<usize> {
        self.pipes.iter().position(|pipe| pipe.places.party == Some(party))
    }

    /// Passes on a message of the client.
    pub(super) async fn forward(&mut self, pipe: usize, message: &ClientMessage) {
        if let Err(code) = self.pipes[pipe].forward(message).await {
            self.outbox.close(code);
        }
    }

    /// Answers a ping: the room may be at one node, and the party at another.
    pub(super) async fn ping(&mut self, id: IntentId) {
        let ping = ClientMessage::Lobby { intent: LobbyIntent::Ping, id };
        let room = self.pipes.iter().find(|pipe| pipe.places.room.is_some());
        let room = room.map(|pipe| pipe.peer.clone());
        let party = self.pipes.iter().position(|pipe| pipe.places.party.is_some());
        let is_one =
            room.is_none() || party.is_some_and(|at| Some(&self.pipes[at].peer) == room.as_ref());
        if let Some(at) = party.filter(|_| is_one && self.membership.is_none()) {
            return self.forward(at, &ping).await;
        }
        let party_v = self.party_v().await;
        match room {
            Some(peer) => drop(self.ask(&peer, PipeRequest::Ping { id, party_v }).await),
            None => self.ping_here(id, party_v).await,
        }
    }

    async fn ping_here(&self, id: IntentId, party_v: Option<u64>) {
        let sent = match &self.membership {
            Some(membership) => membership.ping(id, party_v).await.is_ok(),
            None => false,
        };
        if !sent {
            let pong = ServerMessage::Pong { id, room: None, v: None, party_v, presence: None };
            self.outbox.send(&pong);
        }
    }

    /// The version of the party that the connection follows.
    async fn party_v(&mut self) -> Option<u64> {
        let at = self.pipes.iter().find(|pipe| pipe.places.party.is_some());
        match at.map(|pipe| pipe.peer.clone()) {
            Some(peer) => self.ask(&peer, PipeRequest::State).await.ok()?.party_v,
            None => self.party_v_here(),
        }
    }

    /// Asks another node, and goes where it says that the client is.
    async fn ask(&mut self, peer: &Peer, request: PipeRequest) -> Result<PipeTold, NoAnswer> {
        let at = self.pipe_to(peer).await.ok_or(NoAnswer::Unreachable)?;
        match self.pipes[at].ask(&request, &self.outbox).await {
            Ok(told) => {
                self.note_told(at, told.places).await;
                Ok(told)
            }
            Err(code) => {
                self.outbox.close(code);
                Err(NoAnswer::Broken)
            }
        }
    }

    /// The pipe to a node, which is opened if there is none. `None` if the node cannot be reached.
    async fn pipe_to(&mut self, peer: &Peer) -> Option<usize> {
        if let Some(at) = self.pipes.iter().position(|pipe| pipe.peer.id == peer.id) {
            return Some(at);
        }
        let cluster = self.shared.tenancy.cluster()?;
        let ticket = Ticket {
            player: self.player,
            name: self.name.clone(),
            address: self.address,
            to: peer.id,
            at: self.shared.unix_seconds(),
        };
        let pipe = match Pipe::open(&self.shared, peer, &ticket).await {
            Ok(pipe) => pipe,
            Err(error) => {
                tracing::info!(node = %peer.address, "no way to another node: {error:#}");
                cluster.suspect(peer.id);
                return None;
            }
        };
        if self.pipes.is_empty() {
            self.check_at = Instant::now() + CHECK_EVERY;
        }
        if self.pipes.len() == MAX_PIPES
            && let Some(idle) = self.pipes.iter().position(|pipe| pipe.idle_since.is_some())
        {
            self.pipes.remove(idle);
        }
        self.pipes.push(pipe);
        Some(self.pipes.len() - 1)
    }

    /// Does what has come out of a pipe.
    pub(super) async fn heard(&mut self, at: usize, piped: Piped) {
        match piped {
            Piped::Frame(frame) => self.outbox.push(frame),
            Piped::Told(told) => self.note_told(at, told.places).await,
            Piped::Closed(code) => {
                let pipe = self.pipes.remove(at);
                if pipe.idle_since.is_none() {
                    self.outbox.close(code);
                }
            }
        }
    }

    /// Notes where the client is at the end of a pipe. Where it has come to is where it is.
    async fn note_told(&mut self, at: usize, places: Places) {
        let before = self.pipes[at].places;
        self.pipes[at].set_places(places);
        let room = places.room.is_some() && places.room != before.room;
        let party = places.party.is_some() && places.party != before.party;
        if room {
            self.membership = None;
            self.waiting = None;
        }
        if party {
            self.party = None;
        }
        self.leave_others(Some(at), room, party).await;
    }

    /// After something was done here that began when the client was there: where it has come to is where it is,
    /// and the node that passes the connection on is told.
    pub(super) async fn settle(&mut self, before: Places) {
        let now = self.places();
        if self.told.is_some() {
            if self.told != Some(now) {
                self.tell_node(None);
            }
            return;
        }
        let room = now.room.is_some() && now.room != before.room;
        let party = now.party.is_some() && now.party != before.party;
        self.leave_others(None, room, party).await;
    }

    /// Leaves the room, or the party, at the ends of all pipes but one.
    async fn leave_others(&mut self, here: Option<usize>, room: bool, party: bool) {
        if !room && !party {
            return;
        }
        for (at, pipe) in self.pipes.iter_mut().enumerate() {
            let room = room && pipe.places.room.is_some();
            let party = party && pipe.places.party.is_some();
            if Some(at) == here || !(room || party) {
                continue;
            }
            match pipe.ask(&PipeRequest::Leave { room, party }, &self.outbox).await {
                Ok(told) => pipe.set_places(told.places),
                Err(code) => self.outbox.close(code),
            }
        }
    }

    /// Closes pipes that lead nowhere, and the connection if one leads to a dead node.
    pub(super) fn check_pipes(&mut self) {
        self.check_at = Instant::now() + CHECK_EVERY;
        let Some(cluster) = self.shared.tenancy.cluster() else { return };
        let live = cluster.peers();
        self.pipes.retain_mut(|pipe| {
            let lives = live.iter().any(|peer| peer.id == pipe.peer.id);
            pipe.missed = if lives { 0 } else { pipe.missed + 1 };
            let is_dead = pipe.missed >= DEAD_LOOKS;
            if is_dead && pipe.idle_since.is_none() {
                self.outbox.close(CloseCode::Restart);
            }
            !is_dead && pipe.idle_since.is_none_or(|since| since.elapsed() < IDLE)
        });
    }

    // The other end.

    /// Answers the node that passes the connection on.
    pub(crate) async fn answer_node(&mut self, request: PipeRequest, read_at: Instant) {
        let done = match request {
            PipeRequest::Message(text) => match ClientMessage::from_json(&text) {
                Ok(message) => {
                    self.handle(message, read_at).await;
                    true
                }
                Err(_) => false,
            },
            PipeRequest::Leave { room, party } => {
                self.membership.take_if(|_| room);
                self.party.take_if(|_| party);
                true
            }
            PipeRequest::Match { id, board, move_time_ms, is_answered } => {
                let requester = self.requester(id);
                match self.shared.lobby.quick_match(&requester, board, move_time_ms) {
                    Ok(QuickMatch::Room(room)) => {
                        self.enter(room, (!is_answered).then_some(id)).await;
                        true
                    }
                    // Nobody waits any more: the player waits at the node that asks.
                    Ok(QuickMatch::Wait(_)) | Err(_) => false,
                }
            }
            PipeRequest::Ping { id, party_v } => {
                self.ping_here(id, party_v).await;
                true
            }
            PipeRequest::State => true,
        };
        self.tell_node(Some(done));
    }

    /// Tells the node that passes the connection on where the client is here.
    fn tell_node(&mut self, done: Option<bool>) {
        let places = self.places();
        self.told = Some(places);
        let told = PipeTold { places, party_v: self.party_v_here(), done };
        self.outbox.push(Frame::between_nodes(text(&told)));
    }
}
