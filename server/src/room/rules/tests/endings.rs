//! Games that end without a move: resignation, the claim of a game whose opponent is away, and
//! leaving. The effects of time are in [`super::time`].

use super::check;

#[test]
fn a_player_may_resign_at_any_time() {
    check("ada bob", "ada resigns", "game 1 over, O wins by resignation, 0-1");
    check("ada bob", "bob resigns", "game 1 over, X wins by resignation, 1-0");
    // A player of both sides resigns for the side to move.
    check("ada ada", "ada resigns", "game 1 over, O wins by resignation, 0-1");
    check("ada ada | 5", "ada resigns", "game 1 over, X wins by resignation, 1-0");
}

#[test]
fn only_a_running_game_can_be_resigned() {
    check("ada -", "ada resigns", "refused not_now: the game has not begun");
    check("ada bob | 1 4 2 5 3", "bob resigns", "refused game_over");
    check("ada bob", "ada resigns game 2", "refused stale");
    check("ada bob | cid watches", "cid resigns", "refused not_seated");
    let second = "ada bob | ada resigns, ada offers, bob offers";
    check(second, "bob resigns game 1", "refused stale");
}

#[test]
fn a_repeated_resignation_is_granted_and_changes_nothing() {
    check("ada bob | ada resigns", "ada resigns", "ok");
    check("ada bob | ada resigns, ada offers, bob offers", "ada resigns game 1", "ok");
}

#[test]
fn a_game_can_be_claimed_when_the_opponent_is_gone() {
    check("ada bob | bob goes, 60 s", "ada claims a win", "game 1 over, X wins by absence, 1-0");
    check("ada bob | bob goes, 60 s", "ada claims a draw", "game 1 over, draw by absence, 0-0-1");
}

#[test]
fn a_claim_is_too_early_until_then() {
    let here = "refused too_early: your opponent is here: there is nothing to claim";
    check("ada bob", "ada claims a win", here);
    check("ada bob | bob goes, 2999 ms", "ada claims a win", here);
    check("ada ada", "ada claims a win", here);
    check("ada bob | bob goes, 60 s, bob joins", "ada claims a win", here);
    let may_return = |after: &str, seconds: u32| {
        let given = format!("ada bob | bob goes, {after}");
        let refusal = format!("your opponent may still return: claim in {seconds}s");
        check(&given, "ada claims a win", &format!("refused too_early: {refusal}"));
    };
    may_return("3001 ms", 57);
    may_return("59999 ms", 1);
}

#[test]
fn only_a_running_game_can_be_claimed() {
    check("ada -", "ada claims a win", "refused not_now: the game has not begun");
    check("ada bob | ada resigns, bob goes, 60 s", "ada claims a win", "refused game_over");
    check("ada bob | bob goes, 60 s", "ada claims a win game 2", "refused stale");
    check("ada bob | cid watches, bob goes, 60 s", "cid claims a win", "refused not_seated");
    check("ada bob | bob goes, 60 s, ada claims a win", "ada claims a draw", "refused game_over");
}

#[test]
fn a_repeated_claim_is_granted_and_changes_nothing() {
    check("ada bob | bob goes, 60 s, ada claims a win", "ada claims a win", "ok");
    let claimed = "ada bob | bob goes, 60 s, ada claims a win, bob joins";
    check(&format!("{claimed}, ada offers, bob offers"), "ada claims a win game 1", "ok");
    check(claimed, "bob claims a win", "refused game_over");
}

#[test]
fn leaving_gives_up_the_seat_and_resigns_a_running_game() {
    check("ada bob", "ada leaves", "game 1 over, O wins by resignation, 0-1; X is open");
    check("ada bob | 5", "bob leaves", "game 1 over, X wins by resignation, 1-0; O is open");
    check("ada bob | cid watches", "cid leaves", "0 watching");
}

#[test]
fn a_room_ends_when_its_last_player_leaves() {
    check("ada -", "ada leaves", "X is open; closed, left");
    check("ada bob | ada leaves", "bob leaves", "O is open; closed, left");
    check("ada bob | ada leaves, cid watches", "bob leaves", "O is open; closed, left");
    let resigned = "game 1 over, O wins by resignation, 0-1; X is open";
    check("ada computer", "ada leaves", &format!("{resigned}; closed, left"));
    check("ada ada", "ada leaves", &format!("{resigned}; O is open; closed, left"));
    check("- - | cid watches", "cid leaves", "ok");
}

#[test]
fn the_other_devices_of_a_player_who_leaves_may_watch() {
    let resigned = "game 1 over, O wins by resignation, 0-1; X is open";
    check("ada bob | ada joins", "ada leaves", &format!("{resigned}; 1 watching"));
    check("ada bob private | ada joins", "ada leaves", resigned);
}

#[test]
fn a_party_gives_a_running_seat_to_another_player() {
    let table = "ada bob table | 5, cid watches";
    check(table, "place x goes to cid", "X is cid");
    check(&format!("{table}, place x goes to cid"), "ada 1", "refused not_seated");
    check(&format!("{table}, place x goes to cid, 1"), "cid 9", "X 9");
    check(&format!("{table}, place x goes to cid"), "place x goes to cid", "ok");
    // A player who has not come yet is away, like anybody else.
    check("ada bob table | 5, place x goes to cid, 2999 ms", "1 ms", "X away");
    check(&format!("{table}, ada resigns"), "place x goes to cid", "ok");
    check("ada bob | 5, cid watches", "place x goes to cid", "ok");
    // Ada began as X and plays O now.
    let exchanged = "ada bob 13x13x5 swap2 table | a1 b1 c1, bob chooses x, cid watches";
    check(exchanged, "place x goes to cid", "O is cid");
}

#[test]
fn a_game_that_its_party_decides_ends_with_a_result() {
    let table = "ada bob table";
    check(&format!("{table} | 5"), "is forfeited to x", "game 1 over, X wins by resignation, 1-0");
    check(table, "is forfeited to o", "game 1 over, O wins by resignation, 0-1");
    check(&format!("{table} | ada resigns"), "is forfeited to o", "ok");
    check(&format!("{table} | 5"), "is decided for o", "game 1 over, O wins by the host, 0-1");
    check(table, "is decided drawn", "game 1 over, draw by the host, 0-0-1");
    // Nothing was decided: the score stays.
    check(&format!("{table} | 5"), "is broken off", "game 1 over, draw by the party's end");
    check("ada bob", "is forfeited to x", "ok");
    check("ada bob", "is broken off", "ok");
    // Ada began as X and plays O now.
    let exchanged = "ada bob 13x13x5 swap2 table | a1 b1 c1, bob chooses x";
    check(exchanged, "is forfeited to x", "game 1 over, O wins by resignation, 0-1");
    check(exchanged, "is decided for x", "game 1 over, O wins by the host, 0-1");
}
