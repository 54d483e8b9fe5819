//! All NATS servers die during a game of a phone and a terminal at different nodes, and come back later;
//! or one node is cut off from them or frozen, while the others go on.
//! With `NOUGHTS_PICTURES=1` it saves what the pages show in `target/screenshots`.

use std::net::SocketAddr;
use std::path::Path;

use noughts_harness::nats::{LOG, until_settled};
use noughts_harness::{Device, LinkProxy, NatsServers, ServerProcess, Tab, Terminal};
use noughts_protocol::{CloseCode, Role};

use super::evening::hello;
use crate::page::picture;
use crate::page::steps::{code, friend, has, name, play};

async fn page(address: SocketAddr, device: Device, path: &str) -> Tab {
    let mut tab = Tab::open(device, &format!("http://{address}{path}")).await;
    // A node without its log refuses connections.
    tab.tolerate("503");
    tab.tolerate("WebSocket");
    tab
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_waits_for_nats_and_goes_on_by_itself() {
    let Some(mut nats) = NatsServers::start("a game without NATS", 3) else { return };
    let nodes = [0, 1, 2].map(|number| nats.node(number, &[]));
    until_settled(nodes.iter()).await;
    let [first, second, third] = nodes.each_ref().map(ServerProcess::address);

    let ada = page(first, Device::PHONE, "/").await;
    name(&ada, "Ada").await;
    friend(&ada).await;
    let room = code(&ada).await;
    let folder = tempfile::tempdir().unwrap();
    let server = second.to_string();
    let args = ["--server", &server, "--name", "Tess", "play", &room];
    let mut tess = Terminal::run(&args, folder.path(), 24, 80);
    let mut eve = hello(first, "Eve", None).await.unwrap();
    eve.join(room.parse().unwrap(), Role::Spectator).await.unwrap();
    let laptop = page(third, Device::LAPTOP, &format!("/r/{room}")).await;
    laptop.until_text("You are watching").await;
    play(&ada, 2, 2, 'X').await;
    let _ = tess.wait_text("Your turn");
    tess.press("1");
    has(&ada, 1, 1, 'O').await;

    (0..nats.count()).for_each(|server| nats.kill(server));
    ada.cell(1, 3).await;
    picture(&ada, "outage-phone-1-waits").await;
    assert_eq!(eve.until_closed().await, CloseCode::TryAgainLater.number());
    ada.until_text("Offline. Your move is sent as soon as you are back.").await;
    laptop.until_text("Offline").await;
    let _ = tess.wait_text("Connection lost: reconnecting");
    let _ = tess.wait_for("the reason", |screen| screen.contains("refused the connection"));
    picture(&ada, "outage-phone-2-lost").await;
    picture(&laptop, "outage-laptop-2-lost").await;

    (0..nats.count()).for_each(|server| nats.restart(server));
    nats.until_led(LOG).await;
    has(&ada, 1, 3, 'X').await;
    has(&laptop, 1, 3, 'X').await;
    picture(&ada, "outage-phone-3-back").await;
    picture(&laptop, "outage-laptop-3-back").await;
    let _ = tess.wait_for("the turn of O", |screen| screen.contains("last 3"));
    tess.press("2");
    has(&ada, 1, 2, 'O').await;
    play(&ada, 3, 1, 'X').await;
    laptop.until_text("With a diagonal.").await;
    let _ = tess.wait_text("Ada wins");
    ada.done().await;
    laptop.done().await;
}

/// A game after its first move. The terminal, which plays X, the laptop, which watches, and the room are at
/// the first node, and their programs know the others. The phone, which plays O, is at the second.
async fn begun(nodes: &[ServerProcess], folder: &Path) -> (Terminal, Tab, Tab) {
    let [first, second] = [0, 1].map(|node: usize| nodes[node].address());
    let server = first.to_string();
    let args = ["--server", &server, "--name", "Tess", "play", "--first", "x"];
    let mut tess = Terminal::run(&args, folder, 24, 80);
    let room = crate::screen::code(&tess.wait_text("Room code "));
    let laptop = page(first, Device::LAPTOP, &format!("/r/{room}")).await;
    let ada = page(second, Device::PHONE, &format!("/r/{room}")).await;
    name(&ada, "Ada").await;
    ada.button("Play").await;
    ada.until_screen("room").await;
    laptop.until_text("You are watching").await;
    tess.press("5");
    has(&ada, 2, 2, 'X').await;
    (tess, laptop, ada)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_on_without_a_node_that_is_frozen() {
    let Some(nats) = NatsServers::start("a node that is frozen", 3) else { return };
    let nodes = [0, 1, 2].map(|number| nats.node(number, &[]));
    until_settled(nodes.iter()).await;
    let folder = tempfile::tempdir().unwrap();
    let (mut tess, laptop, ada) = begun(&nodes, folder.path()).await;
    nodes[0].freeze();
    play(&ada, 1, 1, 'O').await;
    has(&laptop, 1, 1, 'O').await;
    let _ = tess.wait_for("the move of O", |screen| screen.contains("last 1"));
    picture(&laptop, "frozen-1-at-another-node").await;
    tess.press("3");
    has(&ada, 1, 3, 'X').await;
    nodes[0].thaw();
    until_settled(nodes.iter()).await;
    play(&ada, 1, 2, 'O').await;
    let _ = tess.wait_for("the move of O", |screen| screen.contains("last 2"));
    tess.press("7");
    laptop.until_text("With a diagonal.").await;
    let _ = tess.wait_text("You win!");
    ada.done().await;
    laptop.done().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_on_without_a_node_that_is_cut_off_from_nats() {
    let Some(nats) = NatsServers::start("a node without NATS", 3) else { return };
    let mut proxies = Vec::new();
    for server in 0..nats.count() {
        proxies.push(LinkProxy::to((nats.ip(server), 4222).into()).await);
    }
    let nodes = [nats.node_through(&proxies, 0), nats.node(1, &[]), nats.node(2, &[])];
    until_settled(nodes.iter()).await;
    let folder = tempfile::tempdir().unwrap();
    let (mut tess, laptop, ada) = begun(&nodes, folder.path()).await;
    let mut eve = hello(nodes[0].address(), "Eve", None).await.unwrap();

    proxies.iter().for_each(LinkProxy::cut);
    play(&ada, 1, 1, 'O').await;
    picture(&ada, "cut-off-1-other-node").await;
    assert_eq!(eve.until_closed().await, CloseCode::TryAgainLater.number());
    let _ = tess.wait_for("the move of O", |screen| screen.contains("last 1"));
    tess.press("3");
    has(&ada, 1, 3, 'X').await;
    has(&laptop, 1, 3, 'X').await;
    picture(&laptop, "cut-off-2-at-another-node").await;

    proxies.iter().for_each(LinkProxy::restore);
    until_settled(nodes.iter()).await;
    play(&ada, 1, 2, 'O').await;
    let _ = tess.wait_for("the move of O", |screen| screen.contains("last 2"));
    tess.press("7");
    laptop.until_text("With a diagonal.").await;
    picture(&laptop, "cut-off-3-back").await;
    let _ = tess.wait_text("You win!");
    ada.done().await;
    laptop.done().await;
}
