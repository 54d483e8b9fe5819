//! Oneself on the full screen: the profile, an identity that is saved to a file, being forgotten.

use super::*;

/// The keys: four up from the menu's first item, to the end of a list, one line down, and an empty field.
const TO_PROFILE: &str = "\u{1b}[A\u{1b}[A\u{1b}[A\u{1b}[A\u{1b}[A\u{1b}[A";
const TO_THE_END: &str = "\u{1b}[6~\u{1b}[6~\u{1b}[6~";
const DOWN: &str = "\u{1b}[B";
const CLEAR: &str = "\u{15}";

#[test]
fn a_player_saves_who_they_are_and_is_forgotten() {
    let server = ServerProcess::start(&["--computer-delay", "0s"]);
    let (mut ada, folder) = run(&server, "Ada", &["play", "--both"]);
    let _ = ada.wait_text("X to move");
    let _ = ada.wait_new("m", "My profile");
    let _ = ada.wait_new(TO_PROFILE, "> a My profile");
    let screen = ada.wait_new(ENTER, "Ada (you)");
    assert!(screen.contains("No finished games yet."), "{screen}");
    let file = folder.path().join("ada.json");
    let _ = ada.wait_text("Continue on another device");
    let _ = ada.wait_new(DOWN, "Enter save");
    let _ = ada.wait_new(ENTER, "Whoever has this file is you");
    ada.press(&format!("{CLEAR}{}", file.display()));
    let _ = ada.wait_new(ENTER, "Saved to");
    let saved = std::fs::read_to_string(&file).unwrap();
    assert!(saved.contains(r#""name":"Ada""#), "{saved}");
    let _ = ada.wait_text("Forget me...");
    let _ = ada.wait_new(TO_THE_END, "Enter forget me");
    let _ = ada.wait_new(ENTER, "It cannot be undone");
    let _ = ada.wait_new("n", "Enter forget me");
    let _ = ada.wait_new(ENTER, "It cannot be undone");
    let screen = ada.wait_new("y", "You are forgotten here");
    assert!(!screen.contains("Back to "), "the room is left too: {screen}");
    ada.press("q");
    assert_eq!(ada.wait_exit(), 0);
}
