//! Presence: who is here, away or gone, and how many watch. Offers are in [`super::rematch`].

use super::check;

#[test]
fn a_short_absence_is_not_announced() {
    check("ada bob", "bob goes", "ok");
    check("ada bob | bob goes", "2999 ms", "ok");
    check("ada bob | bob goes, 2999 ms", "1 ms", "O away");
    check("ada ada | ada goes", "3 s", "X away; O away");
    check("ada (bob) | 2999 ms", "1 ms", "O away");
}

#[test]
fn after_the_grace_a_player_is_gone() {
    check("ada bob | bob goes, 3 s, 56999 ms", "1 ms", "O gone");
    check("ada bob | bob goes", "60 s", "O gone");
    check("ada bob | bob goes, 10 s", "presence", "X here, O away (50000 ms)");
}

/// Catches a claim against somebody who comes back for a move of a day.
#[test]
fn who_may_think_for_hours_may_be_away_as_long() {
    check("ada bob 2h | bob goes, 60 s", "presence", "X here, O away (7140000 ms)");
    check(
        "ada bob 2h | bob goes, 60 s",
        "ada claims a win",
        "refused too_early: your opponent may still return: claim in 1h 59m",
    );
    let late = "ada bob 2h | bob goes, 7000 s, 5";
    check(&format!("{late}, 200 s"), "presence", "X here, O away (7000000 ms)");
    check(&format!("{late}, 7199 s"), "1 s", "game 1 over, X wins by time, 1-0; O gone");
    check("ada bob 2h | 5, bob goes, 7199 s", "1 s", "game 1 over, X wins by time, 1-0; O gone");
}

#[test]
fn a_return_ends_the_absence() {
    check("ada bob | bob goes, 3 s", "bob joins", "O here");
    check("ada bob | bob goes, 60 s", "bob joins", "O here");
    check("ada bob | bob goes, 59 s, bob joins", "2 min", "ok");
}

#[test]
fn an_absence_interrupts_nobody() {
    check("ada bob | 5, ada goes, 60 s", "bob 1", "O 1");
    check("ada bob | ada resigns, bob goes, 60 s", "ada offers", "X offers");
}

#[test]
fn a_player_with_two_devices_is_away_when_both_are() {
    check("ada bob | bob joins, bob goes", "60 s", "ok");
    check("ada bob | bob joins, bob goes, bob goes", "3 s", "O away");
}

#[test]
fn each_connection_without_a_seat_watches() {
    check("ada bob | cid watches", "dan watches", "2 watching");
    check("ada bob | cid watches", "cid watches", "2 watching");
    check("ada bob | cid watches, cid watches", "cid goes", "1 watching");
    check("ada bob | cid watches", "cid goes", "0 watching");
    check("ada - | cid watches", "cid joins", "O is cid; game 1, X begins");
}

#[test]
fn a_reader_of_events_is_not_counted() {
    check("ada bob", "nobody watches", "ok");
    check("ada bob | nobody watches", "cid watches", "1 watching");
    check("ada bob | cid watches, nobody watches", "nobody goes", "ok");
}

#[test]
fn only_people_are_present() {
    check("ada computer", "presence", "X here, O nobody");
    check("computer computer | cid watches", "presence", "X nobody, O nobody, 1 watching");
}
