//! Two people play a series in two browsers, or at one screen; everything that ends a game; names.

use noughts_harness::{Device, TestServer};

use super::steps::{
    address, all_done, game, has, menu, my_turn, name, open, pair_on, play, play_out, resign,
};

#[tokio::test]
async fn two_browsers_play_a_series() {
    let server = TestServer::start(&[]).await;
    let (ada, bob, _) = pair_on(&server, Device::LAPTOP, Device::LAPTOP).await;
    bob.until_text("Ada’s turn").await;
    let row = [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3)];
    play_out((&ada, 'X'), (&bob, 'O'), &row).await;
    for (tab, headline, how) in
        [(&ada, "You win!", "With row 1."), (&bob, "You lose.", "X wins with row 1.")]
    {
        tab.until_text(headline).await;
        tab.until_text(how).await;
    }
    for tab in [&ada, &bob] {
        tab.find("image", "1 won").await;
        let won = tab.find("gridcell", "2, row 1, column 2, X").await;
        assert_eq!(won.description, "in the winning line");
    }

    bob.button("Play again").await;
    ada.until_text("Bob wants to play again.").await;
    bob.until_text("Waiting for Ada.").await;
    bob.button("Cancel the offer").await;
    ada.button("Play again").await;
    bob.button("No, thanks").await;
    ada.until_text("Bob said no.").await;
    ada.button("Play again").await;
    bob.button("Yes, play again").await;
    my_turn(&bob).await;
    ada.until_text("Game 2").await;
    let draw = [(2, 2), (1, 1), (1, 2), (3, 2), (2, 1), (2, 3), (1, 3), (3, 1), (3, 3)];
    play_out((&bob, 'O'), (&ada, 'X'), &draw).await;
    for tab in [&ada, &bob] {
        tab.until_text("Draw.").await;
        tab.until_text("The board is full.").await;
        tab.until_text("1 draw").await;
    }
    all_done([ada, bob]).await;
}

#[tokio::test]
async fn a_new_series_is_offered_and_decided() {
    let server = TestServer::start(&[]).await;
    let (ada, bob, _) = pair_on(&server, Device::LAPTOP, Device::LAPTOP).await;
    resign(&bob).await;
    ada.until_text("Bob resigned.").await;
    ada.button("Series").await;
    ada.find("dialog", "New series").await;
    ada.button("First to 3 wins").await;
    bob.until_text("Ada wants a new series: first to 3.").await;
    bob.button("Yes, series: first to 3").await;
    for won in 1..=3 {
        my_turn(if won % 2 == 1 { &bob } else { &ada }).await;
        resign(&bob).await;
        ada.until_text("Bob resigned.").await;
        if won < 3 {
            ada.button("Play again").await;
            bob.button("Yes, play again").await;
        }
    }
    ada.until_text("You win the series!").await;
    bob.until_text("You lose the series.").await;
    ada.find("image", "3 of 3 won").await;
    bob.find("image", "0 of 3 won").await;
    all_done([ada, bob]).await;
}

#[tokio::test]
async fn leaving_a_running_game_asks_and_gives_the_seat_up() {
    let server = TestServer::start(&[]).await;
    let (ada, bob, _) = pair_on(&server, Device::LAPTOP, Device::LAPTOP).await;
    menu(&bob, "Leave the room").await;
    bob.button("Stay").await;
    bob.until_no("dialog", "*").await;
    menu(&bob, "Leave the room").await;
    bob.find("dialog", "Leave the room?").await;
    bob.button("Leave the room").await;
    bob.until_screen("welcome").await;
    ada.until_text("You win!").await;
    ada.until_text("Bob left. The seat is open.").await;
    menu(&ada, "Leave the room").await;
    ada.until_screen("welcome").await;
    server.until_counts([0, 2, 0]).await;
    all_done([ada, bob]).await;
}

#[tokio::test]
async fn a_name_is_remembered_and_a_new_one_is_seen_by_others() {
    let server = TestServer::start(&[]).await;
    let (ada, mut bob, _) = game(&server, Device::LAPTOP).await;
    play(&ada, 1, 1, 'X').await;
    let again = ada.another().await;
    again.goto(&address(&server, "/")).await;
    let field = again.find("textbox", "Your name").await;
    assert_eq!(field.value, "Ada");
    name(&again, "Countess").await;
    again.button("Back to*").await;
    bob.until("her name", |bob| bob.state().seats.x.label() == "Countess").await;
    has(&again, 1, 1, 'X').await;
    // Both tabs are one player, and both may act.
    bob.play(4).await.unwrap();
    play(&again, 3, 3, 'X').await;
    has(&ada, 3, 3, 'X').await;
    all_done([again, ada]).await;
}

/// Each has a name that only this device knows.
#[tokio::test]
async fn two_at_one_screen_are_called_by_their_names() {
    let server = TestServer::start(&[]).await;
    let tab = open(&server, Device::LAPTOP, "/play/friend").await;
    tab.until_text("Connected").await;
    tab.click("radio", "Both on this screen*").await;
    tab.fill("Who plays X", "Ada").await;
    tab.fill("Who plays O", "  Ben ").await;
    tab.button("Start").await;
    tab.until_text("Ada’s turn").await;
    let names =
        "[...document.querySelectorAll('.seat-name bdi')].map((it) => it.textContent).join()";
    assert_eq!(tab.eval(names).await, "Ada,Ben");
    play(&tab, 1, 1, 'X').await;
    tab.until_text("Ben’s turn").await;
    tab.reload().await;
    tab.until_text("Ben’s turn").await;
    tab.done().await;
}
