//! Tests of time: moves run out, exhibitions go on, rooms end, and hibernation keeps the times. The
//! absences of players are in [`super::presence`].

use super::check;

#[test]
fn a_move_runs_out_at_its_moment_and_not_before() {
    check("ada bob 10s", "9999 ms", "ok");
    check("ada bob 10s | 9999 ms", "1 ms", "game 1 over, O wins by time, 0-1");
    check("ada bob 10s | 5", "10 s", "game 1 over, X wins by time, 1-0");
}

#[test]
fn the_clock_shows_what_is_left_for_the_move() {
    check("ada bob", "clock", "no clock");
    check("ada bob 10s", "clock", "10000 ms");
    check("ada bob 10s | 3 s", "clock", "7000 ms");
    check("ada bob 10s | 3 s, 5", "clock", "10000 ms");
    check("ada bob 10s | 3 s, bob joins as dan, cid watches", "clock", "7000 ms");
    check("ada bob 10s | 1 4 2 5 3", "clock", "no clock");
    let opening = "ada bob 13x13x5 swap2 10s | a1 b1 c1, 4 s";
    check(opening, "clock", "6000 ms");
    check(&format!("{opening}, bob chooses o"), "clock", "10000 ms");
}

#[test]
fn an_exhibition_goes_on_after_a_pause_while_somebody_watches() {
    let over = "computer computer | cid watches, 1 4 2 5 3";
    check(over, "2999 ms", "ok");
    check(over, "3 s", "game 2, O begins, 1-0");
    check(&format!("{over}, cid goes, 3 s, cid watches"), "3 s", "game 2, O begins, 1-0");
}

#[test]
fn a_room_in_which_nothing_happens_ends() {
    check("ada bob | 3599 s", "1 s", "closed, idle");
    check("ada bob | 30 min, cid watches, 3599 s", "1 s", "closed, idle");
    check("ada bob | cid watches, 30 min, cid goes, 3599 s", "1 s", "closed, idle");
}

#[test]
fn a_room_does_not_end_before_a_move_clock() {
    check("ada bob 2h | 119 min", "1 min", "game 1 over, O wins by time, 0-1");
    check("ada bob 2h | 120 min, 59 min", "1 min", "closed, idle");
    check(
        "ada computer 2h | ada goes, 119 min",
        "1 min",
        "game 1 over, O wins by time, 0-1; closed, idle; X gone",
    );
}

#[test]
fn a_room_without_a_connection_ends_earlier() {
    check("ada - | ada goes, 899 s", "1 s", "closed, idle");
    check("ada ada | ada goes, 899 s", "1 s", "closed, idle");
    check("ada bob | ada resigns, ada goes, 5 min, bob goes, 899 s", "1 s", "closed, idle");
    check("ada bob | ada resigns, ada goes, 899 s", "1 s", "ok");
    // A running game of two people waits as if they were connected.
    check("ada bob | ada goes, bob goes, 15 min", "44 min", "ok");
    check("ada bob | ada goes, bob goes, 3599 s", "1 s", "closed, idle");
}

#[test]
fn a_room_without_people_waits_as_long_as_an_absence() {
    check("- - | 59 s", "1 s", "closed, idle");
    check("(ada) - | 899 s", "1 s", "closed, idle");
    check("- computer | cid watches, 5 min, cid goes, 59 s", "1 s", "closed, idle");
}

#[test]
fn the_lobby_may_end_a_room_without_a_connection() {
    check("ada - | ada goes", "is evicted", "closed, idle");
    check("ada bob | ada goes, bob goes, cid watches", "is evicted", "stays");
}

#[test]
fn hibernation_keeps_the_times() {
    let asleep = "ada bob 10s | 3 s, ada goes, bob goes";
    check(&format!("{asleep}, sleeps 4 s"), "clock", "3000 ms");
    check(
        &format!("{asleep}, sleeps 4 s, ada joins, 2999 ms"),
        "1 ms",
        "game 1 over, O wins by time, 0-1",
    );
    check(&format!("{asleep}, sleeps 5 s, ada joins, ada 5"), "clock", "10000 ms");
    check("ada - | ada goes, sleeps 800 s, 99 s", "1 s", "closed, idle");
}

#[test]
fn a_restart_keeps_the_move_clock_and_begins_every_absence() {
    check("ada bob 10s | 5, restarts 4 s", "clock", "4000 ms");
    check("ada bob 10s | ada resigns, restarts 4 s", "clock", "no clock");
    check("ada bob | bob goes, 50 s, restarts 4 s", "3 s", "X away; O away");
    check("ada - | 800 s, restarts 4 s, 899 s", "1 s", "closed, idle");
    check("ada bob | 59 min, restarts 4 s, ada joins, 3599 s", "1 s", "closed, idle");
}

#[test]
fn hibernation_keeps_what_was_said_and_forgets_what_has_passed() {
    let asleep = "ada bob | 5 1, ada goes, bob goes, sleeps 5 s, ada joins";
    check(asleep, "room", "ada v bob, game 1 at ply 2, X to act");
    check(asleep, "ada 5 at 0", "ok");
    let over = "ada bob | ada resigns, ada offers, ada goes, bob goes, sleeps 1 s";
    check(over, "presence", "X here, O here");
    check(&format!("{over}, bob joins"), "bob offers", "O offers");
    let opening = "ada bob 13x13x5 swap2 | a1 b1 c1, bob chooses x, ada goes, bob goes, sleeps 5 s";
    check(&format!("{opening}, ada joins"), "ada b1 at 1", "ok");
    let absence = "ada bob | ada goes, 9 s, bob goes, sleeps 20 s";
    check(absence, "presence", "X away (40000 ms), O away (40000 ms)");
    check(&format!("{absence}, ada joins"), "40 s", "O gone");
}

#[test]
fn the_clock_of_a_table_stands_and_runs_on_with_what_was_left() {
    let stopped = "ada bob table 10s | 5, 4 s, clock stops";
    check("ada bob table 10s | 5, 4 s", "clock stops", "clock stands at 6000");
    check(stopped, "clock stops", "ok");
    check(stopped, "bob 1", "refused not_now: the host of the party has paused");
    check(&format!("{stopped}, 20 min"), "clock runs", "clock 6000");
    check(
        &format!("{stopped}, 20 min, clock runs, 5999 ms"),
        "1 ms",
        "game 1 over, X wins by time, 1-0",
    );
    check(&format!("{stopped}, clock runs"), "bob 1", "O 1");
    check(stopped, "ada resigns", "game 1 over, O wins by resignation, 0-1");
    check(&format!("{stopped}, bob goes, 2 min"), "ada claims a win", "refused not_now");
    check("ada bob 10s | 5", "clock stops", "ok");
    // The room is empty for longer than a room waits otherwise, and the server restarts.
    let asleep = format!("{stopped}, ada goes, bob goes, 120 min, restarts 1 s");
    check(&asleep, "clock runs", "clock 6000");
}

#[test]
fn the_host_of_a_table_gives_time_also_while_its_clock_stands() {
    check("ada bob table 10s | 5, 4 s", "clock gets 30 s", "clock 36000");
    check("ada bob table 10s | 5, 4 s, clock gets 30 s, 35999 ms", "bob 1", "O 1");
    check("ada bob table 10s | 5, 4 s, clock stops", "clock gets 30 s", "clock stands at 36000");
    check("ada bob table 10s | 5, 4 s, clock gets 30 s, bob 1", "clock", "10000 ms");
    check("ada bob table 10s | ada resigns", "clock gets 30 s", "ok");
}
