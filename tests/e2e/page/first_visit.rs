//! The bytes and requests of a first visit, with headers, until the board is playable.

use noughts_harness::{Device, Tab, TestServer, Traffic};

use super::steps::address;

/// The most bytes until the board of a room is there, compressed with gzip, the font among them.
const FIRST_VISIT: f64 = 95.0 * 1024.0;

/// The most bytes of the start page.
const START_PAGE: f64 = 73.0 * 1024.0;

/// The most requests: the page, its styles, script and texts, the font, the icon and the connection, and
/// the script of the room. Each one waits on a slow network and has its own headers.
const REQUESTS: usize = 7;

/// Those of the start page.
const START_REQUESTS: usize = 6;

/// The bytes of each response for a part of the page that comes after the board.
const LATER: &str = "(parts) => performance.getEntriesByType('resource')
    .filter((one) => new RegExp(parts).test(one.name)).map((one) => one.transferSize)";

/// Visits the page for the first time, clicks the selectors of `play`, and counts what it takes until
/// the board of a room is there.
async fn check(what: &str, language: &'static str, path: &str, server: &TestServer, play: &[&str]) {
    let tab = Tab::new(Device::PHONE.reading(language)).await;
    let mut traffic = tab.traffic().await;
    tab.goto(&address(server, path)).await;
    for selector in play {
        tab.until(selector, &format!("document.querySelector({selector:?})")).await;
        tab.eval(&format!("document.querySelector({selector:?}).click()")).await;
    }
    tab.until("a room", "document.querySelector('[data-screen=room] [role=grid]')").await;
    let (requests, bytes) = count(what, &tab, &mut traffic, "chat|faces|celebrate").await;
    assert!(bytes < FIRST_VISIT, "{what}: {bytes} bytes are more than {FIRST_VISIT}");
    assert!(requests <= REQUESTS, "{what}: {requests} requests are more than {REQUESTS}");
    assert!(requests > 2 && bytes > 20_000.0, "{what}: not everything was counted");
    tab.done().await;
}

/// The requests and bytes so far, without those of `later`: on a slow machine they begin before the count.
async fn count(what: &str, tab: &Tab, traffic: &mut Traffic, later: &str) -> (usize, f64) {
    let later = format!("({LATER})('{later}')");
    // A part that arrives between the two looks would be subtracted and not counted, so we look again.
    let (requests, bytes, later) = loop {
        let before = tab.eval(&later).await;
        let (requests, bytes) = traffic.so_far(tab).await;
        if tab.eval(&later).await == before {
            break (requests, bytes, before);
        }
    };
    let later: Vec<f64> = serde_json::from_value(later).unwrap();
    let requests = requests - later.len();
    let bytes = bytes - later.iter().sum::<f64>();
    println!("{what} costs {bytes} bytes in {requests} requests");
    (requests, bytes)
}

#[tokio::test]
async fn the_start_page_is_smaller_than_a_room() {
    let server = TestServer::start(&[]).await;
    for language in ["en-GB", "de-DE"] {
        let tab = Tab::new(Device::PHONE.reading(language)).await;
        let mut traffic = tab.traffic().await;
        tab.goto(&address(&server, "/")).await;
        tab.until("the connection", "document.querySelector('[data-phase=open]')").await;
        let what = format!("the start page in {language}");
        let (requests, bytes) = count(&what, &tab, &mut traffic, "chat|faces|room").await;
        assert!(bytes < START_PAGE, "{what}: {bytes} bytes are more than {START_PAGE}");
        assert!(requests <= START_REQUESTS, "{what}: {requests} requests");
        assert!(requests > 2 && bytes > 20_000.0, "{what}: not everything was counted");
        tab.done().await;
    }
}

#[tokio::test]
async fn a_first_visit_by_the_link_of_a_room_is_small() {
    let server = TestServer::start(&[]).await;
    for language in ["en-GB", "de-DE"] {
        let code = server.player("Ada").await.host().await;
        let what = format!("a friend's link in {language}");
        check(&what, language, &format!("/r/{code}"), &server, &[".button-primary"]).await;
    }
}

#[tokio::test]
async fn a_first_visit_that_plays_the_computer_is_small() {
    let server = TestServer::start(&[]).await;
    for language in ["en-GB", "de-DE"] {
        let what = format!("a game against the computer in {language}");
        check(&what, language, "/", &server, &["[role=gridcell]"]).await;
    }
}
