//! The next game: who offers it, who accepts, and who begins.

use super::check;

#[test]
fn a_rematch_begins_when_both_offer_it() {
    check("ada bob | ada resigns", "ada offers", "X offers");
    check("ada bob | ada resigns, ada offers", "ada offers", "ok");
    check("ada bob | ada resigns, ada offers", "bob offers", "game 2, O begins, 0-1");
    let second = "ada bob | ada resigns, bob offers, ada offers";
    check(second, "presence", "X here, O here");
}

#[test]
fn an_offer_can_be_taken_back_or_declined() {
    check("ada bob | ada resigns, ada offers", "ada withdraws", "no offer");
    check("ada bob | ada resigns, ada offers", "bob withdraws", "no offer");
    check("ada bob | ada resigns, ada offers, bob leaves", "ada withdraws", "no offer");
    check("ada bob | ada resigns", "ada withdraws", "ok");
}

#[test]
fn a_computer_and_the_other_side_of_a_screen_accept_at_once() {
    check("ada computer | ada resigns", "ada offers", "game 2, O begins, 0-1");
    check("ada ada | ada resigns", "ada offers", "game 2, O begins, 0-1");
}

#[test]
fn an_offer_needs_a_game_that_is_over_and_an_opponent() {
    check("ada -", "ada offers", "refused not_now: the game has not begun");
    check("ada bob", "ada offers", "refused not_now: the game is still running");
    check("ada bob | bob leaves", "ada offers", "refused not_now: your opponent has left");
    check("ada bob | ada resigns, cid watches", "cid offers", "refused not_seated");
    check("ada bob | ada resigns", "ada offers game 2", "refused stale");
    let paired = "refused not_now: the party pairs you next";
    check("ada bob table", "ada offers", paired);
    check("ada bob table | ada resigns", "ada offers", paired);
}

#[test]
fn a_repeat_of_an_offer_that_led_to_a_game_is_granted() {
    let second = "ada bob | ada resigns, ada offers, bob offers";
    check(second, "bob offers game 1", "ok");
    check(second, "ada withdraws game 1", "ok");
    check(&format!("{second}, bob resigns"), "bob offers game 2", "O offers");
}

#[test]
fn an_offer_ends_with_its_player() {
    check("ada bob | ada resigns, ada offers", "ada leaves", "X is open; no offer");
    check(
        "ada bob | ada resigns, ada offers, bob leaves",
        "presence",
        "X here, O nobody, X offers",
    );
    check("ada bob | ada resigns, ada offers", "ada joins as dan", "X is dan");
    check("ada bob | ada resigns, ada offers, ada goes", "3 s", "X away; no offer");
    check("ada bob | ada resigns, ada offers, bob goes", "3 s", "O away");
}

/// Checks who begins after these games; both players accept each rematch.
#[track_caller]
fn check_first(room: &str, games: &[&str], expected: &str) {
    let given = format!("{room} | {}", games.join(", ada offers, bob offers, "));
    check(&format!("{given}, ada offers"), "bob offers", expected);
}

#[test]
fn the_first_move_alternates() {
    let won = "ada resigns";
    check("ada bob", "room", "ada v bob, game 1 at ply 0, X to act");
    check_first("ada bob", &[won], "game 2, O begins, 0-1");
    check_first("ada bob", &[won, won], "game 3, X begins, 0-2");
}

#[test]
fn the_first_move_may_be_fixed_or_drawn() {
    check("ada bob x-first", "room", "ada v bob, game 1 at ply 0, X to act");
    check_first("ada bob x-first", &["ada resigns"], "game 2, X begins, 0-1");
    check("ada bob o-first", "room", "ada v bob, game 1 at ply 0, O to act");
    check_first("ada bob o-first", &["ada resigns"], "game 2, O begins, 0-1");
    check("ada - random", "bob joins", "O is bob; game 1, X begins");
    check("ada - random tails", "bob joins", "O is bob; game 1, O begins");
    check_first("ada bob random", &["ada resigns"], "game 2, X begins, 0-1");
}

#[test]
fn the_loser_may_begin_and_after_a_draw_who_moved_second() {
    check("ada bob loser", "room", "ada v bob, game 1 at ply 0, X to act");
    check_first("ada bob loser", &["ada resigns"], "game 2, X begins, 0-1");
    check_first("ada bob loser", &["bob resigns"], "game 2, O begins, 1-0");
    let draw = "1 2 3 5 4 6 8 7 9";
    check_first("ada bob loser", &[draw], "game 2, O begins, 0-0-1");
    check_first("ada bob loser", &[draw, draw], "game 3, X begins, 0-0-2");
}
