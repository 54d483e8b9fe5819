//! Layout shift: nothing moves by itself in a whole game. The browser itself measures it
//! (<https://web.dev/articles/cls>), with motion on. The score for search engines leaves out what
//! moves within half a second of a tap. A finger that taps again feels just that, so here it counts.

use noughts_harness::{Device, FaultProxy, Tab, TestServer};
use noughts_protocol::Role;

use super::steps::{self, address, my_turn, play, play_game, play_on};

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
pub(super) async fn watched(device: Device, address: &str) -> Tab {
    Tab::open_with(device.moving(), WATCH, address).await
}

/// Forgets the shifts so far: they belong to another screen.
pub(super) async fn begin(tab: &Tab) {
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
    let mut all = 0.0;
    let mut unasked = 0.0;
    let mut lines = String::new();
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
pub(super) async fn check(tab: &Tab, what: &str) {
    let (all, unasked, moved) = shifts(tab).await;
    println!(
        "{what}: a layout shift of {all:.4}, {unasked:.4} of it without a tap before\n{moved}"
    );
    assert!(all <= LIMIT, "{what}: {all}\n{moved}");
}

/// A game with a hint, a stronger computer that says why, its review, and another one.
#[tokio::test]
async fn nothing_moves_in_a_game_against_the_computer() {
    let server = TestServer::start(&["--computer-delay", "200ms"]).await;
    for device in [Device::PHONE, Device::LAPTOP] {
        let tab = watched(device, &address(&server, "/play/computer")).await;
        tab.until_text("Connected").await;
        tab.click("checkbox", "It explains its moves").await;
        tab.button("Start").await;
        my_turn(&tab).await;
        begin(&tab).await;
        tab.button("Harder").await;
        tab.until_text("The computer plays average now.").await;
        tab.button("Hint").await;
        tab.until_text("Hint:").await;
        play(&tab, 2, 2, 'X').await;
        play_on(&tab).await;
        tab.button("Review").await;
        for button in ["First", "Next", "Next", "Previous", "Last"] {
            tab.button(button).await;
        }
        tab.press("Escape").await;
        tab.button("Play again").await;
        play_on(&tab).await;
        check(&tab, &format!("a game against the computer at {} px", device.width)).await;
        tab.done().await;
    }
}

/// A game in which one connection breaks and the other player goes and comes back, and a rematch.
#[tokio::test]
async fn nothing_moves_in_a_game_of_two() {
    let server = TestServer::start(&[]).await;
    for device in [Device::PHONE, Device::LAPTOP] {
        let link = FaultProxy::to(server.address()).await;
        let mut ada = watched(device, &format!("http://{}/", link.address())).await;
        ada.tolerate_no_server();
        let (mut bob, code) = steps::begin(&server, &ada).await;
        begin(&ada).await;

        play_game(&ada, &mut bob, &[(1, 1), (2, 1)]).await;
        my_turn(&ada).await;
        ada.offline(true).await;
        link.cut();
        ada.until_text("Offline").await;
        ada.cell(1, 2).await;
        link.restore();
        ada.offline(false).await;
        ada.until_text("Connected").await;
        bob.play(4).await.unwrap();
        let token = bob.token.clone();
        drop(bob);
        ada.until_text("Bob is away").await;
        let mut bob = server.returning("Bob", Some(token)).await;
        bob.join(code.parse().unwrap(), Role::Player).await.unwrap();
        ada.until("Bob's return", "!document.body.innerText.includes('is away')").await;
        play(&ada, 1, 3, 'X').await;
        bob.until_over().await;
        bob.rematch(true).await.unwrap();
        ada.until_text("Bob wants to play again.").await;
        ada.button("Yes, play again").await;
        bob.play(4).await.unwrap();
        my_turn(&ada).await;
        check(&ada, &format!("a game of two people at {} px", device.width)).await;
        ada.done().await;
    }
}

/// The letters, the texts and the connection come later than the rest and move nothing.
#[tokio::test]
async fn nothing_moves_while_the_page_loads() {
    let server = TestServer::start(&[]).await;
    for device in [Device::PHONE, Device::LAPTOP] {
        for path in
            ["/", "/play/computer", "/play/friend", "/play/party", "/p/me", "/leaders", "/puzzle"]
        {
            let tab = watched(device, &address(&server, path)).await;
            tab.until_text("Connected").await;
            tab.until("the screen", "document.querySelector('.slot h1')").await;
            tab.until("all of it", "!document.querySelector('[data-waits=true]')").await;
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
    let push = "document.querySelector('.room').prepend(
        Object.assign(document.createElement('h2'), { textContent: 'pushed' }))";
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
