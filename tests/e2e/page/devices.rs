//! Two players in one browser, one seat on a second device, a browser that stores nothing.

use noughts_harness::{Device, Tab, TestServer};

use super::steps::{
    address, against_computer, all_done, empty_cell, has, host, menu, my_turn, play, plays,
};

#[tokio::test]
async fn a_tab_may_be_somebody_else() {
    let server = TestServer::start(&[]).await;
    let (ada, code) = host(&server, Device::LAPTOP, "Ada").await;
    let other = ada.another().await;
    other.goto(&address(&server, "/")).await;
    other.button("Play as a different player in this tab").await;
    other.until_text("In this tab you are a different player.").await;
    other.goto(&address(&server, &format!("/r/{code}"))).await;
    other.until_screen("invite").await;
    other.button("Play").await;
    plays(&other, 'O').await;
    play(&ada, 2, 2, 'X').await;
    play(&other, 1, 1, 'O').await;
    other.reload().await;
    plays(&other, 'O').await;
    has(&ada, 1, 1, 'O').await;
    all_done([other, ada]).await;
}

/// The link that links another device.
async fn pass(tab: &Tab) -> String {
    menu(tab, "Continue on another device").await;
    tab.find("image", "QR code that opens your seat on another device").await;
    let link = tab.find("textbox", "Link").await.value;
    assert!(link.contains("#pass="), "{link}");
    link
}

#[tokio::test]
async fn a_seat_is_handed_to_another_device_by_a_link_that_works_once() {
    let server = TestServer::start(&[]).await;
    let laptop = against_computer(&server, Device::LAPTOP).await;
    play(&laptop, 2, 2, 'X').await;
    let link = pass(&laptop).await;
    laptop.button("Close").await;

    let phone = Tab::open(Device::PHONE, &link).await;
    plays(&phone, 'X').await;
    assert!(!phone.address().await.contains("pass"), "the pass is out of the address");
    my_turn(&phone).await;
    let (row, column) = empty_cell(&phone).await;
    play(&phone, row, column, 'X').await;
    has(&laptop, row, column, 'X').await;

    let thief = Tab::open(Device::PHONE, &link).await;
    thief.until_text("This link was used already or is too old").await;
    all_done([laptop, phone, thief]).await;
}

/// As a Chromium that blocks all cookies. The one of the tests has no such preference.
const BLOCKED: &str = "
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError') } });
";

#[tokio::test]
async fn a_browser_that_blocks_storage_says_so_first_and_keeps_the_seat_over_a_reload() {
    let server = TestServer::start(&[]).await;
    let tab = Tab::open_with(Device::PHONE, BLOCKED, &address(&server, "/")).await;
    tab.until_text("This browser stores nothing.").await;
    tab.press("5").await;
    has(&tab, 2, 2, 'X').await;
    my_turn(&tab).await;
    tab.reload().await;
    my_turn(&tab).await;
    has(&tab, 2, 2, 'X').await;
    // Back to the entry of the start page, which was there before the game.
    tab.back().await;
    tab.until_text("your turn").await;
    tab.reload().await;
    tab.click("button", "Back to*").await;
    my_turn(&tab).await;
    assert!(!tab.address().await.contains('?'), "no address has the token");
    tab.done().await;
}
