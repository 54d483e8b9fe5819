//! Typed lines and names, without a terminal.

use super::*;
use crate::fixture::{OTHER, my_view, snapshot};

#[test]
fn a_line_is_said_unless_a_slash_begins_a_command() {
    let said = |line| read(line, ChatMode::Text);
    let text = |text: &str| Ok(Typed::Say(Said::Text(text.parse().unwrap())));
    assert_eq!(said("  good   game "), text("good game"));
    assert_eq!(said("5"), text("5"), "a digit is no cell here");
    assert_eq!(said("/good_game"), Ok(Typed::Say(Said::Emote(Emote::GoodGame))));
    let mute = |mute| Ok(Typed::Mute { name: "Bob B".to_owned(), mute });
    assert_eq!(said("/mute Bob B"), mute(true));
    assert_eq!(said("/unmute  Bob B "), mute(false));
    assert_eq!(said("/unmute"), Ok(Typed::UnmuteAll));
    assert_eq!(said("\u{202e}\u{1b}[31mred"), text("[31mred"), "codes are no text");
}

#[test]
fn a_line_that_cannot_be_said_says_why() {
    let wrong = |line: &str, mode| read(line, mode).unwrap_err();
    assert_eq!(
        wrong(&"x".repeat(141), ChatMode::Text),
        "write at most 140 characters; an emoji may count as several"
    );
    assert_eq!(wrong("  ", ChatMode::Text), "write something first");
    assert_eq!(wrong("hello", ChatMode::Emotes), "this room has emotes only");
    assert!(wrong("/dance", ChatMode::Text).contains("mute NAME"));
    assert!(wrong("/mute ", ChatMode::Text).contains("the name"));
}

#[test]
fn a_name_means_a_player_without_case_and_is_remembered_for_unmute() {
    let mut names = MutedNames::default();
    let view = my_view(&snapshot("3x3x3", &[]));
    let (intent, name) = names.intent(&view, "bob", true).unwrap();
    assert_eq!(intent, RoomIntent::Mute { player: OTHER, mute: true });
    assert_eq!(name.as_str(), "Bob");
    let (intent, _) = names.intent(&view, "BOB", false).unwrap();
    assert_eq!(intent, RoomIntent::Mute { player: OTHER, mute: false });
    assert!(names.intent(&view, "Ada", true).is_err(), "nobody mutes themselves");
    assert!(names.intent(&view, "Eve", true).unwrap_err().contains("nobody called Eve"));
}
