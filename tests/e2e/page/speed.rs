//! How soon a slow phone can play. The test prints the time and checks nothing, because machines
//! differ.

use std::time::Instant;

use noughts_harness::{Device, Tab, TestServer};
use serde_json::json;

use super::steps::{address, host, my_turn, play};

/// How much slower than this machine the phone is.
const SLOWER: u32 = 6;

/// Opens an address on a slow phone. Returns the milliseconds from the start of the navigation until
/// the page works.
async fn ready(server: &TestServer, path: &str) -> (Tab, f64) {
    let tab = Tab::new(Device::PHONE).await;
    tab.cdp("Emulation.setCPUThrottlingRate", json!({"rate": SLOWER})).await;
    tab.goto(&address(server, path)).await;
    tab.until_text("Connected").await;
    let ready = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd";
    let ready = tab.eval(ready).await.as_f64().unwrap();
    (tab, ready)
}

#[tokio::test]
async fn a_slow_phone_is_ready_soon() {
    let server = TestServer::start(&[]).await;
    // The server compresses the files for its first visitor, so this is not the first.
    server.get("/", "accept: text/html\r\n").await;
    let (ada, code) = host(&server, Device::LAPTOP, "Ada").await;
    let (bob, invited) = ready(&server, &format!("/r/{code}")).await;
    bob.until_screen("invite").await;
    let (tab, ready) = ready(&server, "/").await;
    let began = Instant::now();
    tab.click("link", "Play the computer*").await;
    tab.button("Start").await;
    my_turn(&tab).await;
    let game = began.elapsed();
    println!("CPU {SLOWER} times slower: the menu answers after {ready} ms, a room's link after");
    println!("{invited} ms; from the menu two taps later in a game after {game:?}");
    play(&tab, 2, 2, 'X').await;
    for tab in [tab, bob, ada] {
        tab.done().await;
    }
}
