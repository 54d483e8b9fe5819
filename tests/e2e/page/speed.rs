//! How soon a slow phone on a slow network sees something and can play. The test prints the times and
//! checks nothing, because machines differ.

use std::time::Instant;

use noughts_harness::{Device, Tab, TestServer};
use serde_json::json;

use super::steps::{address, all_done, has, host};

/// How much slower than this machine the phone is.
const SLOWER: u32 = 6;

/// Slow 4G, as Chromium's own tools emulate it: bytes a second, and milliseconds of latency.
const BYTES: f64 = 1.6e6 / 8.0 * 0.9;
const LATENCY: f64 = 150.0 * 3.75;

/// Notes when the first board or way into a game is on the screen, in milliseconds from the start of the
/// navigation, and when the page's script has run.
const WATCH: &str = "
  const look = () => {
    const there = document.querySelector('[role=grid], .screen .button-primary');
    if (there?.checkVisibility()) requestAnimationFrame(() => { window.seen = performance.now(); });
    else requestAnimationFrame(look);
  };
  look();
";

/// Opens an address on a slow phone. Returns when something to press is seen, when the page answers,
/// and when the largest thing is drawn.
async fn ready(server: &TestServer, path: &str) -> (Tab, String) {
    let tab = Tab::new(Device::PHONE).await;
    tab.cdp("Emulation.setCPUThrottlingRate", json!({"rate": SLOWER})).await;
    tab.cdp("Network.enable", json!({})).await;
    let slow = json!({
        "offline": false, "latency": LATENCY, "downloadThroughput": BYTES, "uploadThroughput": BYTES / 2.0,
    });
    tab.cdp("Network.emulateNetworkConditions", slow).await;
    tab.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH })).await;
    tab.goto(&address(server, path)).await;
    tab.until("something to press", "window.seen").await;
    tab.until_text("Connected").await;
    let times = "new Promise((done) => new PerformanceObserver((list) => {
        const round = Math.round;
        done(`seen after ${round(seen)} ms, the largest thing after ${round(list.getEntries().at(-1).startTime)} ms`);
      }).observe({ type: 'largest-contentful-paint', buffered: true }))";
    let times = tab.eval(times).await;
    (tab, times.as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_slow_phone_is_ready_soon() {
    let server = TestServer::start(&[]).await;
    // The server compresses the files for its first visitor, so this is not the first.
    server.get("/", "accept: text/html\r\n").await;
    let (ada, code) = host(&server, Device::LAPTOP, "Ada").await;
    let (bob, invited) = ready(&server, &format!("/r/{code}")).await;
    bob.until_screen("invite").await;
    let (tab, menu) = ready(&server, "/").await;
    let began = Instant::now();
    tab.cell(2, 2).await;
    has(&tab, 2, 2, 'X').await;
    let game = began.elapsed();
    println!("CPU {SLOWER} times slower, slow 4G. The first screen: {menu}.");
    println!("A room's link: {invited}. From there one tap leads into a game after {game:?}.");
    all_done([tab, bob, ada]).await;
}
