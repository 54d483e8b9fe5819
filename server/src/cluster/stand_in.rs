//! The stand-in of a room that another node owns: it serves the same inbox as the room, and passes on what
//! comes over the link. The answers come to the connections' outboxes by the link itself.
//!
//! It knows only who is there. It ends when nobody is there, and with the life of its link.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::{ClientMessage, LobbyIntent, PlayerName, RoomCode};
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::sleep;

use super::link::{Link, Stand};
use super::wire::{As, Join, Outcome, Place, Reply, Request};
use crate::actor::{Departures, Inbox, MembershipId, Stay};
use crate::outbox::Outbox;
use crate::room::{self, Command, Membership, RoomHandle};

/// How long a stand-in stays when nobody is there: longer than it takes to come in.
pub(crate) const IDLE: Duration = Duration::from_secs(1);

/// The stand-ins that run, by the run of their link and the code of their room or party.
#[derive(Debug)]
pub(crate) struct StandIns<C, H>(Arc<Mutex<HashMap<(u64, C), H>>>)
where
    C: Copy + Eq + Hash;

/// A stand-in's entry. Dropping it removes it.
#[derive(Debug)]
pub(crate) struct Entry<C, H>
where
    C: Copy + Eq + Hash,
{
    all: StandIns<C, H>,
    key: (u64, C),
}

impl<C: Copy + Eq + Hash, H> Default for StandIns<C, H> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<C: Copy + Eq + Hash, H: Clone> StandIns<C, H> {
    /// The handle of a stand-in, one that `start` starts if there is none.
    pub(crate) fn find_or_start(
        &self,
        link: &Link,
        code: C,
        start: impl FnOnce(Entry<C, H>) -> H,
    ) -> H {
        let key = (link.run(), code);
        let mut all = self.0.lock();
        all.entry(key)
            .or_insert_with(|| start(Entry { all: Self(Arc::clone(&self.0)), key }))
            .clone()
    }
}

impl<C: Copy + Eq + Hash, H> Drop for Entry<C, H> {
    fn drop(&mut self) {
        self.all.0.lock().remove(&self.key);
    }
}

/// The stays of a stand-in's members, present and coming.
#[derive(Debug)]
pub(crate) struct Stays<A> {
    /// The number of the last stay.
    last: u64,
    /// Those that wait for the owner to admit them.
    joining: HashMap<u64, (Outbox, A)>,
    /// How many are there.
    present: usize,
    departures: Departures,
}

impl<A> Stays<A> {
    /// No stays.
    pub(crate) fn new() -> Self {
        Self { last: 0, joining: HashMap::new(), present: 0, departures: Departures::new() }
    }

    /// Whether nobody is there or comes.
    pub(crate) fn are_none(&self) -> bool {
        self.joining.is_empty() && self.present == 0
    }

    /// A connection wants to come: the number of its stay. `admitted` is kept for it.
    pub(crate) fn begin(&mut self, stand: &Stand, outbox: &Outbox, admitted: A) -> u64 {
        stand.register(outbox);
        self.last += 1;
        self.joining.insert(self.last, (outbox.clone(), admitted));
        self.last
    }

    /// The owner has decided. `admit` gets the stay of a connection that comes in, which it may drop at
    /// once, and then what was kept for it.
    pub(crate) fn decide(
        &mut self,
        stand: &Stand,
        stay: u64,
        outcome: Outcome,
    ) -> Option<(Option<(Outbox, Stay)>, A)> {
        let (outbox, admitted) = self.joining.remove(&stay)?;
        if outcome != Outcome::Admitted {
            stand.unregister(outbox.connection());
            return (outcome == Outcome::Refused).then_some((None, admitted));
        }
        self.present += 1;
        let id = MembershipId { connection: outbox.connection(), number: stay };
        Some((Some((outbox, self.departures.stay(id))), admitted))
    }

    /// Waits for departures. Cancel-safe.
    pub(crate) async fn departed(&mut self) -> Vec<MembershipId> {
        self.departures.next().await
    }

    /// Passes departures on.
    pub(crate) fn depart(&mut self, stand: &mut Stand, gone: &[MembershipId]) {
        self.present = self.present.saturating_sub(gone.len());
        for stay in gone {
            stand.unregister(stay.connection);
        }
        let gone = gone.iter().map(|stay| (stay.connection.0, stay.number));
        stand.request(Request::Depart(gone.collect()));
    }
}

