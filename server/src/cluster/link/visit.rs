//! The visit of another node's stand-in at the owner: its requests one by one, and its members in the
//! room itself.

use std::collections::HashMap;
use std::sync::Arc;

use noughts_protocol::{ClientMessage, LobbyIntent, PlayerId, PlayerName, RoomCode};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::life::Link;
use super::{LocalRooms, WINDOW};
use crate::actor::{Client, TaskEnded};
use crate::cluster::wire::{As, Join, Message, Number, Outcome, Reply, Request};
use crate::outbox::Outbox;
use crate::room::{Command, Membership, no_such_room};

/// Requests that are taken until the stand-in hears of it.
const TAKEN: u32 = WINDOW / 2;

/// How often a room is looked up that ends or hibernates meanwhile.
const LOOKUPS: u32 = 3;

/// A visit. It ends with the stand-in, and with the link.
#[derive(Debug)]
pub(crate) struct Visit {
    link: Arc<Link>,
    stand: u64,
    requests: mpsc::Receiver<Request>,
    taken: u32,
}

impl Visit {
    pub(super) const fn new(
        link: Arc<Link>,
        stand: u64,
        requests: mpsc::Receiver<Request>,
    ) -> Self {
        Self { link, stand, requests, taken: 0 }
    }

    /// The next request; `None` if the stand-in has ended. Cancel-safe.
    pub(crate) async fn next(&mut self) -> Option<Request> {
        let request = self.requests.recv().await?;
        self.taken += 1;
        if self.taken == TAKEN {
            self.taken = 0;
            self.reply(Reply::Taken(TAKEN));
        }
        Some(request)
    }

    /// Replies to the stand-in.
    pub(crate) fn reply(&self, reply: Reply) {
        self.link.lane().push(Message::Reply { stand: self.stand, reply });
    }

    /// The outbox of a connection of the other node.
    pub(crate) fn outbox(&self, connection: Number) -> Outbox {
        self.link.outbox(connection)
    }
}

/// A visit in a room.
#[derive(Debug)]
struct RoomVisit {
    code: RoomCode,
    visit: Visit,
    rooms: Arc<dyn LocalRooms>,
    /// The members; as many as the stand-in has.
    members: HashMap<Number, Member>,
}

#[derive(Debug)]
struct Member {
    stay: u64,
    name: PlayerName,
    outbox: Outbox,
    membership: Membership,
}

/// Brings the members of a stand-in into a room, until the visit ends.
pub(super) async fn serve_room(code: RoomCode, visit: Visit, rooms: Arc<dyn LocalRooms>) {
    let mut this = RoomVisit { code, visit, rooms, members: HashMap::new() };
    while let Some(request) = this.visit.next().await {
        match request {
            Request::Join(join) => this.join(*join).await,
            Request::Say { connection, name, party_v, message } => {
                this.say(connection, name, party_v, *message).await;
            }
            Request::Depart(stays) => {
                for (connection, stay) in stays {
                    if this.members.get(&connection).is_some_and(|member| member.stay == stay) {
                        this.members.remove(&connection);
                    }
                }
            }
            Request::HasSeat { ask, player } => {
                let yes = this.has_seat(player).await;
                this.visit.reply(Reply::Said { ask, yes });
            }
        }
    }
}

impl RoomVisit {
    /// Brings a connection in. Its answer is on its way before the stand-in hears of it.
    async fn join(&mut self, join: Join) {
        let Join { connection, stay, player, name, r#as, id } = join;
        let outbox = self.visit.outbox(connection);
        let client = Client { player, name: name.clone(), outbox: outbox.clone() };
        let mut outcome = Outcome::Gone;
        for _ in 0..LOOKUPS {
            let (As::Guest(role), Some(room)) = (r#as, self.rooms.room(self.code).await) else {
                break;
            };
            match room.join(client.clone(), role, id).await {
                Ok(Some(membership)) => {
                    outcome = Outcome::Admitted;
                    self.members.insert(connection, Member { stay, name, outbox, membership });
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

    /// Passes on an intent or a ping of a member. It is answered here if the room has ended.
    async fn say(
        &mut self,
        connection: Number,
        name: Option<PlayerName>,
        party_v: Option<u64>,
        message: ClientMessage,
    ) {
        let member = self.members.get(&connection);
        let sender = member.map_or_else(|| self.visit.outbox(connection), |it| it.outbox.clone());
        let (unsent, sent) = match message {
            ClientMessage::Room { intent, id, .. } => {
                let read_at = Instant::now();
                let sent = match member {
                    Some(Member { membership, name: own, .. }) => {
                        let name = name.as_ref().unwrap_or(own);
                        membership.send(id, intent.clone(), name, read_at).await.is_ok()
                    }
                    None => false,
                };
                (Command::Intent { sender, id, intent, name: None, read_at }, sent)
            }
            ClientMessage::Lobby { intent: LobbyIntent::Ping, id } => {
                let sent = match member {
                    Some(member) => member.membership.ping(id, party_v).await.is_ok(),
                    None => false,
                };
                (Command::Ping { sender, id, party_v }, sent)
            }
            _ => return,
        };
        // A connection that is to be closed asks again elsewhere.
        if !sent && member.is_none_or(|member| !member.outbox.is_closed()) {
            unsent.reject(self.code, no_such_room);
            self.members.remove(&connection);
        }
    }

    /// Whether a player has a seat. Nobody has one in a room that there is not; `None` if the room ends
    /// and begins all the time.
    async fn has_seat(&self, player: PlayerId) -> Option<bool> {
        for _ in 0..LOOKUPS {
            let Some(room) = self.rooms.room(self.code).await else { return Some(false) };
            if let Ok(has_seat) = room.has_seat(player).await {
                return Some(has_seat);
            }
        }
        None
    }
}
