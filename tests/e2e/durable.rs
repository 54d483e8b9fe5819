//! Rooms outlive the server: processes are killed and restarted, and players come back.

#[cfg(target_os = "linux")]
mod synced;

use std::time::{Duration, Instant};

use noughts_harness::player::{play_again, play_out, quick};
use noughts_harness::process::server_says;
use noughts_harness::world;
use noughts_harness::{Player, ServerProcess, TestServer, advance_time};
use noughts_protocol::{
    BoardSpec, ByMark, ClientMessage, CloseCode, Computer, LobbyIntent, Mark, RefusalCode, Role,
    RoomSettings, Score, SeatPresence, SeatRequest, Strategy, Strength,
};

use crate::screen::{code, run};

/// The player on a new connection to the restarted server, back in the room, which is as it was.
async fn back(server: &ServerProcess, player: Player, name: &str) -> Player {
    let seen = player.state().clone();
    let id = player.id;
    let token = player.token.clone();
    let mut player = server.returning(name, Some(token)).await;
    assert_eq!(player.id, id, "the server still knows who made its tokens");
    player.join(seen.code, Role::Spectator).await.unwrap();
    let now = player.state();
    assert_eq!(now, &seen, "a restart changes no fact, and so no version");
    player
}

#[tokio::test]
async fn two_players_play_on_through_kill_after_kill() {
    let mut server = ServerProcess::start(&[]);
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let code = ada.host().await;
    server = server.restart();
    ada = back(&server, ada, "Ada").await;
    bob = server.returning("Bob", Some(bob.token.clone())).await;
    bob.join(code, Role::Player).await.unwrap();
    for cells in [&[4, 0][..], &[8], &[1, 2, 7]] {
        play_out(&mut ada, &mut bob, cells).await;
        server = server.restart();
        ada = back(&server, ada, "Ada").await;
        bob = back(&server, bob, "Bob").await;
        ada.until("the same version", |ada| ada.state().v >= bob.state().v).await;
    }
    play_out(&mut ada, &mut bob, &[6]).await;
    for player in [&mut ada, &mut bob] {
        player.until("the score", |p| p.state().score == Score { x: 1, o: 0, draws: 0 }).await;
    }
    server = server.restart();
    (ada, bob) = (back(&server, ada, "Ada").await, back(&server, bob, "Bob").await);
    // The next first player and the game's number are kept; offers are not.
    play_again(&mut ada, &mut bob).await;
    assert_eq!(ada.state().turn(), Some(Mark::O));
    server.kill();
    let verified = server.tool("verify");
    assert!(verified.contains("1 room, 0 parties, 1 kept game"), "{verified}");
}

#[tokio::test]
async fn a_room_is_made_once_also_if_the_server_dies_meanwhile() {
    let server = ServerProcess::start(&[]);
    let mut ada = server.player("Ada").await;
    let id = ada.new_id();
    let settings = RoomSettings::default();
    let seats = ByMark::default();
    let intent = LobbyIntent::Create { settings, seats, shuffle: true };
    let create = ClientMessage::Lobby { intent, id };
    let code = ada.ask(create.clone()).await.unwrap();
    assert_eq!(ada.ask(create.clone()).await, Ok(code));
    let mut bob = server.player("Bob").await;
    assert_ne!(bob.ask(create.clone()).await, Ok(code), "an id is its player's own");
    let mut eve = server.player("Eve").await;
    let quick = |id| ClientMessage::Lobby { intent: quick(BoardSpec::default()), id };
    let bobs = quick(bob.new_id());
    let eves = quick(eve.new_id());
    bob.ask(bobs.clone()).await.unwrap();
    let matched = eve.ask(eves.clone()).await.unwrap();
    assert_eq!(bob.ask(bobs.clone()).await, Ok(matched));
    bob.until_running().await;
    let server = server.restart();
    for (player, intent, room) in [(ada, create, code), (bob, bobs, matched), (eve, eves, matched)]
    {
        let mut player = server.returning("Back", Some(player.token.clone())).await;
        assert_eq!(player.ask(intent).await, Ok(room));
    }
}

#[tokio::test]
async fn a_computer_that_was_to_move_moves() {
    let server = ServerProcess::start(&["--computer-delay", "2s"]);
    let mut ada = server.player("Ada").await;
    let computer = Computer { strategy: Strategy::Minimax, strength: Strength::Strong };
    let seats = ByMark { x: SeatRequest::You, o: SeatRequest::Computer(computer) };
    ada.create(RoomSettings::default(), seats).await;
    ada.play(4).await.unwrap();
    let server = server.restart();
    let mut ada = back(&server, ada, "Ada").await;
    assert_eq!(ada.game().ply(), 1);
    ada.until("its move", |p| p.game().ply() == 2).await;
    ada.until("my turn", Player::is_my_turn).await;
}

#[tokio::test]
async fn a_move_clock_goes_on_with_twenty_seconds_more() {
    let server = ServerProcess::start(&[]);
    let settings = RoomSettings { move_time_ms: Some(60_000), ..RoomSettings::default() };
    let (mut ada, mut bob) = server.pair(settings).await;
    ada.play(4).await.unwrap();
    bob.until("the move", |p| p.game().ply() == 1).await;
    let server = server.restart();
    let bob = back(&server, bob, "Bob").await;
    let left = bob.move_ms_left.unwrap();
    // A killed server may have run for five seconds more than is stored.
    assert!((70_000..=85_000).contains(&left), "{left} ms");
}

