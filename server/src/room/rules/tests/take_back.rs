//! Moves that are taken back: who may, when, and what comes of it.

use super::check;

#[test]
fn against_a_computer_and_alone_the_last_own_move_goes_at_once() {
    check("ada computer | 1 5", "ada takes back", "X takes back to 0");
    check("computer ada | 1 5 9", "ada takes back", "O takes back to 1");
    check("ada ada | 1 5", "ada takes back", "O takes back to 1");
    check(
        "ada computer | 1 5, ada takes back, 2",
        "room",
        "ada v computer, game 1 at ply 1, O to act",
    );
    check("ada computer | 1, ada takes back", "computer at 1 5", "ok");
}

#[test]
fn an_opponent_is_asked_and_accepts_declines_or_plays_on() {
    check("ada bob | 1", "ada takes back", "X asks back");
    check("ada bob | 1, ada takes back", "bob takes back", "X takes back to 0");
    check("ada bob | 1 5, ada takes back", "bob takes back", "X takes back to 0");
    check("ada bob | 1, ada takes back, bob keeps", "bob takes back", "refused not_now");
    check("ada bob | 1 5 2, ada takes back, ada keeps", "bob takes back", "O asks back");
    check("ada bob | 1, ada takes back, 5", "bob takes back", "O asks back");
    check(
        "ada bob | 1, ada takes back, ada goes, 4 s, ada joins",
        "bob takes back",
        "refused not_now",
    );
}

#[test]
fn the_board_the_times_and_the_row_are_those_before_the_move() {
    let taken = "1 5 2, ada takes back, bob takes back";
    check(&format!("ada bob | {taken}"), "room", "ada v bob, game 1 at ply 2, X to act");
    check(&format!("ada bob | {taken}"), "3", "X 3");
    check(&format!("ada bob | {taken}, restarts 1 s, ada joins, bob joins"), "3", "X 3");
    check(&format!("ada bob 10s | {taken}, 5 s"), "clock", "5000 ms");
}

#[test]
fn nothing_is_taken_back_where_that_would_be_unfair_or_too_late() {
    check("ada bob", "ada takes back", "refused not_now: no move of yours can be taken back");
    check("ada bob table | 1", "ada takes back", "refused not_now");
    check("ada bob | cid watches, 1", "cid takes back", "refused not_seated");
    check("ada bob | 1 4 2 5 3", "ada takes back", "refused game_over");
    check("ada bob 13x13x5 swap2 | a1 b1 c1", "ada takes back", "refused not_now");
    check("ada bob | 1 5 2", "ada takes back at 1", "refused stale");
    check("ada computer | 1 5, ada takes back", "ada takes back at 2", "ok");
}
