//! Keyboard, touch, and touch on a large board.

use noughts_harness::{Device, Tab, TestServer};

use super::steps::{empty_cell, has, my_turn, open, rare_board};

/// Presses Tab until something has the focus.
async fn tab_to(tab: &Tab, role: &str, name: &str) {
    for _ in 0..60 {
        tab.press("Tab").await;
        let focused = tab.focused().await;
        if focused.is_some_and(|thing| thing.is_a(role, name)) {
            return;
        }
    }
    panic!("Tab does not lead to {role} {name:?}");
}

async fn focus_is(tab: &Tab, name: &str) {
    let focused = tab.focused().await;
    let is = focused.as_ref().is_some_and(|thing| thing.name.starts_with(name));
    assert!(is, "the focus should be on {name:?}, and is on {focused:?}");
}

#[tokio::test]
async fn a_game_is_played_with_the_keyboard_alone() {
    let server = TestServer::start(&[]).await;
    let tab = open(&server, Device::LAPTOP, "/").await;
    tab_to(&tab, "link", "Play the computer*").await;
    tab.press("Enter").await;
    tab.until_screen("computer").await;
    tab_to(&tab, "button", "Start").await;
    tab.press("Enter").await;
    my_turn(&tab).await;

    tab_to(&tab, "gridcell", "5, row 2, column 2*").await;
    for (key, cell) in [
        ("ArrowUp", "2, row 1, column 2"),
        ("ArrowUp", "2, row 1, column 2"),
        ("End", "3, row 1, column 3"),
        ("ArrowDown", "6, row 2, column 3"),
        ("Home", "4, row 2, column 1"),
        ("ArrowRight", "5, row 2, column 2"),
        ("ArrowLeft", "4, row 2, column 1"),
        ("ArrowRight", "5, row 2, column 2"),
    ] {
        tab.press(key).await;
        focus_is(&tab, cell).await;
    }
    tab.press("Enter").await;
    has(&tab, 2, 2, 'X').await;
    focus_is(&tab, "5, row 2, column 2, X").await;
    my_turn(&tab).await;
    // One tab stop: the next one is outside the board.
    tab.press("Tab").await;
    let left = tab.focused().await;
    assert!(left.is_none_or(|thing| thing.role != "gridcell"));
    tab.press("Shift+Tab").await;
    focus_is(&tab, "5, row 2, column 2").await;

    // A digit plays its cell. For a taken cell, and for none, the page shows the reason.
    tab.press("5").await;
    tab.until_text("5 is taken by X: choose an empty cell.").await;
    tab.press("0").await;
    tab.until_text("There is no cell 0: choose from 1 to 9.").await;
    let (row, column) = empty_cell(&tab).await;
    tab.press(&((row - 1) * 3 + column).to_string()).await;
    has(&tab, row, column, 'X').await;

    tab_to(&tab, "button", "Menu").await;
    tab.press("Enter").await;
    tab_to(&tab, "button", "Resign*").await;
    tab.press("Enter").await;
    tab.find("dialog", "Resign this game?").await;
    tab.press("Escape").await;
    tab.until_no("dialog", "*").await;
    focus_is(&tab, "Menu").await;
    tab.press(" ").await;
    tab_to(&tab, "button", "Resign*").await;
    tab.press("Enter").await;
    tab.find("dialog", "Resign this game?").await;
    tab_to(&tab, "button", "Resign").await;
    tab.press("Enter").await;
    tab.until_text("You resigned.").await;
    focus_is(&tab, "Menu").await;
    tab_to(&tab, "button", "Play again").await;
    tab.press("Enter").await;
    my_turn(&tab).await;
    assert!(tab.focused().await.is_some_and(|thing| thing.role == "gridcell"));
    tab.done().await;
}

#[tokio::test]
async fn a_19_by_19_board_is_played_with_a_thumb() {
    let server = TestServer::start(&[]).await;
    let tab = open(&server, Device::SMALL_PHONE, "/play/friend").await;
    tab.click("radio", "Both on this screen*").await;
    rare_board(&tab, "19 × 19*").await;
    tab.button("Start").await;
    my_turn(&tab).await;
    tab.cell(10, 10).await;
    let played = "document.querySelectorAll('[role=gridcell][data-mark]:not(.is-selected)').length";
    tab.find("button", "Play X on j10").await;
    assert_eq!(tab.eval(played).await, 0, "a tap chooses");
    tab.button("Play X on j10").await;
    has(&tab, 10, 10, 'X').await;
    my_turn(&tab).await;
    tab.cell(9, 11).await;
    tab.cell(9, 11).await;
    has(&tab, 9, 11, 'O').await;
    my_turn(&tab).await;
    tab.cell(11, 9).await;
    tab.button("Cancel").await;
    assert_eq!(tab.eval(played).await, 2);
    tab.button("Whole board").await;
    tab.button("Zoom in").await;
    tab.done().await;
}
