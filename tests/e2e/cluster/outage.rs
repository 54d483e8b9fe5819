//! All NATS servers die during a game of a phone and a terminal at different nodes, and come back later.
//! With `NOUGHTS_PICTURES=1` it saves what the pages show in `target/screenshots`.

use std::net::SocketAddr;

use noughts_harness::nats::{LOG, until_settled};
use noughts_harness::{Device, NatsServers, ServerProcess, Tab, Terminal};
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
