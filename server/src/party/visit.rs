//! The visit of another node's stand-in at the owner of a party: its requests one by one, and its members
//! in the party itself. They are told the party's version and into which rooms it leads them.

use std::collections::HashMap;
use std::future::poll_fn;
use std::task::{Poll, Waker};

use noughts_protocol::{ClientMessage, PartyCode, RoomCode};
use tokio::sync::watch;

use super::command::Command;
use super::{Parties, PartyMembership, no_such_party};
use crate::actor::{Client, TaskEnded};
use crate::cluster::link::Visit;
use crate::cluster::wire::{As, Join, Number, Outcome, Reply, Request};
use crate::outbox::Outbox;

/// How often a party is looked up that ends meanwhile.
const LOOKUPS: u32 = 3;

/// A visit in a party.
#[derive(Debug)]
struct PartyVisit {
    code: PartyCode,
    visit: Visit,
    parties: Parties,
    /// The members; as many as the stand-in has.
    members: HashMap<Number, Member>,
    /// The party's version, once somebody has come in.
    version: Option<watch::Receiver<u64>>,
}

#[derive(Debug)]
struct Member {
    stay: u64,
    outbox: Outbox,
    membership: PartyMembership,
}

/// Something that a visit waits for.
enum Input {
    Request(Option<Request>),
    Led(u64, RoomCode),
    Version,
}

/// Brings the members of a stand-in into a party, until the visit ends.
pub(crate) async fn run(code: PartyCode, visit: Visit, parties: Parties) {
    let mut this = PartyVisit { code, visit, parties, members: HashMap::new(), version: None };
    loop {
        match this.next_input().await {
            Input::Request(Some(request)) => this.request(request).await,
            Input::Request(None) => return,
            Input::Led(stay, room) => this.visit.reply(Reply::Led { stay, room }),
            Input::Version => this.tell_version(),
        }
    }
}

impl PartyVisit {
    async fn next_input(&mut self) -> Input {
        let Self { visit, members, version, .. } = self;
        tokio::select! {
            biased;
            request = visit.next() => Input::Request(request),
            (stay, room) = poll_fn(|context| led(members, context.waker())) => Input::Led(stay, room),
            () = changed(version) => Input::Version,
        }
    }

    async fn request(&mut self, request: Request) {
        match request {
            Request::Join(join) => self.join(*join).await,
            Request::Say { connection, message, .. } => self.say(connection, *message).await,
            Request::Depart(stays) => {
                for (connection, stay) in stays {
                    if self.members.get(&connection).is_some_and(|member| member.stay == stay) {
                        self.members.remove(&connection);
                    }
                }
            }
            // A party has no seats.
            Request::HasSeat { ask, .. } => {
                self.visit.reply(Reply::Said { ask, yes: Some(false) });
            }
        }
    }

    /// Brings a connection in. Its answer is on its way before the stand-in hears of it.
    async fn join(&mut self, join: Join) {
        let Join { connection, stay, player, name, r#as, id } = join;
        let outbox = self.visit.outbox(connection);
        let client = Client { player, name, outbox: outbox.clone() };
        let mut outcome = Outcome::Gone;
        for _ in 0..LOOKUPS {
            let (As::Follower(role), Some(id), Ok(party)) =
                (r#as, id, self.parties.find_here(self.code))
            else {
                break;
            };
            match party.join(client.clone(), role, id).await {
                Ok(Some(membership)) => {
                    outcome = Outcome::Admitted;
                    self.version = Some(party.version().watch());
                    self.members.insert(connection, Member { stay, outbox, membership });
                    // It is known before the first ping.
                    self.tell_version();
                    break;
                }
                Ok(None) => {
                    outcome = Outcome::Refused;
                    break;
                }
                Err(TaskEnded) => {}
            }
        }
        self.visit.reply(Reply::Joined { stay, outcome });
    }

    /// Passes on an intent of a member. It is answered here if the party has ended.
    async fn say(&mut self, connection: Number, message: ClientMessage) {
        let ClientMessage::Party { intent, id, .. } = message else { return };
        let member = self.members.get(&connection);
        let sent = match member {
            Some(member) => member.membership.send(id, intent.clone()).await.is_ok(),
            None => false,
        };
        // A connection that is to be closed asks again elsewhere.
        if !sent && member.is_none_or(|member| !member.outbox.is_closed()) {
            let sender = self.visit.outbox(connection);
            Command::Intent { sender, id, intent }.reject(self.code, no_such_party);
            self.members.remove(&connection);
        }
    }

    fn tell_version(&mut self) {
        if let Some(version) = &mut self.version {
            let v = *version.borrow_and_update();
            self.visit.reply(Reply::Version(v));
        }
    }
}

/// A member's stay, and the room into which the party leads it.
fn led(members: &HashMap<Number, Member>, waker: &Waker) -> Poll<(u64, RoomCode)> {
    for member in members.values() {
        if let Poll::Ready(room) = member.membership.poll_led(waker) {
            return Poll::Ready((member.stay, room));
        }
    }
    Poll::Pending
}

async fn changed(version: &mut Option<watch::Receiver<u64>>) {
    if let Some(version) = version
        && version.changed().await.is_ok()
    {
        return;
    }
    // Nobody has come in, or the party has ended.
    std::future::pending::<()>().await;
}
