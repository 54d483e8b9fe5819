//! A room for tests of links: it admits everybody, tells everybody what a member says, and answers.

use futures::FutureExt;
use noughts_protocol::ServerMessage;
use tokio::sync::watch;

use super::*;
use crate::actor::{Audience, Departures, Inbox};
use crate::outbox::{Delivery, encode};
use crate::room::{self, Command, RoomInbox};

/// The room of a node.
#[derive(Debug, Clone)]
pub(super) struct TestRoom {
    handle: RoomHandle,
    audience: Arc<Mutex<Audience<()>>>,
    outboxes: Arc<Mutex<Vec<Outbox>>>,
    members: watch::Sender<usize>,
    taken: watch::Sender<usize>,
    holds: watch::Sender<bool>,
}

/// The messages to a member that comes in.
pub(super) fn joined(number: u64) -> String {
    encode(&ServerMessage::Ok { id: id(number), room: None, party: None }).to_text()
}

/// The message to everybody.
pub(super) fn said(number: u64) -> String {
    let room = Some(RoomCode::from_number(1));
    encode(&ServerMessage::Ok { id: id(1000 + number), room, party: None }).to_text()
}

/// The message to the member that spoke.
pub(super) fn answer(number: u64) -> String {
    let room = Some(RoomCode::from_number(2));
    encode(&ServerMessage::Ok { id: id(number), room, party: None }).to_text()
}

/// A question, of which the one with number 0 has an answer.
pub(super) fn question(number: u32) -> Question {
    Question::Known(RoomCode::from_number(number))
}

impl TestRoom {
    pub(super) fn start() -> Self {
        let (handle, inbox) = room::channel(RoomCode::from_number(7));
        let audience = Arc::new(Mutex::new(Audience::new()));
        let (members, taken) = (watch::Sender::new(0), watch::Sender::new(0));
        let (outboxes, holds) = (Arc::default(), watch::Sender::new(false));
        let this = Self { handle, audience, outboxes, members, taken, holds };
        tokio::spawn(this.clone().run(inbox));
        this
    }

    async fn run(self, inbox: RoomInbox) {
        let Inbox { handle, mut commands } = inbox;
        let mut departures = Departures::new();
        let mut holds = self.holds.subscribe();
        loop {
            holds.wait_for(|holds| !holds).await.unwrap();
            tokio::select! {
                biased;
                _ = holds.changed() => {}
                Some(command) = commands.recv() => self.command(command, &handle, &departures),
                gone = departures.next() => {
                    let mut audience = self.audience.lock();
                    for stay in gone {
                        let is_member = audience.remove(stay).is_some();
                        self.members.send_modify(|members| *members -= usize::from(is_member));
                    }
                }
            }
        }
    }

    fn command(&self, command: Command, handle: &RoomHandle, departures: &Departures) {
        match command {
            Command::Join { client, admitted, .. } => {
                let outbox = client.outbox.clone();
                self.outboxes.lock().push(outbox.clone());
                outbox.grant(id(client.player.0), None);
                let stay = self.audience.lock().admit(client, ());
                let stay = departures.stay(stay);
                self.members.send_modify(|members| *members += 1);
                drop(admitted.send(Some(Membership::new(handle.clone(), outbox, stay))));
            }
            Command::Intent { id: number, sender, intent, .. } => {
                self.taken.send_modify(|taken| *taken += 1);
                if intent == RoomIntent::Sync {
                    self.broadcast(u64::from(number));
                    sender.grant(number, Some(RoomCode::from_number(2)));
                }
            }
            Command::HasSeat { player, answer } => {
                let _ = answer.send(player == PlayerId(1));
            }
            other => panic!("{other:?}"),
        }
    }

    fn broadcast(&self, number: u64) {
        let room = Some(RoomCode::from_number(1));
        let said = ServerMessage::Ok { id: id(1000 + number), room, party: None };
        self.audience.lock().broadcast(Delivery::Required, &said);
    }

    pub(super) fn code(&self) -> RoomCode {
        self.handle.code()
    }

    /// Tells everybody who ever came in a text.
    pub(super) fn tell(&self, text: &str) {
        let frame = Frame::from(text.to_owned());
        for outbox in &*self.outboxes.lock() {
            outbox.push(frame.clone());
        }
    }

    /// Takes nothing from the inbox until [`TestRoom::go_on`].
    pub(super) fn hold(&self) {
        self.holds.send_replace(true);
    }

    pub(super) fn go_on(&self) {
        self.holds.send_replace(false);
    }

    /// Waits until the room has this many members.
    pub(super) async fn until_members(&self, expected: usize) {
        let mut members = self.members.subscribe();
        let waiting = members.wait_for(|members| *members == expected);
        let waited = timeout(Duration::from_secs(10), waiting).await;
        assert!(waited.is_ok(), "{} members", *self.members.borrow());
    }

    /// Waits until the room has taken this many intents.
    pub(super) async fn until_taken(&self, expected: usize) {
        let mut taken = self.taken.subscribe();
        let waiting = taken.wait_for(|taken| *taken == expected);
        let waited = timeout(Duration::from_secs(10), waiting).await;
        assert!(waited.is_ok(), "{} intents", *self.taken.borrow());
    }
}

impl LocalRooms for TestRoom {
    fn room(&self, code: RoomCode) -> BoxFuture<'static, Option<RoomHandle>> {
        std::future::ready((code == self.code()).then(|| self.handle.clone())).boxed()
    }

    fn visit_party(&self, _: PartyCode, _: Visit) -> BoxFuture<'static, ()> {
        std::future::ready(()).boxed()
    }

    fn answer(&self, _: NodeName, question: Question) -> BoxFuture<'static, Option<Answer>> {
        let is_first = format!("{question:?}") == format!("{:?}", self::question(0));
        std::future::ready(is_first.then_some(Answer::Yes(true))).boxed()
    }
}
