//! The messages to people in a room that no rule of the room decides: when its presence is told.

use noughts_protocol::{
    ByMark, Cell, LobbyIntent, Mark, Role, RoomIntent, RoomSettings, SeatRequest,
};

use super::person::World;

/// Catches a second request that nobody is told of, because the move after the first one was told without the end
/// of that.
#[tokio::test(start_paused = true)]
async fn every_request_to_take_back_is_told_and_so_is_its_end() {
    let world = World::open();
    let [mut ada, mut ben] = ["Ada", "Ben"].map(|name| world.person(name));
    let seats = ByMark { x: SeatRequest::You, o: SeatRequest::Open };
    let settings = RoomSettings::default();
    ada.lobby(LobbyIntent::Create { settings, seats, shuffle: false }).await.unwrap();
    ada.until("the room", |person| person.room.is_some()).await;
    ben.lobby(LobbyIntent::Join { room: ada.code(), role: Role::Player }).await.unwrap();
    ben.until("the room", |person| person.room.is_some()).await;
    let play = |ply| RoomIntent::Play { game: 1, ply, cell: Cell(ply), placed: None };
    for ply in [0, 2] {
        ada.in_room(play(ply)).await.unwrap();
        ada.in_room(RoomIntent::TakeBack { game: 1, ply: ply + 1, offer: true }).await.unwrap();
        ben.until("the request", |ben| ben.asks_back == Some(Mark::X)).await;
        ben.in_room(play(ply + 1)).await.unwrap();
        ben.until("its end", |ben| ben.asks_back.is_none()).await;
    }
}
