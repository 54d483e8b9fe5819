//! Public games, the quick match, spectators.

use noughts_harness::player::listed;
use noughts_harness::{Device, TestServer};
use noughts_protocol::{ByMark, Role, RoomSettings};

use super::screens;
use super::steps::{all_done, has, host, my_turn, name, open, play, plays};

#[tokio::test]
async fn the_lists_follow_what_happens_and_lead_into_games() {
    let server = TestServer::start(&[]).await;
    let ada = open(&server, Device::LAPTOP, "/play/lobby").await;
    let eve = open(&server, Device::PHONE, "/play/lobby").await;
    ada.until_text("No open game right now.").await;
    screens::check(&ada, "lobby-empty").await;
    let mut bob = server.player("Bob").await;
    bob.create(listed(), ByMark::default()).await;
    let _others = server.pair(listed()).await;
    ada.find("button", "Watch: Ada against*").await;
    ada.find("button", "Play: Bob against*").await;
    screens::check(&ada, "lobby").await;
    ada.button("Play: Bob against*").await;
    plays(&ada, 'O').await;
    eve.button("Watch: Bob against*").await;
    eve.until_text("You are watching").await;
    bob.play(4).await.unwrap();
    has(&eve, 2, 2, 'X').await;
    play(&ada, 1, 1, 'O').await;
    has(&eve, 1, 1, 'O').await;
    ada.until_text("1 watching").await;
    drop(bob);
    all_done([ada, eve]).await;
}

#[tokio::test]
async fn a_public_game_lives_on_the_start_page_while_the_page_is_seen() {
    let server = TestServer::start(&[]).await;
    let (mut x, mut o) = server.pair(listed()).await;
    let tab = open(&server, Device::PHONE, "/").await;
    let marks =
        |count| format!("document.querySelectorAll('.tile-watch .big-mark').length === {count}");
    tab.until("the board", "document.querySelector('.tile-watch .big-grid')").await;
    tab.until("no mark", &marks(0)).await;
    x.play(4).await.unwrap();
    tab.until("a mark", &marks(1)).await;
    // The two players, the page, and its reader, who is not a person that watches.
    server.until_counts([1, 4, 0]).await;
    let see = |hidden| {
        format!(
            "Object.defineProperty(document, 'hidden', {{ value: {hidden}, configurable: true }});
             document.dispatchEvent(new Event('visibilitychange'))"
        )
    };
    tab.eval(&see(true)).await;
    server.until_counts([1, 3, 0]).await;
    o.play(0).await.unwrap();
    tab.eval(&see(false)).await;
    tab.until("both marks", &marks(2)).await;
    server.until_counts([1, 4, 0]).await;
    tab.click("link", "Play a friend*").await;
    server.until_counts([1, 3, 0]).await;
    assert_eq!(x.presence.spectators, 0);
    tab.done().await;
}

#[tokio::test]
async fn the_heading_gets_the_focus_of_a_room_that_leaves_its_list() {
    let server = TestServer::start(&[]).await;
    let tab = open(&server, Device::LAPTOP, "/play/lobby").await;
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let code = ada.create(listed(), ByMark::default()).await;
    tab.find("button", "Play: Ada against*").await;
    tab.eval("document.querySelector('.room-row button').focus()").await;
    bob.join(code, Role::Player).await.unwrap();
    tab.find("button", "Watch: Ada against Bob").await;
    tab.until("the heading has the focus", "document.activeElement.matches('h1')").await;
    tab.done().await;
}

#[tokio::test]
async fn the_menus_form_for_a_code_is_empty_and_watches() {
    let server = TestServer::start(&[]).await;
    let (ada, _) = server.pair(RoomSettings::default()).await;
    // A room of one's own is nothing to watch.
    let (tab, _) = host(&server, Device::PHONE, "Eve").await;
    tab.button("Back*").await;
    tab.click("link", "Watch by code").await;
    tab.find("heading", "Watch by code").await;
    assert_eq!(tab.find("textbox", "Watch by code").await.value, "");
    tab.fill("Watch by code", &ada.room.as_ref().unwrap().code.to_string()).await;
    tab.button("Watch").await;
    tab.until_text("You are watching.").await;
    tab.done().await;
}

#[tokio::test]
async fn strangers_meet_in_a_quick_match() {
    let server = TestServer::start(&[]).await;
    let ada = open(&server, Device::LAPTOP, "/").await;
    let bob = open(&server, Device::PHONE, "/").await;
    for (tab, called) in [(&ada, "Ada"), (&bob, "Bob")] {
        name(tab, called).await;
        tab.click("link", "Play a stranger").await;
        tab.button("Start").await;
    }
    ada.until_screen("room").await;
    bob.until_screen("room").await;
    ada.until_text("Bob").await;
    bob.until_text("Ada").await;
    let turn = "!!document.querySelector('.room-status[data-now=turn]')";
    ada.until("somebody's turn", "/turn/.test(document.title)").await;
    let (first, second) = if ada.eval(turn).await == true { (&ada, &bob) } else { (&bob, &ada) };
    play(first, 2, 2, 'X').await;
    my_turn(second).await;
    all_done([ada, bob]).await;
}

#[tokio::test]
async fn a_wait_for_a_quick_match_is_cancelled_or_ended_by_the_computer() {
    let server = TestServer::start(&[]).await;
    let tab = open(&server, Device::PHONE, "/play/quick").await;
    tab.button("Start").await;
    tab.until_text("Looking for an opponent").await;
    server.until_counts([0, 1, 1]).await;
    tab.button("Cancel").await;
    server.until_counts([0, 1, 0]).await;
    tab.button("Start").await;
    tab.button("Play the computer now").await;
    tab.until_screen("room").await;
    tab.until_text("Computer").await;
    server.until_counts([1, 1, 0]).await;
    tab.done().await;
}
