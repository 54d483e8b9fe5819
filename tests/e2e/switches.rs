//! Clients are told what the host has switched off, so that they do not offer it.

use noughts_harness::player::listed;
use noughts_harness::stranger::hello;
use noughts_harness::{ServerProcess, Stranger, TestServer};
use noughts_protocol::{
    ByMark, Computer, LobbyIntent, RefusalCode, Role, RoomSettings, SeatRequest,
};
use serde_json::{Value, json};

const ALL_OFF: [&str; 3] = ["--no-spectators", "--no-listing", "--no-quick-match"];

#[tokio::test]
async fn everything_off_is_refused_and_playing_goes_on() {
    let server = TestServer::start(&ALL_OFF).await;
    let off = Err(RefusalCode::SwitchedOff);
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    let code = ada.state().code;
    assert!(!ada.state().settings.spectators, "the room says so too");
    let mut eve = server.player("Eve").await;
    assert_eq!(eve.join(code, Role::Spectator).await, off);
    // A seated player returns to the seat in any case.
    bob.join(code, Role::Spectator).await.unwrap();
    assert_eq!(eve.ask_lobby(LobbyIntent::WatchLobby).await, off);
    assert_eq!(eve.quick_match().await, off);
    let create = |settings, seats| LobbyIntent::Create { settings, seats, shuffle: false };
    assert_eq!(eve.ask_lobby(create(listed(), ByMark::default())).await, off);
    let computer = SeatRequest::Computer(Computer::default());
    let exhibition = ByMark { x: computer, o: computer };
    assert_eq!(eve.ask_lobby(create(RoomSettings::default(), exhibition)).await, off);
    assert_eq!(server.get("/api/v1/rooms", "").await.0, 403);
    ada.play(4).await.unwrap();
    bob.play(0).await.unwrap();
}

#[tokio::test]
async fn the_welcome_says_what_is_off_and_nothing_where_all_is_on() {
    let folder = tempfile::tempdir().unwrap();
    let kept = format!("--data-dir={}", folder.path().display());
    let features = |off: &[&str]| {
        let all = ["spectators", "listing", "quick_match", "chat", "history", "ratings", "parties"];
        let features = all.iter().map(|name| ((*name).to_owned(), json!(!off.contains(name))));
        Value::Object(features.collect())
    };
    // A server that keeps nothing has no history.
    for (options, expected) in [
        (&ALL_OFF[..1], features(&["spectators", "history", "ratings"])),
        (&ALL_OFF[..], features(&["spectators", "listing", "quick_match", "history", "ratings"])),
        (&[&kept, "--no-chat"], features(&["chat"])),
        (&[&kept, "--no-ratings"], features(&["ratings"])),
        (&[&kept, "--no-parties"], features(&["parties"])),
        (&[&kept], Value::Null),
    ] {
        let server = TestServer::start(options).await;
        let welcome = Stranger::connect(&server).await.ask(&hello("Ada")).await;
        assert_eq!(welcome["features"], expected);
        server.stop().await;
    }
}

#[test]
fn the_terminal_offers_none_of_it() {
    let server = ServerProcess::start(&ALL_OFF);
    let folder = tempfile::tempdir().unwrap();
    let mut ada = server.terminal(folder.path(), &[]);
    let _ = ada.wait_text("Name:   Guest");
    ada.press("\r");
    let menu = ada.wait_text("4 Play both sides here");
    for off in ["Play a stranger", "Watch", "Public"] {
        assert!(!menu.contains(off), "{menu}");
    }
    ada.press("1");
    let setup = ada.wait_text("Time for a move");
    for off in ["Spectators", "In the public list", "who is winning"] {
        assert!(!setup.contains(off), "{setup}");
    }
    let mut rooms = server.pipe(folder.path(), &["rooms"]);
    assert_eq!(rooms.wait_exit(), 2);
}