#[test]
fn an_absent_player_gets_the_grace_anew_and_a_room_nobody_returns_to_ends() {
    world::run(&["--absence-grace=1s", "--room-ttl=8s"], async |mut world| {
        let mut ada = world.player("Ada", None).await;
        let mut bob = world.player("Bob", None).await;
        let code = ada.host().await;
        bob.join(code, Role::Player).await.unwrap();
        ada.until_running().await;
        let lonely = bob.host().await;
        world.crash(&[]).await;
        world.start().await;
        let mut ada = world.player("Ada", Some(ada.token.clone())).await;
        ada.join(code, Role::Player).await.unwrap();
        let since = tokio::time::Instant::now();
        ada.until("Bob's absence", |p| p.presence.seats.o == Some(SeatPresence::Gone)).await;
        assert_eq!(since.elapsed().as_secs(), 1);
        // Nobody comes for the other room: it is looked at when its time is over, counts from then because
        // somebody was there when it was stored, and ends.
        advance_time(Duration::from_secs(30)).await;
        let mut eve = world.player("Eve", None).await;
        assert_eq!(eve.join(lonely, Role::Spectator).await, Err(RefusalCode::NoSuchRoom));
    });
}

#[tokio::test]
async fn a_room_sleeps_when_nobody_is_there_and_wakes_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let kept = format!("--data-dir={}", folder.path().display());
    let server = TestServer::start(&[&kept]).await;
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    play_out(&mut ada, &mut bob, &[4, 0]).await;
    let seen = ada.state().clone();
    let tokens = [ada.token.clone(), bob.token.clone()];
    drop((ada, bob));
    server.until_hibernated(1).await;
    assert_eq!(server.counts().await[0], 1, "a sleeping room is a room");
    let [ada, bob] = tokens;
    let mut ada = server.returning("Ada", Some(ada)).await;
    let mut bob = server.returning("Bob", Some(bob)).await;
    let (one, other) =
        tokio::join!(ada.join(seen.code, Role::Player), bob.join(seen.code, Role::Player));
    assert_eq!([one, other], [Ok(Some(seen.code)); 2]);
    assert_eq!(ada.state().game, seen.game);
    assert_eq!(ada.state().v, seen.v);
    play_out(&mut ada, &mut bob, &[8, 1, 2]).await;

    // A server that is stopped in peace has the same rooms when it comes back.
    let seen = ada.state().clone();
    let token = ada.token.clone();
    server.stop().await;
    assert_eq!(ada.until_closed().await, CloseCode::Restart.number());
    let server = TestServer::start(&[&kept]).await;
    let mut ada = server.returning("Ada", Some(token)).await;
    ada.join(seen.code, Role::Player).await.unwrap();
    assert_eq!(ada.state(), &seen);
}

#[test]
fn two_terminals_continue_soon_without_a_key() {
    let mut server = ServerProcess::start(&[]);
    let (mut ada, _ada) = run(&server, "Ada", &["play", "--first", "x"]);
    let code = code(&ada.wait_text("Room code "));
    let (mut bob, _bob) = run(&server, "Bob", &["play", &code]);
    let _ = ada.wait_text("Your turn");
    let _ = bob.wait_new_after("Your turn", || ada.press("5"));
    let killed = Instant::now();
    server.kill();
    for terminal in [&ada, &bob] {
        let _ = terminal.wait_text("reconnecting");
    }
    let _server = server.restart();
    let is_turn = |turn: &'static str| {
        move |screen: &str| !screen.contains("reconnecting") && screen.contains(turn)
    };
    let _ = ada.wait_for("the game", is_turn("Bob's turn"));
    let _ = bob.wait_for("the game", is_turn("Your turn"));
    let away = killed.elapsed();
    println!("both terminals were back {} ms after the kill", away.as_millis());
    // Two seconds, and as much again for a machine on which all tests run at once.
    assert!(away < Duration::from_secs(4), "back after {away:?}");
    // The move may come with the snapshot of the room, and then no line tells it.
    bob.press("1");
    let _ = ada.wait_for("Bob's move", is_turn("Your turn"));
    let _ = bob.wait_for("his own move", is_turn("Ada's turn"));
    ada.press("9");
    let _ = bob.wait_for("Ada's move", is_turn("Your turn"));
}

#[tokio::test]
async fn games_are_exported_while_the_server_runs() {
    let mut server = ServerProcess::start(&[]);
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    let code = ada.state().code;
    play_out(&mut ada, &mut bob, &[0, 3, 1, 4, 2]).await;
    play_again(&mut ada, &mut bob).await;
    let text = server.tool("export");
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [first, second] = &lines[..] else { panic!("{text}") };
    assert_eq!(first["room"], code.to_string());
    assert_eq!(first["players"]["x"]["name"], "Ada");
    assert_eq!(first["players"]["o"]["player"], bob.id.to_string());
    assert_eq!(first["moves"], serde_json::json!([0, 3, 1, 4, 2]));
    assert_eq!(first["result"]["winner"], "x");
    assert!(first["ended"].as_str().unwrap() >= first["started"].as_str().unwrap());
    assert_eq!((second["game"].as_u64(), second["result"].is_null()), (Some(2), true));
    assert!(!text.contains(ada.token.reveal()), "no token is exported");
    // A room that was changed is no reason to succeed with fewer games.
    server.kill();
    let file = rusqlite::Connection::open(server.folder().join("noughts.db")).unwrap();
    file.execute("UPDATE live SET v = v + 1", []).unwrap();
    server_says(1, &["export", "--data-dir", server.folder().to_str().unwrap()]);
}
