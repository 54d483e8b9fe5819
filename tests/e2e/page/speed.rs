//! How soon a slow phone can play. The number is printed, not judged: the machine is anybody's.

use std::time::Instant;

use noughts_harness::{Device, Tab, TestServer};
use serde_json::json;

use super::hands::{address, my_turn, play};

/// How much slower than this machine the phone is.
const SLOWER: u32 = 6;

#[tokio::test]
async fn a_slow_phone_is_ready_soon() {
    let server = TestServer::start(&[]).await;
    // The first visitor of a server waits for the files to be compressed; this is not the first.
    server.get("/", "accept: text/html\r\n").await;
    let tab = Tab::new(Device::PHONE).await;
    tab.cdp("Emulation.setCPUThrottlingRate", json!({"rate": SLOWER})).await;
    tab.goto(&address(&server, "/")).await;
    tab.until_text("Connected").await;
    // From the start of the navigation to the menu that answers, as the page itself counts.
    let ready =
        tab.eval("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd").await;
    let loaded = tab.eval(
        "performance.getEntriesByType('resource').filter((r) => r.transferSize > 0)
           .reduce((sum, r) => sum + r.transferSize, 0)
         + performance.getEntriesByType('navigation')[0].transferSize",
    );
    let loaded = loaded.await;
    let began = Instant::now();
    tab.click("link", "Play the computer*").await;
    tab.button("Start").await;
    my_turn(&tab).await;
    let game = began.elapsed();
    println!("CPU {SLOWER} times slower: interactive after {ready} ms, {loaded} bytes in all;");
    println!("from there two taps later in a game after {game:?}");
    play(&tab, 2, 2, 'X').await;
    tab.done().await;
}
