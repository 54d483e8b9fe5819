//! The owner's end of a pipe: what a client of another node, and that node, are told.

use std::sync::Arc;

use noughts_protocol::{
    ByMark, ClientMessage, CloseCode, IntentId, LobbyIntent, PlayerId, RefusalCode, Role, RoomCode,
    RoomIntent, RoomSettings, SeatRequest, ServerMessage,
};

use super::matches::quick;
use super::person::{Person, World};
use crate::connection::pipe::PipedClients;
use crate::outbox::{PipeItem, PipeItems, PipeQueue};
use crate::pipe::{Door, Piped, Request, Told, text};

/// The number of the client's place.
const PLACE: u32 = 7;

/// A message for the client, or for its node.
#[derive(Debug)]
enum Comes {
    Client(Box<ServerMessage>),
    Node(Told),
    End,
}

struct OtherNode {
    clients: PipedClients,
    items: PipeItems,
}

impl OtherNode {
    fn new(world: &World) -> Self {
        let (queue, items) = PipeQueue::new();
        Self { clients: PipedClients::new(Arc::clone(&world.shared), queue), items }
    }

    /// Somebody enters a room.
    fn enter(&mut self, world: &World, room: RoomCode, role: Role) -> PlayerId {
        let player = world.shared.secret.issue().0;
        let intent = LobbyIntent::Join { room, role };
        let door = Door::Message(text(&ClientMessage::Lobby { intent, id: id(1) }));
        let name = "bob".parse().unwrap();
        let address = [127, 0, 0, 1].into();
        self.ask(Request::Enter { player, name, address, door });
        player
    }

    fn ask(&mut self, request: Request) {
        self.clients.hear(Piped::Message(PLACE, request));
    }

    fn sync(&mut self, room: RoomCode, id: IntentId) {
        let message = ClientMessage::Room { intent: RoomIntent::Sync, id, room };
        self.ask(Request::Message(text(&message)));
    }

    async fn next(&mut self) -> Comes {
        let (place, item) = self.items.recv().await.unwrap();
        assert_eq!(place, PLACE);
        match item {
            PipeItem::Frame(frame, _) => {
                Comes::Client(serde_json::from_str(&frame.to_text()).unwrap())
            }
            PipeItem::Message(text) => Comes::Node(serde_json::from_str(&text).unwrap()),
            PipeItem::End => Comes::End,
        }
    }
}

/// A room that Ada has made.
async fn make_room(ada: &mut Person) -> RoomCode {
    let seats = ByMark { x: SeatRequest::You, o: SeatRequest::Open };
    let settings = RoomSettings::default();
    ada.lobby(LobbyIntent::Create { settings, seats, shuffle: false }).await.unwrap();
    ada.until("the room", |ada| ada.room.is_some()).await;
    ada.code()
}

fn id(number: u64) -> IntentId {
    number.try_into().unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_client_of_another_node_comes_and_goes_and_every_answer_reaches_it() {
    let world = World::open();
    let mut ada = world.person("ada");
    let room = make_room(&mut ada).await;
    let mut other = OtherNode::new(&world);
    let player = other.enter(&world, room, Role::Player);
    let first = [other.next().await, other.next().await];
    let [Comes::Client(ok), Comes::Client(snapshot)] = first else { panic!("{first:?}") };
    assert!(matches!(*ok, ServerMessage::Ok { .. }), "{ok:?}");
    assert!(matches!(*snapshot, ServerMessage::Snapshot(_)), "{snapshot:?}");
    let told = loop {
        if let Comes::Node(told) = other.next().await {
            break told;
        }
    };
    assert!(matches!(told, Told::InRoom(code) if code == room), "{told:?}");
    // The client goes before the answer to its last message is there.
    other.sync(room, id(2));
    other.ask(Request::Leave);
    let mut answers = 0;
    loop {
        match other.next().await {
            Comes::Client(message) => {
                answers +=
                    u32::from(matches!(*message, ServerMessage::Ok { id: to, .. } if to == id(2)));
            }
            Comes::Node(told) => panic!("{told:?}"),
            Comes::End => break,
        }
    }
    assert_eq!(answers, 1);
    ada.in_room(RoomIntent::Sync).await.unwrap();
    let keeps_seat = |ada: &Person| ada.room.as_ref().unwrap().seats.o.player() == Some(player);
    ada.until("the seat", keeps_seat).await;
}

#[tokio::test(start_paused = true)]
async fn a_client_that_asks_faster_than_its_room_answers_is_closed() {
    let world = World::open();
    let mut ada = world.person("ada");
    let room = make_room(&mut ada).await;
    let mut other = OtherNode::new(&world);
    other.enter(&world, room, Role::Spectator);
    for number in 2..100 {
        other.sync(room, id(number));
    }
    let mut closed = None;
    loop {
        match other.next().await {
            Comes::Node(Told::Closed(code)) => closed = Some(code),
            Comes::End => break,
            _ => {}
        }
    }
    assert_eq!(closed, Some(CloseCode::TryAgainLater.number()));
}

/// Catches a player who waits at two nodes, and is in two games at once.
#[tokio::test(start_paused = true)]
async fn who_waits_at_another_node_waits_here_no_longer() {
    let world = World::open();
    let mut ada = world.person("ada");
    ada.lobby(quick("3x3x3")).await.unwrap();
    let mut other = OtherNode::new(&world);
    let name = "ada".parse().unwrap();
    let address = [127, 0, 0, 1].into();
    other.ask(Request::Enter { player: ada.player, name, address, door: Door::EndWait });
    ada.until("the end of the wait", |ada| ada.answer == Some(Err(RefusalCode::NotNow))).await;
}
