//! The page without its server.

use noughts_harness::{Device, FaultProxy, Tab, TestServer};
use serde_json::json;

/// Makes the twenty seconds before the page is kept a fifth of a second.
const HURRY: &str = "
  const wait = setTimeout;
  window.setTimeout = (act, time, ...rest) => wait(act, time === 20_000 ? 200 : time, ...rest);
";

#[tokio::test]
async fn the_page_opens_and_plays_without_its_server() {
    let server = TestServer::start(&[]).await;
    let link = FaultProxy::to(server.address()).await;
    let mut tab = Tab::new(Device::PHONE).await;
    tab.tolerate_no_server();
    // A worker that the test's driver attaches to waits for a debugger and may be given up.
    let detached = json!({ "autoAttach": false, "waitForDebuggerOnStart": false, "flatten": true });
    tab.cdp("Target.setAutoAttach", detached).await;
    tab.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": HURRY })).await;
    tab.goto(&format!("http://{}/", link.address())).await;
    tab.until("the worker", "navigator.serviceWorker.controller").await;
    tab.goto(&format!("http://{}/puzzle", link.address())).await;
    tab.until("the puzzle of the day", "document.querySelector('.puzzle-head')").await;
    link.cut();
    for path in ["/", "/play/friend"] {
        tab.goto(&format!("http://{}{path}", link.address())).await;
        tab.until_text("Offline").await;
    }
    tab.goto(&format!("http://{}/puzzle", link.address())).await;
    tab.until("the puzzle of the day", "document.querySelector('.puzzle-head')").await;
    tab.goto(&format!("http://{}/", link.address())).await;
    tab.until_text("Offline").await;
    tab.cell(2, 2).await;
    tab.until_screen("here").await;
    tab.until("the answer", "document.querySelector('[data-mark=o]')").await;
    tab.reload().await;
    tab.until("the game", "document.querySelectorAll('[data-mark]').length >= 2").await;
    // Two at one screen have a game of their own, after one against the computer too.
    tab.goto(&format!("http://{}/", link.address())).await;
    tab.click("link", "One screen").await;
    tab.until_text("X to move").await;
    tab.done().await;
}
