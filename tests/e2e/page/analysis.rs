//! Hints, reviews, openings.

use noughts_harness::{Device, Tab, TestServer};

use super::steps::{accept, all_done, game, has, open, play, play_game, plays, resign};

#[tokio::test]
async fn a_game_that_is_over_is_stepped_through_with_its_review() {
    let server = TestServer::start(&[]).await;
    let (ada, mut bob, _) = game(&server, Device::LAPTOP).await;
    play_game(&ada, &mut bob, &[(1, 1), (2, 1), (1, 2), (2, 2), (1, 3)]).await;
    let focused = async |tab: &Tab| tab.focused().await.map(|node| node.name);
    ada.eval("document.querySelector('[name=\"review.ask\"]').focus()").await;
    ada.press("Enter").await;
    ada.until_text("Move 5 of 5").await;
    assert_eq!(focused(&ada).await.as_deref(), Some("Move"));
    ada.press("ArrowLeft").await;
    ada.until_text("Move 4 of 5").await;
    ada.press("Escape").await;
    ada.until("the review to close", "!document.querySelector('.review-text')").await;
    assert_eq!(focused(&ada).await.as_deref(), Some("Review"));
    ada.press("Enter").await;
    ada.until_text("Move 5 of 5").await;
    ada.until(
        "the review",
        "/Best|fine|mistake/.test(document.querySelector('.review-text').textContent)",
    )
    .await;
    // The better move is drawn faintly, and is no mark.
    let marks = "[...document.querySelectorAll('[role=gridcell][data-mark]')]
        .filter((cell) => !cell.matches('.is-better')).length";
    for (button, shown) in [("First", 0), ("Next", 1), ("Next", 2), ("Previous", 1), ("Last", 5)] {
        ada.button(button).await;
        ada.until(button, &format!("{marks} === {shown}")).await;
    }
    for (key, shown) in [("Home", 0), ("ArrowRight", 1), ("End", 5), ("ArrowLeft", 4)] {
        ada.press(key).await;
        ada.until(key, &format!("{marks} === {shown}")).await;
    }
    // The answer to a corner is the centre.
    ada.button("First").await;
    ada.button("Next").await;
    ada.button("Next").await;
    ada.until_text("A mistake").await;
    ada.until_text("5 was better.").await;
    let better = ada.find("gridcell", "5, row 2, column 2*").await;
    assert_eq!(better.description, "a better move");
    ada.button("Review").await;
    ada.until_text("With row 1.").await;
    // A player can play again during a review.
    ada.button("Review").await;
    ada.find("button", "Last").await;
    bob.rematch(true).await.unwrap();
    ada.button("Yes, play again").await;
    bob.until_running().await;
    ada.done().await;
}

#[tokio::test]
async fn a_swap2_opening_is_placed_and_chosen() {
    let server = TestServer::start(&[]).await;
    let ada = open(&server, Device::LAPTOP, "/play/friend").await;
    ada.click("radio", "15 × 15*").await;
    ada.click("radio", "Swap2*").await;
    ada.button("Start").await;
    ada.until_screen("room").await;
    let code = super::steps::code(&ada).await;
    let bob = accept(&server, Device::LAPTOP, &code, "Bob").await;
    ada.until_text("Place three marks").await;
    for (row, column, mark) in [(8, 8, 'X'), (8, 9, 'O'), (9, 8, 'X')] {
        play(&ada, row, column, mark).await;
    }
    bob.until_text("Choose your side").await;
    bob.button("Play X").await;
    plays(&bob, 'X').await;
    plays(&ada, 'O').await;
    play(&ada, 9, 9, 'O').await;
    has(&bob, 9, 9, 'O').await;
    resign(&ada).await;
    ada.button("Review").await;
    ada.button("First").await;
    ada.button("Next").await;
    ada.until_text("X was placed in the opening, which is not judged.").await;
    all_done([ada, bob]).await;
}
