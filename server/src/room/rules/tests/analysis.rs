//! Hints, reviews and snapshots: who may ask, and when.

use super::check;

#[test]
fn a_player_gets_a_hint_when_it_is_their_turn() {
    check("ada bob aided", "ada hint", "hint for game 1 at ply 0");
    check("ada ada | 5", "ada hint", "hint for game 1 at ply 1");
    check("ada bob aided", "bob hint", "refused not_your_turn: it is not your turn");
    check("ada bob | cid watches", "cid hint", "refused not_seated");
    check("ada computer unaided", "ada hint", "refused hints_off: this room gives no hints");
    check("ada -", "ada hint", "refused not_now: the game has not begun");
    check("ada bob aided", "ada hint game 2", "refused stale");
}

#[test]
fn a_hint_between_two_people_is_told_to_both_and_counts_once_a_move() {
    let here = "X here, O here";
    let told = |room: &str, before: &str, hints: &str| {
        check(&format!("{room} | {before}"), "presence", &format!("{here}{hints}"));
    };
    told("ada bob aided", "5", "");
    told("ada bob aided", "ada hint, ada hint", ", hints 1-0");
    told("ada bob aided", "ada hint, 5, bob hint, 1, ada hint", ", hints 2-1");
    let back = "5, 1, ada hint, bob takes back, ada takes back, 2, ada hint";
    told("ada bob aided", back, ", hints 2-0");
    told("ada bob aided", "ada hint, ada resigns, ada offers, bob offers", "");
    check("ada computer | ada hint", "presence", "X here, O nobody");
}

#[test]
fn there_are_no_hints_for_an_opening() {
    let no_hints = "refused not_now: there are no hints for an opening";
    check("ada bob aided 13x13x5 swap2", "ada hint", no_hints);
    let chosen = "ada bob aided 13x13x5 swap2 | a1 b1 c1, bob chooses x";
    check(chosen, "ada hint", "hint for game 1 at ply 3");
}

#[test]
fn everybody_may_review_the_last_game_and_the_one_before() {
    check("ada bob | ada resigns", "ada review", "review of game 1");
    check("ada bob", "ada review", "refused not_now: the game is still running");
    let second = "ada bob | ada resigns, ada offers, bob offers";
    check(second, "ada review game 1", "review of game 1");
    let third = format!("{second}, bob resigns, ada offers, bob offers");
    check(&third, "ada review game 1", "refused stale");
    check(&third, "ada review game 2", "review of game 2");
}

#[test]
fn a_review_begins_after_the_opening() {
    let room = "ada bob aided 13x13x5 swap2 | a1 b1 c1";
    check(&format!("{room}, ada resigns"), "ada review", "review of game 1 after ply 3");
    let added = format!("{room}, bob chooses add, d1 e3, ada chooses o, ada resigns");
    check(&added, "ada review", "review of game 1 after ply 5");
    let second = format!("{added}, ada offers, bob offers");
    check(&second, "ada review game 1", "review of game 1 after ply 5");
}

#[test]
fn everybody_may_ask_for_the_snapshot_again() {
    check("ada bob", "ada syncs", "snapshot");
}
