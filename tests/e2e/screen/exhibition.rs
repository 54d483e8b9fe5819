//! Two computers that their maker pauses and steps, and series, on the full screen.

use super::*;

#[test]
fn the_maker_of_two_computers_pauses_them_and_steps() {
    let server = ServerProcess::start(&["--computer-delay", "200ms"]);
    let watch = ["watch", "--computer-x", "weak", "--computer-o", "weak"];
    let (mut ada, _ada) = run(&server, "Ada", &watch);
    let screen = ada.wait_text("space pause");
    let code = screen.split_whitespace().nth(1).unwrap().to_owned();
    let (eve, _eve) = run(&server, "Eve", &["watch", &code]);
    let screen = eve.wait_text("stop watching");
    assert!(!screen.contains("pause"), "only the maker may:\n{screen}");
    let _ = ada.wait_new("p", "The computers are paused");
    let _ = eve.wait_text("The computers are paused");
    // One of them moves, or the next game begins.
    ada.press("n");
    let is_step =
        |screen: &str| !screen.contains("The computers are paused") && screen.contains("n step");
    let screen = ada.wait_for("a step", is_step);
    let steps = |screen: &str| screen.lines().rev().nth(1).unwrap_or_default().to_owned();
    assert!(!steps(&screen).is_empty(), "the step is told:\n{screen}");
    let _ = ada.wait_new(" ", "space pause");
}

#[test]
fn a_new_series_begins_at_zero_and_says_its_length() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _ada) = run(&server, "Ada", &["play", "--both", "--first", "x"]);
    let _ = ada.wait_text("X to move");
    for (cell, told) in
        [("1", "X plays 1"), ("4", "O plays 4"), ("2", "X plays 2"), ("5", "O plays 5")]
    {
        let _ = ada.wait_new(cell, told);
    }
    let _ = ada.wait_new("3", "N new series");
    let _ = ada.wait_new("N", "3 first to 3");
    let _ = ada.wait_new("3", "The first to win 3 games wins the series.");
}
