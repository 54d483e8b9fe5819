//! Links of a room: the game that has just ended, and the profiles of its players. The seat is kept.

use noughts_harness::{Device, TestServer};

use super::steps::{all_done, menu, my_turn, pair_on, path, play, play_out};

#[tokio::test]
async fn a_rooms_end_leads_to_the_kept_game_and_names_lead_to_profiles() {
    let server = TestServer::keeping(&[]).await;
    let (ada, bob, _) = pair_on(&server, Device::LAPTOP, Device::PHONE).await;
    let room = path(&ada).await;
    play_out((&ada, 'X'), (&bob, 'O'), &[(2, 2), (1, 2), (1, 1), (1, 3)]).await;
    my_turn(&ada).await;
    ada.until_no("link", "Game *").await;
    play(&ada, 3, 3, 'X').await;

    // The number of the game becomes a link, and nothing moves.
    ada.click("link", "Game *").await;
    ada.until_screen("game").await;
    ada.until_text("With a diagonal").await;
    let game = path(&ada).await;
    assert!(game.starts_with("/g/"), "{game}");
    ada.eval("history.back()").await;
    ada.until_screen("room").await;
    assert_eq!(path(&ada).await, room);

    menu(&bob, "Look at this game").await;
    bob.until_screen("game").await;
    assert_eq!(path(&bob).await, game, "both see the same game");
    bob.eval("history.back()").await;
    bob.until_screen("room").await;
    menu(&bob, "Share this game").await;
    bob.find("dialog", "Show this game to somebody").await;
    let link = bob.eval("document.querySelector('dialog .share-link').value").await;
    assert!(link.as_str().unwrap().ends_with(&game), "{link}");
    bob.button("Close").await;

    bob.click("link", "Ada").await;
    bob.until_screen("profile").await;
    bob.until_text("Ada").await;
    assert!(path(&bob).await.starts_with("/p/"));
    assert_ne!(path(&bob).await, "/p/me");
    bob.eval("history.back()").await;
    bob.until_screen("room").await;
    bob.click("link", "Bob").await;
    bob.until_screen("profile").await;
    assert_eq!(path(&bob).await, "/p/me");
    bob.eval("history.back()").await;
    bob.until_screen("room").await;

    // Both still have their seats, and the next game has no link yet.
    bob.button("Play again").await;
    ada.button("Yes, play again").await;
    play(&bob, 1, 1, 'O').await;
    ada.until_no("link", "Game *").await;
    all_done([ada, bob]).await;
}
