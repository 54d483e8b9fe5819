//! The connected players, for the host and for people who know them. `admin` has a host's acts.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use dashmap::DashMap;
use noughts_protocol::{
    CloseCode, PartyCode, PlayerId, PlayerName, Refusal, RefusalCode, RoomCode, ServerMessage,
};
use noughts_store::Ban;
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::actor::Client;
use crate::outbox::{ConnectionId, Outbox};

/// A connection that has said `hello`.
#[derive(Debug)]
pub(crate) struct Visitor {
    pub(crate) player: PlayerId,
    pub(crate) name: PlayerName,
    /// The client's IPv4 address, or the /64 of its IPv6 address.
    pub(crate) address: IpAddr,
    pub(crate) outbox: Outbox,
    pub(crate) since: Instant,
    place: Mutex<Whereabouts>,
}

/// Where a visitor is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Whereabouts {
    pub(crate) room: Option<RoomCode>,
    /// The party that it follows.
    pub(crate) party: Option<PartyCode>,
}

/// The refusal of somebody who is banned.
pub(crate) fn banned(ban: &Ban, now: i64) -> Refusal {
    let reason = &ban.reason;
    let until = ban.until.map(|until| {
        let left = u64::try_from(until.saturating_sub(now)).unwrap_or(0).div_ceil(1_000);
        humantime::format_duration(Duration::from_secs(left)).to_string()
    });
    let message = match until {
        Some(left) => format!("the host of this server keeps you out for another {left}: {reason}"),
        None => format!("the host of this server keeps you out: {reason}"),
    };
    Refusal::new(RefusalCode::Banned, message)
}

impl Visitor {
    /// Where it is.
    pub(crate) fn place(&self) -> Whereabouts {
        *self.place.lock()
    }
}

/// The visitors by connection and by player: at most as many as the server has connections. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Visitors {
    all: Arc<DashMap<ConnectionId, Arc<Visitor>>>,
    players: Arc<DashMap<PlayerId, Vec<Outbox>>>,
}

/// A visitor's place in the table, which ends with it.
#[derive(Debug)]
pub(crate) struct Visit {
    visitors: Visitors,
    visitor: Arc<Visitor>,
}

impl Visitors {
    /// Adds a client that comes from an address.
    pub(crate) fn enter(&self, address: IpAddr, client: &Client) -> Visit {
        let Client { player, name, outbox } = client.clone();
        let since = Instant::now();
        let place = Mutex::default();
        let visitor = Arc::new(Visitor { player, name, address, outbox, since, place });
        self.all.insert(visitor.outbox.connection(), Arc::clone(&visitor));
        self.players.entry(player).or_default().push(visitor.outbox.clone());
        Visit { visitors: self.clone(), visitor }
    }

    /// All visitors, the longest first.
    pub(crate) fn all(&self) -> Vec<Arc<Visitor>> {
        let mut all: Vec<_> = self.all.iter().map(|visitor| Arc::clone(visitor.value())).collect();
        all.sort_unstable_by_key(|visitor| visitor.outbox.connection());
        all
    }

    /// Whether a player is connected.
    pub(crate) fn is_here(&self, player: PlayerId) -> bool {
        self.players.contains_key(&player)
    }

    /// Tells something to all connections of a player. The clients of other nodes are told there.
    pub(crate) fn tell(&self, player: PlayerId, message: &ServerMessage) {
        if let Some(outboxes) = self.players.get(&player) {
            let own = outboxes.iter().filter(|outbox| !outbox.is_piped());
            own.for_each(|outbox| outbox.send(message));
        }
    }

    /// Closes the connections of a player to this node, but for one: their clients come back.
    pub(crate) fn close_others(&self, player: PlayerId, but: ConnectionId) {
        if let Some(outboxes) = self.players.get(&player) {
            let others = outboxes.iter().filter(|outbox| outbox.connection() != but);
            others.for_each(|outbox| outbox.close(CloseCode::Restart));
        }
    }

    /// The number of visitors.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }
}

impl Visit {
    /// Notes where the visitor is.
    pub(crate) fn set_place(&self, place: Whereabouts) {
        *self.visitor.place.lock() = place;
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let connection = self.visitor.outbox.connection();
        self.visitors.all.remove(&connection);
        let players = &self.visitors.players;
        if let Some(mut outboxes) = players.get_mut(&self.visitor.player) {
            outboxes.retain(|outbox| outbox.connection() != connection);
        }
        players.remove_if(&self.visitor.player, |_, outboxes| outboxes.is_empty());
    }
}
