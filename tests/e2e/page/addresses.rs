//! Addresses: links to rooms, back and forward, reload, home.

use noughts_harness::{Device, TestServer};
use noughts_protocol::Role;

use super::steps::{address, all_done, has, host, join, my_turn, open, play, plays};

#[tokio::test]
async fn back_forward_and_start_over_lead_where_they_should() {
    let server = TestServer::start(&[]).await;
    let tab = open(&server, Device::LAPTOP, "/").await;
    tab.click("link", "Play a friend*").await;
    tab.until_screen("friend").await;
    assert!(tab.address().await.ends_with("/play/friend"));
    tab.back().await;
    tab.until_screen("welcome").await;
    tab.eval("history.forward()").await;
    tab.until_screen("friend").await;
    tab.button("Back").await;
    tab.until_screen("welcome").await;
    tab.click("link", "Play the computer*").await;
    tab.button("Start").await;
    my_turn(&tab).await;
    let room = tab.address().await;
    tab.button("Back*").await;
    tab.until_screen("welcome").await;
    tab.back().await;
    my_turn(&tab).await;
    assert_eq!(tab.address().await, room);
    tab.done().await;
}

#[tokio::test]
async fn a_link_offers_the_open_seat_then_watches_with_an_explanation() {
    let server = TestServer::start(&[]).await;
    let (ada, code) = host(&server, Device::LAPTOP, "Ada").await;
    ada.until_text(&code).await;
    ada.find("image", &format!("QR code of the link to room {code}")).await;
    let link = ada.find("textbox", "Link").await.value;
    assert!(link.ends_with(&format!("/r/{code}")), "{link}");
    let bob = open(&server, Device::PHONE, &format!("/r/{}", code.to_lowercase())).await;
    bob.until_screen("invite").await;
    bob.until_text("Ada invites you to play").await;
    bob.button("Play").await;
    plays(&bob, 'O').await;
    let eve = open(&server, Device::PHONE, &format!("/r/{code}")).await;
    eve.until_text("You are watching.").await;
    play(&ada, 2, 2, 'X').await;
    has(&eve, 2, 2, 'X').await;
    ada.until_text("1 watching").await;
    let counted = eve.eval("document.querySelector('.watchers') === null").await;
    assert_eq!(counted, true, "oneself is counted");
    let _kim = join(&server, &code, "Kim", Role::Spectator).await;
    ada.until_text("2 watching").await;
    eve.until_text("1 watching").await;
    eve.cell(1, 1).await;
    eve.until_text("You are watching. Only players place marks.").await;
    all_done([ada, bob, eve]).await;
}

#[tokio::test]
async fn out_of_a_room_the_start_leads_back_to_the_seat() {
    let server = TestServer::start(&[]).await;
    let (ada, code) = host(&server, Device::PHONE, "Ada").await;
    ada.button("Back*").await;
    ada.until_screen("welcome").await;
    ada.button(&format!("Back to {code}*")).await;
    ada.until_text("Waiting for an opponent").await;
    // A spectator has no seat to return to.
    let _bob = join(&server, &code, "Bob", Role::Player).await;
    let eve = open(&server, Device::PHONE, "/").await;
    eve.goto(&address(&server, &format!("/r/{code}"))).await;
    eve.until_text("You are watching").await;
    eve.button("Back*").await;
    eve.until_screen("welcome").await;
    eve.until_no("button", "Back to*").await;
    my_turn(&ada).await;
    ada.button("Back*").await;
    ada.until("the title", "document.title.startsWith('Your turn')").await;
    ada.button(&format!("Back to {code}: your turn*")).await;
    my_turn(&ada).await;
    all_done([ada, eve]).await;
}
