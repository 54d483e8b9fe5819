//! Announcements and switched features on the full screen.

use noughts_protocol::Features;

use super::*;
use crate::fixture::{after, announcement, switched};
use crate::tui::ui::tests::screen;

const FIRST: &str = "The host says: Be kind.";

#[test]
fn what_the_host_says_can_be_read_and_stays_until_a_key_is_pressed() {
    let game = snapshot("3x3x3", &[]);
    let mut driver = AppDriver::in_room(game.clone());
    let effects = driver.feed(announcement("Be kind."));
    assert_eq!(effects, [Effect::Call(FIRST.into())], "who looks elsewhere is called");
    driver.press(KeyCode::Down);
    driver.feed_all(moves(&game, &[0]));
    let shown = screen(&mut driver, 80, 24);
    assert!(shown.contains(FIRST) && shown.contains("You play"), "{shown}");
    driver.now = after(driver.now, 7);
    driver.press(KeyCode::Down);
    assert!(screen(&mut driver, 80, 24).contains(FIRST), "a player who moves has read nothing yet");
    driver.now = after(driver.now, 1);
    driver.press(KeyCode::Down);
    assert!(!screen(&mut driver, 80, 24).contains(FIRST));
}

#[test]
fn the_last_announcements_stand_above_each_other_as_far_as_they_fit() {
    let mut driver = AppDriver::in_menu();
    let long = "one two three four ".repeat(14);
    for text in ["first", "second", "third", &long] {
        driver.feed(announcement(text));
    }
    let shown = screen(&mut driver, 80, 24);
    let says = |text: &str| shown.contains(&format!("The host says: {text}"));
    assert!(!says("first") && says("second") && says("third") && says("one"), "{shown}");
    let shown = screen(&mut driver, 24, 10);
    assert!(shown.contains("Noughts") && shown.contains("q quit"), "the rest stays\n{shown}");
}

#[test]
fn a_screen_that_the_host_switches_off_closes() {
    for (key, off) in [
        ("3", Features { quick_match: false, ..Features::ALL_ON }),
        ("5", Features { listing: false, ..Features::ALL_ON }),
    ] {
        let mut driver = AppDriver::in_menu();
        let items = Menu::items(&driver.app.shell).len();
        driver.type_text(key);
        driver.feed(switched(off));
        assert!(matches!(driver.app.screen, Screen::Menu), "{key}");
        assert!(driver.message().starts_with("The host has switched "), "{}", driver.message());
        assert_eq!(Menu::items(&driver.app.shell).len(), items - 1);
        driver.feed(switched(Features::ALL_ON));
        assert_eq!(Menu::items(&driver.app.shell).len(), items, "it is back");
    }
}

#[test]
fn a_line_that_is_typed_when_talk_is_switched_off_is_kept() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    driver.type_text("thello");
    driver.feed(switched(Features { chat: false, ..Features::ALL_ON }));
    assert_eq!(driver.talk_prompt(), None);
    // Keys that come at once belong to the line that was closed.
    driver.now = after(driver.now, 1);
    driver.type_text("t");
    assert_eq!(driver.talk_prompt(), None);
    driver.feed(switched(Features::ALL_ON));
    driver.type_text("t");
    assert_eq!(driver.talk_prompt().unwrap().0, " Say: hello");
}
