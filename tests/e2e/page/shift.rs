//! Layout shift: nothing moves by itself in a whole game. The browser itself measures it
//! (<https://web.dev/articles/cls>), with motion on. The score for search engines leaves out what
//! moves within half a second of a tap. A finger that taps again feels just that, so here it counts.

use noughts_harness::{Device, Tab, TestServer};
use serde_json::json;

use super::steps::{address, my_turn};

/// The largest sum of all shifts in a game. The browsers' own limit for a good page is ten times
/// as large, and for one burst.
const LIMIT: f64 = 0.01;

/// Records every shift with the element that moved most and its rectangles.
const WATCH: &str = "
  window.shifts = [];
  const told = ({ node, previousRect: a, currentRect: b }) => {
    const element = node?.nodeType === 3 ? node.parentElement : node;
    const name = element ? `${element.localName}.${element.className?.baseVal ?? element.className}` : 'gone';
    const text = element?.textContent.trim().slice(0, 24);
    const at = (r) => `${Math.round(r.x)},${Math.round(r.y)} ${Math.round(r.width)}x${Math.round(r.height)}`;
    return `${name} '${text}' ${at(a)} -> ${at(b)}`;
  };
  window.shiftsOf = (entries) => shifts.push(...entries.map(({ value, hadRecentInput, sources }) =>
    ({ value, input: hadRecentInput, moved: sources.map(told) })));
  window.watching = new PerformanceObserver((list) => shiftsOf(list.getEntries()));
  watching.observe({ type: 'layout-shift', buffered: true });
";

/// A visitor whose shifts are recorded.
async fn watched(device: Device, address: &str) -> Tab {
    let tab = Tab::new(device.moving()).await;
    tab.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH })).await;
    tab.goto(address).await;
    tab
}

/// Forgets the shifts so far: they belong to another screen.
async fn begin(tab: &Tab) {
    settle(tab).await;
    tab.eval("void (shifts.length = 0)").await;
}

/// Waits until what was changed is drawn and measured.
async fn settle(tab: &Tab) {
    let frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
        setTimeout(() => { shiftsOf(watching.takeRecords()); done(); }))))";
    tab.eval(frames).await;
}

/// Both sums since [`begin`], and what moved.
async fn shifts(tab: &Tab) -> (f64, f64, String) {
    settle(tab).await;
    let (mut all, mut unasked, mut lines) = (0.0, 0.0, String::new());
    for shift in tab.eval("shifts").await.as_array().unwrap() {
        let value = shift["value"].as_f64().unwrap();
        all += value;
        if shift["input"] == false {
            unasked += value;
        }
        lines += &format!("{value:.4} input={} {}\n", shift["input"], shift["moved"]);
    }
    (all, unasked, lines)
}

/// Fails if more has moved than [`LIMIT`], with or without a tap before it.
async fn check(tab: &Tab, what: &str) {
    let (all, unasked, moved) = shifts(tab).await;
    println!(
        "{what}: a layout shift of {all:.4}, {unasked:.4} of it without a tap before\n{moved}"
    );
    assert!(all <= LIMIT, "{what}: {all}\n{moved}");
}

/// What comes later than the rest (the letters, the texts, the connection) moves nothing.
#[tokio::test]
async fn nothing_moves_while_the_page_loads() {
    let server = TestServer::start(&[]).await;
    for device in [Device::PHONE, Device::LAPTOP] {
        for path in ["/", "/play/computer", "/play/friend"] {
            let tab = watched(device, &address(&server, path)).await;
            tab.until_text("Connected").await;
            tab.eval("document.fonts.ready.then(() => 0)").await;
            check(&tab, &format!("{path} at {} px", device.width)).await;
            tab.done().await;
        }
    }
}

/// The measure finds a text that appears, also after a tap.
#[tokio::test]
async fn a_text_that_pushes_the_board_is_found() {
    let server = TestServer::start(&[]).await;
    let tab = watched(Device::PHONE, &address(&server, "/play/computer")).await;
    tab.until_text("Connected").await;
    tab.button("Start").await;
    my_turn(&tab).await;
    let push = "document.querySelector('.room').prepend('pushed')";
    begin(&tab).await;
    tab.eval(push).await;
    let (all, _, moved) = shifts(&tab).await;
    assert!(all > LIMIT, "{all} {moved}");
    begin(&tab).await;
    tab.eval(&format!("document.addEventListener('pointerdown', () => {push})")).await;
    tab.cell(1, 1).await;
    let (all, unasked, moved) = shifts(&tab).await;
    assert!(all > LIMIT && unasked < all, "{all} {unasked} {moved}");
    tab.done().await;
}
