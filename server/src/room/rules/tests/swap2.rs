//! The swap2 opening: who places and chooses, and what each choice leads to.

use super::check;

const ROOM: &str = "ada bob 13x13x5 swap2";

/// The case `when` after `story` in a room of ada, who places first, and bob.
#[track_caller]
fn check_opening(story: &str, when: &str, expected: &str) {
    let given = if story.is_empty() { ROOM.to_owned() } else { format!("{ROOM} | {story}") };
    check(&given, when, expected);
}

#[test]
fn one_player_places_three_marks() {
    check_opening("", "is made", "X is ada; O is bob; game 1, X places until 3");
    check_opening("a1 b1", "ada c1", "X c1, O chooses or adds");
    check_opening("", "bob a1", "refused not_your_turn: your opponent is placing the opening");
    check("ada bob 13x13x5 swap2 o-first", "bob a1", "X a1");
}

#[test]
fn the_other_player_chooses_a_side_or_adds_two_marks() {
    check_opening("a1 b1 c1", "bob chooses o", "chosen o: ada v bob");
    check_opening("a1 b1 c1", "bob chooses x", "chosen x: bob v ada");
    check_opening("a1 b1 c1, bob chooses x", "room", "bob v ada, game 1 at ply 3, O to act");
    check_opening("a1 b1 c1", "bob chooses add", "chosen add: ada v bob, O places until 5");
    check_opening(
        "a1 b1 c1",
        "ada chooses x",
        "refused not_your_turn: it is your opponent's choice",
    );
    check_opening("a1 b1 c1", "ada d1", "refused not_your_turn: your opponent is choosing a side");
    check_opening("a1 b1 c1", "bob d1", "refused not_now: no mark can be placed before the sides");
    check_opening("a1 b1 c1, cid watches", "cid chooses x", "refused not_seated");
}

#[test]
fn after_two_more_marks_the_first_player_chooses() {
    check_opening("a1 b1 c1, bob chooses add, d1", "bob e3", "X e3, X chooses");
    let added = "a1 b1 c1, bob chooses add, d1 e3";
    check_opening(added, "ada chooses x", "chosen x: ada v bob");
    check_opening(added, "ada chooses o", "chosen o: bob v ada");
    check_opening(added, "ada chooses add", "refused not_now: two marks were added already");
    check_opening(&format!("{added}, ada chooses o"), "ada f3", "O f3");
}

#[test]
fn there_is_a_time_for_a_choice() {
    let early = |plies: u32| {
        format!("refused not_now: the choice comes when {plies} marks are on the board")
    };
    check_opening("", "ada chooses x", &early(3));
    check_opening("a1 b1 c1, bob chooses add, d1", "bob chooses o", &early(5));
    let theirs = "refused not_your_turn: your opponent is placing the opening";
    check_opening("a1 b1", "bob chooses x", theirs);
    let late = "refused stale: the sides are chosen already";
    check_opening("a1 b1 c1, bob chooses o", "ada chooses x", late);
    check_opening(
        "a1 b1 c1",
        "bob chooses x game 2",
        "refused stale: that was meant for another game",
    );
    check("ada bob", "ada chooses x", "refused not_now: there is nothing to choose");
    check("ada - 13x13x5 swap2", "ada chooses x", "refused not_now: the game has not begun");
}

#[test]
fn an_opening_completes_no_line() {
    let given = "ada bob 13x13x3 swap2 | a1 a2 b1, bob chooses add, b2";
    check(given, "bob c1", "refused not_now: an opening must not complete a line");
    check(given, "bob c3", "X c3, X chooses");
    let chosen = "ada bob 13x13x3 swap2 | a1 a2 b1, bob chooses o, b2";
    check(chosen, "ada c1", "X c1, X wins by a row from a1 to c1, 1-0");
}

#[test]
fn after_the_choice_the_game_goes_on_with_o() {
    check_opening("a1 b1 c1, bob chooses x", "ada d1", "O d1");
}

#[test]
fn a_repeat_of_a_choice_is_granted_and_changes_nothing() {
    check_opening("a1 b1 c1, bob chooses x", "bob chooses x", "ok");
    check_opening("a1 b1 c1, bob chooses add, d1 e3, ada chooses o", "bob chooses add", "ok");
    check_opening("a1 b1 c1, bob chooses add, d1 e3, ada chooses o", "ada chooses o", "ok");
    check_opening(
        "a1 b1 c1, bob chooses add, d1 e3, ada chooses x",
        "bob chooses o",
        "refused stale",
    );
    let second = "a1 b1 c1, bob chooses o, bob resigns, ada offers, bob offers";
    check_opening(second, "bob chooses o game 1", "ok");
    check_opening(second, "ada chooses o game 1", "refused stale: that was meant for another game");
}