/// The stand-in of a room.
#[derive(Debug)]
struct StandIn {
    handle: RoomHandle,
    stand: Stand,
    stays: Stays<oneshot::Sender<Option<Membership>>>,
    /// Those who ask for a seat; bounded by the connections, each of which waits for one answer.
    asked: HashMap<u64, oneshot::Sender<bool>>,
    last_ask: u64,
}

/// Starts the stand-in of a room, and returns its handle.
pub(super) fn start(
    link: &Arc<Link>,
    code: RoomCode,
    entry: Entry<RoomCode, RoomHandle>,
) -> RoomHandle {
    let (handle, inbox) = room::channel(code);
    let stand = Stand::open(Arc::clone(link), Place::Room(code));
    tokio::spawn(run(inbox, stand, entry));
    handle
}

async fn run(inbox: room::RoomInbox, stand: Stand, entry: Entry<RoomCode, RoomHandle>) {
    let Inbox { handle, mut commands } = inbox;
    let (stays, asked) = (Stays::new(), HashMap::new());
    let mut this = StandIn { handle, stand, stays, asked, last_ask: 0 };
    loop {
        let (has_place, is_left) = (this.stand.has_place(), this.is_left());
        // Commands come before departures, as in the room: a move of one who has gone since counts.
        tokio::select! {
            biased;
            reply = this.stand.reply() => match reply {
                Some(reply) => this.hear(reply),
                None => break,
            },
            // The stand-in holds a handle, so its inbox never closes.
            Some(command) = commands.recv(), if has_place => this.command(command),
            gone = this.stays.departed(), if has_place => this.stays.depart(&mut this.stand, &gone),
            () = sleep(IDLE), if is_left => break,
        }
    }
    // Those who come now find another one.
    drop(entry);
}

impl StandIn {
    fn is_left(&self) -> bool {
        self.stays.are_none() && self.asked.is_empty()
    }

    /// Passes a command on.
    fn command(&mut self, command: Command) {
        match command {
            Command::Join { client, role, id, admitted } => {
                let stay = self.stays.begin(&self.stand, &client.outbox, admitted);
                let (connection, client) = (client.outbox.connection().0, client);
                let (player, name) = (client.player, client.name);
                let join = Join { connection, stay, player, name, r#as: As::Guest(role), id };
                self.stand.request(Request::Join(Box::new(join)));
            }
            Command::Intent { sender, id, intent, name, read_at: _ } => {
                let message = ClientMessage::Room { intent, id, room: self.handle.code() };
                self.say(&sender, name, None, message);
            }
            Command::Ping { sender, id, party_v } => {
                let message = ClientMessage::Lobby { intent: LobbyIntent::Ping, id };
                self.say(&sender, None, party_v, message);
            }
            Command::HasSeat { player, answer } => {
                self.last_ask += 1;
                self.asked.insert(self.last_ask, answer);
                self.stand.request(Request::HasSeat { ask: self.last_ask, player });
            }
            // Only a room's own node asks for that.
            Command::EndIfUnattended
            | Command::Dismiss(_)
            | Command::Seat { .. }
            | Command::Attach { .. }
            | Command::Forget { .. } => {}
        }
    }

    fn say(
        &mut self,
        sender: &Outbox,
        name: Option<PlayerName>,
        party_v: Option<u64>,
        message: ClientMessage,
    ) {
        let (connection, message) = (sender.connection().0, Box::new(message));
        self.stand.request(Request::Say { connection, name, party_v, message });
    }

    fn hear(&mut self, reply: Reply) {
        match reply {
            Reply::Joined { stay, outcome } => {
                let Some((stay, admitted)) = self.stays.decide(&self.stand, stay, outcome) else {
                    return;
                };
                let room = || self.handle.clone();
                let membership = stay.map(|(outbox, stay)| Membership::new(room(), outbox, stay));
                // If the connection has gone, this is a departure like any other.
                drop(admitted.send(membership));
            }
            Reply::Said { ask, yes } => {
                if let (Some(asker), Some(yes)) = (self.asked.remove(&ask), yes) {
                    // The one who asked may have gone.
                    let _ = asker.send(yes);
                }
            }
            Reply::Version(_) | Reply::Led { .. } | Reply::Taken(_) => {}
        }
    }
}
