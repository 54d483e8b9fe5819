//! Reviews, and the series beside the names.

use noughts_protocol::{GameResult, Mark, Series};

use super::*;

#[test]
fn a_review_steps_through_the_game() {
    let cells = [0, 3, 1, 4, 2];
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &cells));
    driver.app.shell.client.options.ascii = true;
    check_has(&screen(&mut driver, 80, 24), &["v review"]);
    driver.feed(review(&cells));
    let shown = screen(&mut driver, 80, 24);
    check_has(&shown, &["move 5 of 5", ">  5 X 3   + best (won)", "1 mistake, proven.", "*"]);
    check_has(&shown, &["  2 O 4   ? mistake: drawn -> lost", "Esc back"]);
    driver.press(KeyCode::Left);
    let shown = screen(&mut driver, 40, 20);
    check_has(&shown, &["move 4 of 5", ">  4 O 5"]);
    assert!(!shown.contains('*'), "the line was not complete then\n{shown}");
    // The better move stands on the board where the mistake was made.
    driver.press(KeyCode::Left);
    driver.press(KeyCode::Left);
    let shown = screen(&mut driver, 80, 24);
    check_has(&shown, &["move 2 of 5", "5 was better.", "(  o  )", ">  2 O 4"]);
    driver.press(KeyCode::Home);
    driver.press(KeyCode::Left);
    check_has(&screen(&mut driver, 24, 10), &["move 0 of 5", "1  2  3"]);
    driver.press(KeyCode::End);
    driver.press(KeyCode::Right);
    check_has(&screen(&mut driver, 80, 24), &["move 5 of 5"]);
    driver.press(KeyCode::Esc);
    check_has(&screen(&mut driver, 80, 24), &["r plays again"]);
    // The next game closes the review.
    driver.feed(review(&cells));
    driver.feed(event(11, game_started(2, Mark::O, Default::default())));
    check_has(&screen(&mut driver, 80, 24), &["Bob's turn"]);
    driver.feed(review(&cells));
    check_has(&screen(&mut driver, 80, 24), &["Bob's turn"]);
}

#[test]
fn a_review_that_breaks_the_rules_shows_nothing() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[0, 3, 1, 4, 2]));
    for cells in [&[0, 0][..], &[9_000], &[]] {
        driver.feed(review(cells));
        screen(&mut driver, 80, 24);
        driver.press(KeyCode::Esc);
    }
}

#[test]
fn a_review_says_that_the_game_was_resigned_and_one_without_a_move_has_none() {
    let resigned = |moves: &[u16]| {
        let mut room = snapshot("3x3x3", moves);
        room.game.as_mut().unwrap().result = Some(GameResult::Resignation { winner: Mark::X });
        AppDriver::in_room(room)
    };
    let mut driver = resigned(&[4]);
    driver.feed(review(&[4]));
    check_has(&screen(&mut driver, 80, 24), &["O resigned", "until the resignation"]);
    let shown = screen(&mut resigned(&[]), 80, 24);
    check_has(&shown, &["r plays again"]);
    assert!(!shown.contains("review"), "{shown}");
}

#[test]
fn a_decided_series_names_its_score_and_an_offer_its_length() {
    let mut over = snapshot("3x3x3", &[0, 3, 1, 4, 2]);
    (over.score.x, over.score.o, over.series.first_to) = (3, 1, Some(3));
    check_has(&room_screen(over.clone(), 80, 24), &["You win the series 3 : 1!", "next series"]);
    over.presence.rematch = Some(Mark::X);
    over.presence.series = Some(Series { first_to: Some(5) });
    check_has(&room_screen(over, 80, 24), &["You offer a new series, first to 5:", "withdraws it"]);
}

#[test]
fn a_series_is_dots_beside_the_names() {
    let mut game = snapshot("3x3x3", &[]);
    (game.score.x, game.series.first_to) = (2, Some(3));
    let shown = room_screen(game.clone(), 80, 24);
    check_has(&shown, &["X Ada (you)  2 ●●○", "O Bob        0 ○○○", "first to 3"]);
    let mut driver = AppDriver::in_room(game.clone());
    driver.app.shell.client.options.ascii = true;
    check_has(&screen(&mut driver, 80, 24), &["2 **.", "0 ..."]);
    // A panel of little width has the length in a row of its own.
    check_has(&room_screen(game.clone(), 64, 24), &["First to 3"]);
    game.series.first_to = Some(20);
    check_has(&room_screen(game, 80, 24), &["X Ada (you)  2", "irst to 20"]);
}
