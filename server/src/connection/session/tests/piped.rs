//! The end of a pipe: what the node is told that passes a connection on.

use noughts_protocol::{
    BoardSpec, ByMark, ClientMessage, LobbyIntent, Role, RoomIntent, RoomSettings, SeatRequest,
    ServerMessage,
};
use tokio::time::Instant;

use super::person::{Person, World, connect_by};
use crate::connection::pipe::{PipeRequest, PipeTold, Places, text};
use crate::connection::session::Session;
use crate::outbox::OutboxReader;

/// What came out of a pipe after a request: messages of the client, then the answer.
async fn ask(
    session: &mut Session,
    outgoing: &mut OutboxReader,
    request: PipeRequest,
) -> (Vec<ServerMessage>, PipeTold) {
    session.answer_node(request, Instant::now()).await;
    let mut frames = outgoing.take();
    let last = frames.pop().unwrap();
    assert!(last.is_between_nodes(), "the answer comes last");
    frames.retain(|frame| !frame.is_between_nodes());
    let messages = frames.iter().map(|frame| serde_json::from_str(&frame.to_text()).unwrap());
    (messages.collect(), serde_json::from_str(&last.to_text()).unwrap())
}

#[tokio::test(start_paused = true)]
async fn the_node_of_a_client_knows_where_the_client_is() {
    let world = World::open();
    let mut ada = world.person("ada");
    let seats = ByMark { x: SeatRequest::You, o: SeatRequest::Open };
    let settings = RoomSettings::default();
    ada.lobby(LobbyIntent::Create { settings, seats, shuffle: false }).await.unwrap();
    ada.until("the room", |ada| ada.room.is_some()).await;
    let room = ada.code();
    let player = world.shared.secret.issue().0;
    let (mut bob, mut outgoing) = connect_by(Session::piped, &world.shared, player, "bob");
    let id = 1.try_into().unwrap();
    let intent = LobbyIntent::Join { room, role: Role::Player };
    let join = ClientMessage::Lobby { intent, id };
    let (messages, told) = ask(&mut bob, &mut outgoing, PipeRequest::Message(text(&join))).await;
    assert!(matches!(messages[..], [ServerMessage::Ok { .. }, ServerMessage::Snapshot(_), ..]));
    assert_eq!((told.places.room, told.done), (Some(room), Some(true)));
    let leave = PipeRequest::Leave { room: true, party: false };
    let (messages, told) = ask(&mut bob, &mut outgoing, leave).await;
    assert_eq!((messages.len(), told.places), (0, Places::default()));
    ada.in_room(RoomIntent::Sync).await.unwrap();
    let keeps_seat = |ada: &Person| ada.room.as_ref().unwrap().seats.o.player() == Some(player);
    ada.until("the seat", keeps_seat).await;
    let board = BoardSpec::default();
    let quick = PipeRequest::Match { id, board, move_time_ms: None, is_answered: false };
    let (messages, told) = ask(&mut bob, &mut outgoing, quick).await;
    assert_eq!((messages.len(), told.done), (0, Some(false)), "nobody waits");
}
