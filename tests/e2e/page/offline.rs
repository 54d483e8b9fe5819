//! The page without its server.

use noughts_harness::{Device, LinkProxy, Tab, TestServer};
use serde_json::json;

/// Makes the twenty seconds before the page is kept a fifth of a second.
const HURRY: &str = "
  const wait = setTimeout;
  window.setTimeout = (act, time, ...rest) => wait(act, time === 20_000 ? 200 : time, ...rest);
";

/// The worker's state, asked for again at each look.
const KEPT: &str = "(navigator.serviceWorker.getRegistration().then((known) => {
    window.isNotKept = known && !known.installing && !known.waiting && !known.active;
  }), navigator.serviceWorker.controller || window.isNotKept)";

/// Where a file does not come, as on a machine with much to do, nothing is kept until the next visit.
async fn visit_until_kept(tab: &Tab, address: &str) {
    for _ in 0..10 {
        tab.goto(address).await;
        tab.until("the worker's end", KEPT).await;
        if tab.eval("!!navigator.serviceWorker.controller").await == true {
            return;
        }
    }
    panic!("the page is not kept after ten visits");
}

#[tokio::test]
async fn the_page_opens_and_plays_without_its_server() {
    let server = TestServer::start(&[]).await;
    let link = LinkProxy::to(server.address()).await;
    let mut tab = Tab::new(Device::PHONE).await;
    tab.tolerate("WebSocket connection to");
    tab.tolerate("ERR_");
    tab.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": HURRY })).await;
    visit_until_kept(&tab, &format!("http://{}/", link.address())).await;
    link.cut();
    for path in ["/", "/play/friend"] {
        tab.goto(&format!("http://{}{path}", link.address())).await;
        tab.until_text("Offline").await;
    }
    tab.goto(&format!("http://{}/", link.address())).await;
    tab.until_text("Offline").await;
    tab.cell(2, 2).await;
    tab.until_screen("here").await;
    tab.until("the answer", "document.querySelector('[data-mark=o]')").await;
    tab.reload().await;
    tab.until("the game", "document.querySelectorAll('[data-mark]').length >= 2").await;
    tab.done().await;
}
