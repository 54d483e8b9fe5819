//! Tests of the seats of players, and of their names.

use super::check;

#[test]
fn a_room_begins_when_both_seats_are_taken() {
    check("ada -", "is made", "X is ada");
    check("ada bob", "is made", "X is ada; O is bob; game 1, X begins");
    check("ada -", "bob joins", "O is bob; game 1, X begins");
    check("- ada", "bob joins", "X is bob; game 1, X begins");
}

#[test]
fn an_open_seat_goes_to_the_first_player_who_joins() {
    check("- -", "ada joins", "X is ada");
    check("ada bob", "cid joins", "refused seats_taken: both seats are taken: join as a spectator");
    check("ada bob table", "cid joins", "refused seats_taken: the party seats its own players");
}

#[test]
fn who_takes_the_seat_of_somebody_who_left_begins_another_series() {
    check("ada bob | ada resigns, ada leaves", "cid joins", "X is cid; game 2, O begins");
    check("ada bob | bob leaves", "cid joins", "O is cid; game 2, O begins");
}

#[test]
fn spectators_watch_where_they_are_admitted() {
    check("ada bob", "cid watches", "1 watching");
    // Before a game there is nothing to watch: a visitor may still sit down.
    check("ada -", "cid watches", "ok");
    check(
        "ada bob private",
        "cid watches",
        "refused no_spectators: this room admits no spectators",
    );
}

#[test]
fn a_player_returns_to_their_seat() {
    check("ada bob | bob goes", "bob joins", "ok");
    check("ada bob private | bob goes", "bob watches", "ok");
}

#[test]
fn a_player_may_return_under_another_name() {
    check("ada bob | bob goes", "bob joins as dan", "O is dan");
    check("ada ada", "ada joins as dan", "X is dan; O is dan");
    check("ada bob", "bob joins with fox blue", "O is bob, fox blue");
}

#[test]
fn two_people_of_one_name_are_told_apart() {
    check("ada bob=ada", "is made", "X is ada; O is ada (2); game 1, X begins");
    check("ada -", "bob joins as ada", "O is ada (2); game 1, X begins");
    check("ada bob", "ada joins as bob", "X is bob (2)");
    check("ada - | bob joins as ada", "bob joins as ada", "ok");
}
