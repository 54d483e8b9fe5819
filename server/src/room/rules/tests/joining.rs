//! Tests of the seats of players, and of their names.

use super::check;

#[test]
fn a_room_begins_when_both_seats_are_taken() {
    check("ada -", "is made", "X is ada");
    check("- -", "is made", "ok");
    check("ada bob", "is made", "X is ada; O is bob; game 1, X begins");
    check("ada computer", "is made", "X is ada; O is computer; game 1, X begins");
    check("computer computer", "is made", "X is computer; O is computer; game 1, X begins");
    check("ada ada", "is made", "X is ada; O is ada; game 1, X begins");
    check("ada -", "bob joins", "O is bob; game 1, X begins");
    check("- ada", "bob joins", "X is bob; game 1, X begins");
    check("- computer", "bob joins", "X is bob; game 1, X begins");
    check("- - | ada joins", "bob joins", "O is bob; game 1, X begins");
}

#[test]
fn an_open_seat_goes_to_the_first_player_who_joins() {
    check("- -", "ada joins", "X is ada");
    check("ada bob", "cid joins", "refused seats_taken: both seats are taken: join as a spectator");
    check("ada computer", "cid joins", "refused seats_taken");
    check("ada ada", "cid joins", "refused seats_taken");
    check("ada bob private", "cid joins", "refused seats_taken");
    check("ada bob table", "cid joins", "refused seats_taken: the party seats its own players");
    check("ada - | bob joins", "cid joins", "refused seats_taken");
    check("- - | cid watches", "cid joins", "X is cid");
    check("ada - private", "cid joins", "O is cid; game 1, X begins");
}

#[test]
fn who_takes_the_seat_of_somebody_who_left_begins_another_series() {
    check("ada bob | ada resigns, ada leaves", "cid joins", "X is cid; game 2, O begins");
    check("ada bob | bob leaves", "cid joins", "O is cid; game 2, O begins");
    check("ada bob | bob leaves", "bob joins", "O is bob; game 2, O begins");
}

#[test]
fn spectators_watch_where_they_are_admitted() {
    check("ada bob", "cid watches", "1 watching");
    // Before a game there is nothing to watch: a visitor may still sit down.
    check("ada -", "cid watches", "ok");
    check("- -", "cid watches", "ok");
    check(
        "ada bob private",
        "cid watches",
        "refused no_spectators: this room admits no spectators",
    );
    check("ada - private", "cid watches", "refused no_spectators");
}

#[test]
fn a_player_returns_to_their_seat() {
    check("ada bob", "bob joins", "ok");
    check("ada bob | bob goes", "bob joins", "ok");
    check("ada bob | bob goes", "bob watches", "ok");
    check("ada bob private | bob goes", "bob watches", "ok");
    check("ada - | ada goes", "ada joins", "ok");
    check("ada bob | 5, ada goes, bob 1", "ada joins", "ok");
}

#[test]
fn a_player_may_return_under_another_name() {
    check("ada bob | bob goes", "bob joins as dan", "O is dan");
    check("ada bob | 5 1", "ada joins as dan", "X is dan");
    check("ada ada", "ada joins as dan", "X is dan; O is dan");
    check("ada bob | bob joins as dan", "bob joins as dan", "ok");
    check("ada bob", "bob joins with fox blue", "O is bob, fox blue");
    check("ada bob | bob joins with fox blue", "bob joins with fox blue", "ok");
    check("ada bob | bob joins as dan", "bob joins", "O is bob");
    check("ada bob | cid watches", "cid joins as dan", "refused seats_taken");
}

#[test]
fn two_people_of_one_name_are_told_apart() {
    check("ada bob=ada", "is made", "X is ada; O is ada (2); game 1, X begins");
    check("ada -", "bob joins as ada", "O is ada (2); game 1, X begins");
    check("- ada", "bob joins as ada", "X is ada (2); game 1, X begins");
    check("ada bob | bob goes", "bob joins as ada", "O is ada (2)");
    check("ada bob", "ada joins as bob", "X is bob (2)");
    check("ada - | bob joins as ada", "bob joins as ada", "ok");
    check("ada bob=ada | ada leaves", "bob joins as ada", "O is ada");
}
