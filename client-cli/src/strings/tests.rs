//! The texts about games, word for word.

use std::time::Instant;

use noughts_protocol::{Cell, Mark, OpeningPhase};

use super::*;
use crate::fixture::{OTHER, against_computer, human, opening, snapshot};

#[track_caller]
fn check_status(moves: &[u16], mine: &[Mark], expected: &str) {
    let mut snapshot = snapshot("3x3x3", moves);
    snapshot.you = mine.to_vec();
    let view = RoomView::new(&snapshot, Instant::now()).unwrap();
    assert_eq!(status(&view), expected);
}

#[test]
fn results_are_told_to_winner_loser_and_spectator() {
    let row = [0, 3, 1, 4, 2];
    check_status(&row, &[Mark::X], "You win with row 1.");
    check_status(&row, &[Mark::O], "Ada wins with row 1.");
    check_status(&row, &[], "Ada wins with row 1.");
    check_status(&row, &[Mark::X, Mark::O], "X wins with row 1.");
    let both_diagonals = [0, 1, 8, 3, 2, 5, 6, 7, 4];
    check_status(&both_diagonals, &[], "Ada wins with the main diagonal and the counter diagonal.");
    check_status(&[0, 1, 2, 4, 3, 5, 7, 6, 8], &[Mark::X], "Draw: the board is full.");
}

#[test]
fn whose_turn_it_is() {
    check_status(&[], &[Mark::X], "Your turn (X).");
    check_status(&[], &[Mark::O], "Ada's turn (X).");
    check_status(&[0], &[Mark::X, Mark::O], "O to move.");
    let view = RoomView::new(&against_computer(&[0]), Instant::now()).unwrap();
    assert_eq!(status(&view), "The computer is thinking (O).");
}

#[test]
fn ends_that_are_not_on_the_board() {
    let view = RoomView::new(&snapshot("3x3x3", &[]), Instant::now()).unwrap();
    let check = |result, expected| assert_eq!(result_text(&view, &result), expected);
    let (won, lost) = (Mark::X, Mark::O);
    check(GameResult::Resignation { winner: won }, "You win: the opponent resigned.");
    check(GameResult::Resignation { winner: lost }, "Bob wins: you resigned.");
    check(GameResult::Time { winner: lost }, "Bob wins: you ran out of time.");
    check(GameResult::Absence { winner: Some(won) }, "You win: the opponent was away too long.");
    check(GameResult::Absence { winner: Some(lost) }, "Bob wins: you were away too long.");
    check(GameResult::Absence { winner: None }, "Draw: one side was away too long.");
    check(GameResult::NoLineLeft, "Draw: nobody can win any more.");
}

#[test]
fn events_are_told_from_where_we_sit() {
    let view = RoomView::new(&snapshot("3x3x3", &[]), Instant::now()).unwrap();
    let moved = |mark, cell| Event::Moved { game: 1, ply: 0, mark, cell: Cell(cell) };
    let say = |view: &RoomView, e: &Event| event_text(view, e, None);
    assert_eq!(say(&view, &moved(Mark::X, 4)).unwrap(), "You play 5 with X.");
    assert_eq!(say(&view, &moved(Mark::O, 4)).unwrap(), "Bob plays 5 with O.");
    let away = Presence::Away { claim_in_ms: 42_000 };
    let presence = |mark, presence| Event::Presence { mark, presence };
    let said = say(&view, &presence(Mark::O, away)).unwrap();
    assert_eq!(said, "Bob is away.");
    assert_eq!(say(&view, &presence(Mark::X, away)), None, "we know where we are");
    let renamed = Event::Seated { mark: Mark::O, seat: human(OTHER, "Rob") };
    let before = human(OTHER, "Bob");
    assert_eq!(event_text(&view, &renamed, Some(&before)).unwrap(), "Rob now plays O.");
    let left = Event::Seated { mark: Mark::O, seat: Seat::Open };
    assert_eq!(event_text(&view, &left, Some(&before)).unwrap(), "Bob left: O's seat is open.");
}

#[test]
fn clocks_round_up() {
    let check = |ms, expected| assert_eq!(clock(Duration::from_millis(ms)), expected);
    check(0, "0:00");
    check(1, "0:01");
    check(42_000, "0:42");
    check(61_500, "1:02");
    check(3_600_000, "1:00:00");
}

#[track_caller]
fn check_opening(phase: OpeningPhase, moves: &[u16], mine: &[Mark], expected: &str) {
    let mut snapshot = opening(phase, moves);
    snapshot.you = mine.to_vec();
    let view = RoomView::new(&snapshot, Instant::now()).unwrap();
    assert_eq!(status(&view), expected);
}

#[test]
fn an_opening_says_what_to_do() {
    use Mark::{O, X};
    let placing = OpeningPhase::Placing { by: X, until_ply: 3 };
    let place = "Place three marks for the opening: X, O, X. Next: O.";
    check_opening(placing, &[112], &[X], place);
    check_opening(placing, &[112], &[X, O], place);
    check_opening(placing, &[112], &[O], "Ada places three marks for the opening. Next: O.");
    let choosing = OpeningPhase::Choosing { by: O, may_add: true };
    let choose = "Choose: x play X, o play O, a add two marks.";
    check_opening(choosing, &[112, 113, 150], &[O], choose);
    check_opening(choosing, &[112, 113, 150], &[], "Bob chooses a side.");
    let adding = OpeningPhase::Placing { by: O, until_ply: 5 };
    check_opening(adding, &[112, 113, 150, 151], &[O], "Add two marks: O, X. Next: X.");
    check_opening(adding, &[112, 113, 150, 151], &[], "Bob adds two marks. Next: X.");
    let last = OpeningPhase::Choosing { by: X, may_add: false };
    check_opening(last, &[112, 113, 150, 151, 7], &[X], "Choose: x play X, o play O.");
}

#[test]
fn a_mark_of_an_opening_is_told_with_who_placed_it() {
    let phase = OpeningPhase::Placing { by: Mark::X, until_ply: 3 };
    for (mine, expected) in [(Mark::X, "You place O on i8."), (Mark::O, "Ada places O on i8.")] {
        let mut snapshot = opening(phase, &[112]);
        snapshot.you = vec![mine];
        let mut view = RoomView::new(&snapshot, Instant::now()).unwrap();
        let moved = Event::Moved { game: 1, ply: 1, mark: Mark::O, cell: Cell(113) };
        view.apply(11, &moved, None, Instant::now()).unwrap();
        assert_eq!(event_text(&view, &moved, None).unwrap(), expected);
    }
}

#[test]
fn chosen_sides_are_told_to_each() {
    let phase = OpeningPhase::Choosing { by: Mark::O, may_add: true };
    for (mine, expected) in [
        (vec![Mark::X], "The sides are chosen and exchanged. You play O, Bob plays X."),
        (vec![], "The sides are chosen and exchanged. Bob plays X, Ada plays O."),
    ] {
        let mut snapshot = opening(phase, &[112, 113, 150]);
        snapshot.you = mine;
        let mut view = RoomView::new(&snapshot, Instant::now()).unwrap();
        let done = Event::Opening { game: 1, phase: OpeningPhase::Done, swapped: true };
        view.apply(11, &done, None, Instant::now()).unwrap();
        assert_eq!(event_text(&view, &done, None).unwrap(), expected);
    }
}
