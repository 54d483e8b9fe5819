//! Quick matches: who waits, how a wait ends, and which games are rated.

use noughts_protocol::{
    ByMark, Computer, ComputerFallback, Found, LobbyIntent, RefusalCode, Role, RoomIntent,
    RoomSettings, SeatRequest, Variant,
};
use noughts_store::{Change, Deed, NewAct};

use super::person::{Person, World, play};

/// A quick match on a board, without a computer.
pub(super) fn quick(board: &str) -> LobbyIntent {
    let board = board.parse().unwrap();
    LobbyIntent::QuickMatch { board, variant: Variant::Line, move_time_ms: None, computer: None }
}

async fn until_refused(person: &mut Person, why: RefusalCode) {
    person.until("the end of the wait", |person| person.answer.is_some()).await;
    assert_eq!(person.answer, Some(Err(why)));
}

/// Catches a player who waits on two devices, and is in two games at once.
#[tokio::test(start_paused = true)]
async fn a_player_waits_once_on_all_devices() {
    let world = World::open();
    let [mut phone, mut laptop, mut ben, mut cleo] =
        ["Ada", "Ada", "Ben", "Cleo"].map(|name| world.person(name));
    laptop.player = phone.player;
    laptop.reconnect(&world, "Ada");
    phone.lobby(quick("3x3x3")).await.unwrap();
    laptop.lobby(LobbyIntent::CancelMatch).await.unwrap();
    laptop.lobby(quick("4x4x4")).await.unwrap();
    until_refused(&mut phone, RefusalCode::NotNow).await;
    ben.lobby(quick("3x3x3")).await.unwrap();
    // A match at once ends the wait on the other device.
    phone.lobby(quick("3x3x3")).await.unwrap();
    phone.until("the room", |person| person.room.is_some()).await;
    until_refused(&mut laptop, RefusalCode::NotNow).await;
    cleo.lobby(quick("4x4x4")).await.unwrap();
    assert!(laptop.room.is_none() && cleo.room.is_none());
}

/// Catches an opponent who is paired with somebody in a game against a computer, and plays against nobody.
#[tokio::test(start_paused = true)]
async fn an_opponent_who_comes_as_the_wait_ends_is_played() {
    let world = World::open();
    let [mut ada, mut ben] = ["Ada", "Ben"].map(|name| world.person(name));
    let computer = Some(ComputerFallback { after_ms: 1_000, computer: Computer::default() });
    let LobbyIntent::QuickMatch { board, variant, move_time_ms, .. } = quick("3x3x3") else {
        panic!()
    };
    ada.lobby(LobbyIntent::QuickMatch { board, variant, move_time_ms, computer }).await.unwrap();
    let in_vain = ada.notification().await;
    ben.lobby(quick("3x3x3")).await.unwrap();
    ada.take(in_vain).await;
    for person in [&mut ada, &mut ben] {
        person.until("the room", |person| person.room.is_some()).await;
    }
    assert_eq!(ada.code(), ben.code());
}

/// Catches an opponent who waits for somebody who has gone elsewhere in the moment of the match.
#[tokio::test(start_paused = true)]
async fn who_goes_elsewhere_as_an_opponent_comes_gives_up_that_seat() {
    let world = World::open();
    let [mut ada, mut ben] = ["Ada", "Ben"].map(|name| world.person(name));
    ada.lobby(quick("3x3x3")).await.unwrap();
    ben.lobby(quick("3x3x3")).await.unwrap();
    let seats = ByMark { x: SeatRequest::You, o: SeatRequest::Open };
    let settings = RoomSettings::default();
    ada.lobby(LobbyIntent::Create { settings, seats, shuffle: false }).await.unwrap();
    let is_alone = |ben: &Person| ben.room.as_ref().is_some_and(|room| room.seats.has_open());
    ben.until("the open seat", is_alone).await;
}

/// Catches a wait that nobody can end by a match, and an intent that is refused long after its `ok`.
#[tokio::test(start_paused = true)]
async fn nobody_waits_while_the_host_lets_nobody_make_rooms() {
    let world = World::open();
    let [mut ada, mut ben] = ["Ada", "Ben"].map(|name| world.person(name));
    ada.lobby(quick("3x3x3")).await.unwrap();
    let act = NewAct { at: 0, by: "test".into(), deed: Deed::Close { closed: true } };
    let storage = world.shared.storage.as_ref().unwrap();
    storage.store.save(vec![Change::Act(act)]).await.unwrap();
    world.shared.lobby.matchmaker.end_waits(|_| true);
    until_refused(&mut ada, RefusalCode::SwitchedOff).await;
    assert_eq!(ben.lobby(quick("3x3x3")).await, Err(RefusalCode::SwitchedOff));
}

/// Catches a quick match, and with it a room or a party, that begins on a server that is about to end.
#[tokio::test(start_paused = true)]
async fn nothing_begins_while_the_server_stops() {
    let world = World::open();
    let mut ada = world.person("Ada");
    world.shared.stop.cancel();
    assert_eq!(ada.lobby(quick("3x3x3")).await, Err(RefusalCode::Stopping));
}

/// Whether each of somebody's games is rated, the newest first.
async fn rated(person: &mut Person) -> Vec<bool> {
    let all = LobbyIntent::History {
        opponent: None,
        board: None,
        variant: None,
        outcome: None,
        before: None,
    };
    person.lobby(all).await.unwrap();
    match &person.found {
        Some(Found::History { games, .. }) => games.iter().map(|game| game.rated).collect(),
        other => panic!("no history: {other:?}"),
    }
}

/// Somebody who takes a seat that was left may be a friend: only the two who were paired are strangers.
#[tokio::test(start_paused = true)]
async fn a_quick_match_is_rated_only_between_the_two_who_were_paired() {
    let world = World::open();
    let [mut ada, mut bob, mut eve] = ["Ada", "Bob", "Eve"].map(|name| world.person(name));
    for person in [&mut ada, &mut bob] {
        person.lobby(quick("3x3x3")).await.unwrap();
    }
    for person in [&mut ada, &mut bob] {
        person.until("the room", |person| person.room.is_some()).await;
    }
    play(&mut ada, Some(&mut bob), 9, &[]).await;
    assert_eq!(rated(&mut ada).await, [true]);
    bob.in_room(RoomIntent::Leave).await.unwrap();
    let join = LobbyIntent::Join { room: ada.code(), role: Role::Player };
    eve.lobby(join).await.unwrap();
    eve.until("the room", |person| person.room.is_some()).await;
    play(&mut ada, Some(&mut eve), 9, &[]).await;
    assert_eq!(rated(&mut ada).await, [false, true]);
    assert_eq!(rated(&mut eve).await, [false]);
}
