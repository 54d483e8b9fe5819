//! Networks that break and come back while a game runs.

use noughts_harness::{Device, FaultProxy, Player, Tab, TestServer};
use noughts_protocol::{Cell, SeatPresence};
use serde_json::json;

use super::steps::{begin, has, my_turn, play};

/// Ada, whose link may be cut, in a running game as X with Bob, whose link may not.
async fn game(server: &TestServer) -> (FaultProxy, Tab, Player) {
    let link = FaultProxy::to(server.address()).await;
    let mut ada = Tab::open(Device::PHONE, &format!("http://{}/", link.address())).await;
    ada.tolerate_no_server();
    let (bob, _) = begin(server, &ada).await;
    // The page loads parts after the board is there: a network that breaks then is an error on the console.
    ada.find("button", "Chat").await;
    (link, ada, bob)
}

#[tokio::test]
async fn a_move_made_without_a_network_arrives_once_when_there_is_one() {
    let server = TestServer::start(&[]).await;
    let (link, ada, mut bob) = game(&server).await;
    // The network is cut and the browser told, as by an operating system.
    ada.offline(true).await;
    link.cut();
    ada.until_text("Offline").await;
    ada.cell(2, 2).await;
    let cell = ada.find("gridcell", "5, row 2, column 2*").await;
    assert_eq!(cell.description, "being sent", "{cell:?}");
    ada.until_text("Keep this page open: your move is sent as soon as you are back.").await;
    link.restore();
    ada.offline(false).await;
    ada.until_text("Connected").await;
    has(&ada, 2, 2, 'X').await;
    bob.until("his turn", Player::is_my_turn).await;
    assert_eq!(bob.game().moves(), [Cell(4)]);
    ada.done().await;
}

/// Loses the first move, like a server that never answers it. The clock skips nine of ten seconds.
const LOSE_A_MOVE: &str = "
  let lost = false;
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    if (lost || JSON.parse(text).type !== 'play') return send.call(this, text);
    lost = text;
  };
  const wait = setTimeout;
  const now = performance.now.bind(performance);
  let skipped = 0;
  performance.now = () => now() + skipped;
  const skip = (act) => () => { skipped += 9_000; act(); };
  const isLong = (time) => time > 9_900 && time <= 10_000;
  window.setTimeout = (act, time) => (isLong(time) ? wait(skip(act), 1_000) : wait(act, time));
  window.lostMove = () => JSON.parse(lost).id;
";

#[tokio::test]
async fn a_move_that_is_never_answered_is_sent_again_by_itself() {
    let server = TestServer::start(&[]).await;
    let ada =
        Tab::open_with(Device::PHONE, LOSE_A_MOVE, &format!("http://{}/", server.address())).await;
    let (mut bob, _) = begin(&server, &ada).await;
    ada.cell(2, 2).await;
    ada.until("a lost move", "lostMove()").await;
    let cell = ada.find("gridcell", "5, row 2, column 2*").await;
    assert_eq!(cell.description, "being sent", "{cell:?}");
    has(&ada, 2, 2, 'X').await;
    bob.play(0).await.unwrap();
    assert_eq!(bob.game().moves(), [4, 0].map(Cell));
    play(&ada, 3, 3, 'X').await;
    ada.done().await;
}

#[tokio::test]
async fn a_phone_that_slept_is_back_in_the_game_by_itself() {
    let server = TestServer::start(&[]).await;
    let (link, ada, mut bob) = game(&server).await;
    play(&ada, 2, 2, 'X').await;
    ada.cdp("Page.setWebLifecycleState", json!({"state": "frozen"})).await;
    link.cut();
    let x = |bob: &Player| bob.presence.seats.x;
    bob.until("her absence", |bob| matches!(x(bob), Some(SeatPresence::Away { .. }))).await;
    bob.play(0).await.unwrap();
    link.restore();
    ada.cdp("Page.setWebLifecycleState", json!({"state": "active"})).await;
    has(&ada, 1, 1, 'O').await;
    my_turn(&ada).await;
    bob.until("her return", |bob| x(bob) == Some(SeatPresence::Connected)).await;
    ada.done().await;
}
