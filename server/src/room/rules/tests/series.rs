//! A series: how it is agreed, when it is decided, and how it ends.

use super::check;

const OVER: &str = "ada bob | ada resigns";

#[test]
fn two_players_agree_on_a_new_series() {
    check(OVER, "ada offers to 3", "X offers to 3");
    check(&format!("{OVER}, ada offers to 3"), "bob offers", "game 2, O begins, first to 3");
    check(&format!("{OVER}, ada offers to 3"), "bob offers to 3", "game 2, O begins, first to 3");
    check(&format!("{OVER}, ada offers to 3"), "presence", "X here, O here, X offers to 3");
    check(&format!("{OVER}, ada offers open"), "bob offers", "game 2, O begins");
}

#[test]
fn a_counter_offer_replaces_the_offer() {
    check(&format!("{OVER}, ada offers to 3"), "bob offers to 5", "O offers to 5");
    check(&format!("{OVER}, ada offers to 3"), "bob offers open", "O offers open");
    let countered = format!("{OVER}, ada offers to 3, bob offers to 5");
    check(&countered, "ada offers", "game 2, O begins, first to 5");
    check(&countered, "ada offers to 3", "X offers to 3");
    check(&format!("{OVER}, ada offers to 3"), "ada offers", "X offers");
}

#[test]
fn a_computer_and_the_other_side_of_a_screen_agree_at_once() {
    let started = "game 2, O begins, first to 5";
    check("ada computer | ada resigns", "ada offers to 5", started);
}

#[test]
fn a_series_goes_on_until_it_is_decided_and_then_begins_again() {
    let to_2 = "ada computer o-first | ada resigns, ada offers to 2";
    check(&format!("{to_2}, ada resigns"), "ada offers", "game 3, O begins, 0-1, first to 2");
    let one = format!("{to_2}, ada resigns, ada offers, ada resigns");
    check(&one, "room", "ada v computer, game 3 at ply 0, over, 0-2, first to 2");
    check(&one, "ada offers", "game 4, O begins, first to 2");
    check(&one, "ada offers open", "game 4, O begins");
    check(&format!("{one}, ada offers open, ada resigns"), "ada offers", "game 5, O begins, 0-1");
}

#[test]
fn a_new_opponent_begins_an_open_series() {
    let alone = format!("{OVER}, ada offers to 3, bob offers, ada resigns, bob leaves");
    check(&alone, "cid joins", "O is cid; game 3, X begins");
}

#[test]
fn a_series_outlives_a_restart_and_an_offer_does_not() {
    let second = format!("{OVER}, ada offers to 3, bob offers, ada resigns");
    let restarted = format!("{second}, restarts 1 s, ada joins, bob joins");
    check(&restarted, "room", "ada v bob, game 2 at ply 0, over, 0-1, first to 3");
    let offered = format!("{OVER}, ada offers to 3, restarts 1 s, ada joins, bob joins");
    check(&offered, "bob offers", "O offers");
}
