//! How many rooms a player, an address and a server may have, and how fast they are made.

use noughts_harness::{Answer, Player, TIMEOUT, TestServer};
use noughts_protocol::{ByMark, LobbyIntent, RefusalCode, RoomSettings, SeatRequest};

/// Asks for a room in which the player has both seats.
async fn create_for_one(player: &mut Player) -> Answer {
    let settings = RoomSettings::default();
    let seats = ByMark { x: SeatRequest::You, o: SeatRequest::You };
    player.ask_lobby(LobbyIntent::Create { settings, seats, shuffle: false }).await
}

#[tokio::test]
async fn rooms_with_somebody_in_them_are_never_ended_for_others() {
    let server = TestServer::start(&["--max-rooms=3", "--rooms-per-address=2"]).await;
    let near = [127, 0, 0, 1];
    let far = [127, 0, 0, 2];
    let mut people = Vec::new();
    for (address, name) in [(near, "Ada"), (near, "Bob"), (far, "Eve")] {
        let mut player = server.player_from(address, name).await;
        player.host().await;
        people.push(player);
    }
    let mut late = server.player_from(near, "Cleo").await;
    assert_eq!(late.try_host().await, Err(RefusalCode::TooManyRooms));
    assert!(late.refusal_text.contains("your address"), "{}", late.refusal_text);
    let mut late = server.player_from([127, 0, 0, 3], "Dan").await;
    assert_eq!(late.try_host().await, Err(RefusalCode::Full));
    for player in &mut people {
        assert!(is_in_a_room(player).await);
    }
    // When somebody goes, their room goes first: as soon as it has noticed.
    drop(people.remove(2));
    let trying = async { while late.try_host().await.is_err() {} };
    tokio::time::timeout(TIMEOUT, trying).await.expect("there is no room for Dan");
    server.until_counts([3, 4, 0]).await;
    for player in &mut people {
        assert!(is_in_a_room(player).await);
    }
}

/// Whether the room that a player is in is still there.
async fn is_in_a_room(player: &mut Player) -> bool {
    player.pong = None;
    player.ask_lobby(LobbyIntent::Ping).await.unwrap();
    player.pong.is_some()
}

#[tokio::test]
async fn a_server_that_is_full_of_rooms_that_sleep_has_room_for_others() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let full = ["--data-dir", folder, "--max-rooms=5"];
    let server = TestServer::start(&full).await;
    let mut eve = server.player("Eve").await;
    for _ in 0..5 {
        create_for_one(&mut eve).await.unwrap();
    }
    drop(eve);
    server.stop().await;
    let server = TestServer::start(&full).await;
    server.until_hibernated(5).await;
    let mut ada = server.player("Ada").await;
    ada.host().await;
    server.until_counts([5, 1, 0]).await;
    ada.host().await;
    server.until_counts([5, 1, 0]).await;
}

#[tokio::test(start_paused = true)]
async fn a_player_who_may_make_no_room_is_matched_with_nobody() {
    let server = TestServer::virtual_time(&["--intents-per-second=100"]);
    let mut ada = server.player("Ada").await;
    for _ in 0..20 {
        ada.host().await;
        ada.leave().await.unwrap();
    }
    assert_eq!(ada.quick_match().await, Err(RefusalCode::TooManyRooms));
    assert!(ada.refusal_text.contains("you have made"), "{}", ada.refusal_text);
}

#[tokio::test]
async fn rooms_without_a_move_leave_nothing_on_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let server = TestServer::start(&["--data-dir", data, "--intents-per-second=100"]).await;
    let mut eve = server.player("Eve").await;
    for _ in 0..10 {
        eve.host().await;
        eve.leave().await.unwrap();
    }
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    noughts_harness::player::play_out(&mut ada, &mut bob, &[4]).await;
    ada.leave().await.unwrap();
    bob.leave().await.unwrap();
    server.until_counts([0, 3, 0]).await;
    server.stop().await;
    let stored = noughts_store::Reader::open(folder.path()).unwrap();
    stored.live(|code, _| panic!("room {code} is left")).unwrap();
    let mut games = 0;
    stored.games(|_| games += 1).unwrap();
    assert_eq!(games, 1);
}