#[test]
fn a_repeat_of_a_mark_is_its_players_after_an_exchange_too() {
    check_opening("a1 b1", "ada b1 at 1", "ok");
    check_opening("a1 b1 c1", "bob b1 at 1", "refused stale");
    check_opening("a1 b1 c1, bob chooses x", "ada b1 at 1", "ok");
    check_opening("a1 b1 c1, bob chooses x", "bob a1 at 0", "refused stale");
    check_opening("a1 b1 c1, bob chooses x, d1 e1", "ada d1 at 3", "ok");
    check_opening("a1 b1 c1, bob chooses x, d1 e1", "bob e1 at 4", "ok");
    check_opening("a1 b1 c1, bob chooses add, d1 e3", "bob e3 at 4", "ok");
    check_opening("a1 b1 c1, bob chooses add, d1 e3", "ada e3 at 4", "refused stale");
    let exchanged = "a1 b1 c1, bob chooses add, d1 e3, ada chooses o";
    check_opening(exchanged, "bob d1 at 3", "ok");
    check_opening(&format!("{exchanged}, f3"), "ada f3 at 5", "ok");
}

#[test]
fn the_score_goes_with_the_players() {
    let second = "ada resigns, ada offers, bob offers";
    check_opening(second, "room", "ada v bob, game 2 at ply 0, O to act, 0-1");
    check_opening(&format!("{second}, a1 b1 c1"), "ada chooses o", "chosen o: bob v ada, 1-0");
    let exchanged = format!("{second}, a1 b1 c1, ada chooses o");
    check_opening(&exchanged, "ada resigns", "game 2 over, X wins by resignation, 2-0");
    // The players of game 1 have other seats now: nothing of it is known to be a repeat.
    check_opening(&exchanged, "bob resigns game 1", "refused stale");
    check_opening(&format!("a1, {exchanged}"), "bob a1 at 0 game 1", "refused stale");
}

#[test]
fn the_player_who_did_not_place_last_places_next() {
    let next = |story: &str, expected: &str| {
        check_opening(&format!("{story}, ada offers"), "bob offers", expected);
    };
    next("a1 b1 c1, bob chooses o, bob resigns", "game 2, O places until 3, 1-0");
    next(
        "a1 b1 c1, bob chooses add, d1 e3, ada chooses o, ada resigns",
        "game 2, X places until 3, 1-0",
    );
    next("ada resigns", "game 2, O places until 3, 0-1");
}

#[test]
fn a_game_can_end_in_its_opening() {
    check_opening("a1 b1 c1", "ada resigns", "game 1 over, O wins by resignation, 0-1");
    check_opening("bob goes, 60 s", "ada claims a win", "game 1 over, X wins by absence, 1-0");
    check("ada bob 13x13x5 swap2 10s", "10 s", "game 1 over, O wins by time, 0-1");
    check("ada bob 13x13x5 swap2 10s | a1 b1 c1", "10 s", "game 1 over, X wins by time, 1-0");
}

#[test]
fn an_absence_goes_with_its_player() {
    let exchanged = "a1 b1 c1, ada goes, 10 s, bob chooses x";
    check_opening(
        "a1 b1 c1, ada goes, 10 s",
        "bob chooses x",
        "chosen x: bob v ada; X here; O away",
    );
    check_opening(exchanged, "presence", "X here, O away (50000 ms)");
    check_opening(exchanged, "50 s", "O gone");
}

#[test]
fn a_computer_places_and_chooses() {
    let room = "ada computer 13x13x5 swap2";
    check(&format!("{room} | a1 b1 c1"), "computer chooses x", "chosen x: computer v ada");
    check(&format!("{room} | a1 b1"), "computer chooses x", "ok");
    check(&format!("{room} | a1 b1 c1"), "computer chooses x at 2", "ok");
    check(&format!("{room} | a1 b1 c1, computer chooses o"), "computer chooses x", "ok");
    check(&format!("{room} | a1 b1 c1, computer chooses add"), "computer d1", "O d1");
    check("ada ada 13x13x5 swap2 | a1 b1 c1", "ada chooses x", "chosen x: ada v ada");
}
