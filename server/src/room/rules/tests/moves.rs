//! Moves: what they lead to, which are refused, and which are repeats.

use super::check;

#[test]
fn players_move_in_turn() {
    check("ada bob", "1 5 3 2", "X 1; O 5; X 3; O 2");
    check("ada ada | 5", "ada 1", "O 1");
    check("ada bob o-first", "bob 5", "O 5");
}

#[test]
fn a_move_that_ends_the_game_carries_the_result_and_the_score() {
    check("ada bob | 1 4 2 5", "ada 3", "X 3, X wins by row 1, 1-0");
    check("ada bob | 1 2 3 5 4 6 8 7", "ada 9", "X 9, draw by full board, 0-0-1");
    check("ada bob early | 1 2 3 5 4 6 8", "bob 7", "O 7, draw by no line left, 0-0-1");
    check("ada computer | 1 4 2 5 9", "computer 6", "O 6, O wins by row 2, 0-1");
}

#[test]
fn the_score_goes_on_with_the_series() {
    let series = "ada bob | 1 4 2 5 3, ada offers, bob offers";
    check(series, "room", "ada v bob, game 2 at ply 0, O to act, 1-0");
    let check_second =
        |moves: &str, expected: &str| check(&format!("{series}, {moves}"), "room", expected);
    check_second("1 2 3 5 4 6 8 7 9", "ada v bob, game 2 at ply 9, over, 1-0-1");
}

#[test]
fn an_illegal_move_is_refused() {
    check("ada bob", "ada 10", "refused no_such_cell: there is no such cell: choose from 1 to 9");
    check("ada bob | 5", "bob 5", "refused cell_taken: cell 5 is taken by X");
    check("ada bob", "bob 5", "refused not_your_turn: it is not your turn");
    check("ada bob | 5", "bob 1 at 0", "refused stale: the game is at ply 1");
    check("ada bob", "ada 1 game 2", "refused stale: that was meant for another game");
    check("ada bob | cid watches", "cid 5", "refused not_seated: you are watching this room");
    check("ada -", "ada 5", "refused not_now: the game has not begun");
    check("ada bob | 1 4 2 5 3", "bob 6", "refused game_over: this game is over");
}

#[test]
fn a_repeat_of_a_move_is_granted_and_changes_nothing() {
    check("ada bob | 5", "ada 5 at 0", "ok");
    check("ada bob | 1 4 2 5 3, ada offers, bob offers", "ada 3 at 4 game 1", "ok");
    check("ada bob | 1 4, ada resigns, ada offers, bob offers, 7", "bob 4 at 1 game 1", "ok");
}

#[test]
fn another_move_in_its_place_is_no_repeat() {
    // O begins the second game: a late first move of the first one is none of it.
    check("ada bob | ada resigns, ada offers, bob offers", "bob 5 at 0 game 1", "refused stale");
    check("ada bob | 5", "ada 6 at 0", "refused stale: the game is at ply 1");
    check("ada bob | 5", "bob 5 at 0", "refused stale");
    check("ada bob | 1 4 2 5 3, ada offers, bob offers", "ada 6 at 4 game 1", "refused stale");
}

#[test]
fn a_computer_moves_if_its_turn_has_not_passed() {
    check("ada computer | 5", "computer 1", "O 1");
    check("ada computer | 5", "computer 5", "ok");
    check("ada computer | 5 1", "computer 2 at 1", "ok");
    check("ada computer | 5", "computer 1 game 2", "ok");
    check("ada computer | 5, ada resigns", "computer 1", "ok");
}

/// In the order that the page of the protocol names.
#[test]
fn of_several_refusals_the_first_is_given() {
    let watched = "ada bob | cid watches";
    check(watched, "cid 999 at 9 game 9", "refused not_seated");
    check(watched, "bob 999 at 9 game 9", "refused stale");
    check(watched, "bob 999 at 9", "refused stale");
    check(watched, "bob 999 at 0", "refused not_your_turn");
    check(watched, "ada 999 at 0", "refused no_such_cell");
    check(watched, "ada claims a win game 9", "refused stale");
    check("ada bob | ada resigns", "ada 1 at 9", "refused game_over");
    check("ada bob | ada resigns", "ada claims a win", "refused game_over");
}
