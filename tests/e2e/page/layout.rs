//! A laptop of 1280 × 800 shows every screen without scrolling.

use noughts_harness::{Device, Tab, TestServer};

use super::steps::{accept, address, against_computer, host, my_turn, open};

/// How many pixels are below or beside the window.
const HIDDEN: &str = "Math.max(document.documentElement.scrollHeight - innerHeight,
                               document.documentElement.scrollWidth - innerWidth)";

async fn check(tab: &Tab, what: &str) {
    let hidden = tab.eval(HIDDEN).await;
    assert!(hidden.as_f64().unwrap() <= 0.0, "{hidden} px of {what} are out of sight");
}

#[tokio::test]
async fn a_laptop_shows_every_screen_before_a_game_whole() {
    let server = TestServer::start(&[]).await;
    let tab = against_computer(&server, Device::LAPTOP).await;
    check(&tab, "a room").await;
    for screen in ["", "play/computer", "play/friend", "play/computers", "play/quick", "play/join"]
    {
        tab.goto(&address(&server, &format!("/{screen}"))).await;
        tab.until_text("Connected").await;
        check(&tab, screen).await;
    }
    tab.done().await;
}

#[tokio::test]
async fn a_laptop_shows_a_room_whole_for_all_who_are_in_it() {
    let server = TestServer::start(&[]).await;
    let (ada, code) = host(&server, Device::LAPTOP, "Ada").await;
    ada.find("image", "QR code*").await;
    check(&ada, "a room that waits").await;
    let bob = accept(&server, Device::LAPTOP, &code, "Bob").await;
    my_turn(&ada).await;
    check(&ada, "a room with a game").await;
    // The forms also show the banner that leads back to the seat.
    ada.button("Back").await;
    ada.until_text("You still have a seat").await;
    check(&ada, "a form with a seat elsewhere").await;
    let eve = open(&server, Device::LAPTOP, &format!("/r/{code}")).await;
    eve.until("the notice", "document.querySelector('.notice').textContent.includes('taken')")
        .await;
    check(&eve, "a room that is watched").await;
    for tab in [ada, bob, eve] {
        tab.done().await;
    }
}
