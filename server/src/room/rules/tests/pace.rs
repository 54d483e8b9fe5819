//! How two computers are paused, stepped and sped up, and by whom.

use super::check;

/// A room that ada made.
const TWO: &str = "computer computer";

#[test]
fn only_the_maker_of_a_room_of_two_computers_sets_its_pace() {
    check(&format!("{TWO} | ada watches"), "ada paces paused", "pace paused");
    check(&format!("{TWO} | ada watches"), "ada paces normal", "ok");
    check(&format!("{TWO} | bob watches"), "bob paces slow", "refused not_seated");
    check(&format!("{TWO} | ada watches, bob watches"), "bob steps", "refused not_seated");
    check("ada computer", "ada paces slow", "refused not_now: only a game between two computers");
    check("ada bob", "bob paces slow", "refused not_seated: only the player who made");
}

#[test]
fn a_paused_computer_makes_one_move_a_step() {
    let paused = format!("{TWO} | ada watches, ada paces paused");
    check(&paused, "computer 5", "ok");
    check(&paused, "ada steps", "ok");
    check(&format!("{paused}, ada steps"), "computer 5", "X 5");
    check(&format!("{paused}, ada steps, computer 5"), "computer 1", "ok");
    check(&format!("{TWO} | ada watches"), "ada steps", "refused not_now: the computers play");
    let slow = format!("{paused}, ada paces slow");
    check(&slow, "computer 5", "X 5");
}

#[test]
fn a_repeat_of_a_step_that_was_made_is_granted_and_changes_nothing() {
    let made = format!("{TWO} | ada watches, ada paces paused, ada steps, computer 5");
    check(&made, "ada steps at 0", "ok");
    check(&format!("{made}, ada steps at 0"), "computer 1", "ok");
    check(&made, "ada steps at 2", "refused stale");
    check(&format!("{made}, ada paces normal"), "ada steps at 0", "ok");
    check(&format!("{made}, ada goes, restarts 1 s, ada watches"), "ada steps at 0", "ok");
}

#[test]
fn a_step_after_the_last_move_begins_the_next_game() {
    let over = format!("{TWO} | ada watches, 1 4 2 5 3, ada paces paused");
    check(&over, "10 min", "ok");
    check(&over, "ada steps", "game 2, O begins, 1-0");
    check(&format!("{over}, ada steps"), "ada steps game 1 at 5", "ok");
    check(&format!("{over}, ada steps"), "computer 5", "ok");
    check(&format!("{over}, ada steps"), "ada steps game 1 at 6", "refused stale");
}

#[test]
fn the_pause_between_games_follows_the_pace() {
    let over = |pace| format!("{TWO} | ada watches, ada paces {pace}, 1 4 2 5 3");
    check(&over("fast"), "749 ms", "ok");
    check(&over("fast"), "750 ms", "game 2, O begins, 1-0");
    check(&format!("{TWO} | ada watches, 1 4 2 5 3"), "2999 ms", "ok");
    check(&format!("{TWO} | ada watches, 1 4 2 5 3"), "3 s", "game 2, O begins, 1-0");
    check(&over("slow"), "8999 ms", "ok");
    check(&over("slow"), "9 s", "game 2, O begins, 1-0");
}

#[test]
fn the_pace_outlives_a_restart_and_a_step_does_not() {
    let paused = format!("{TWO} | ada watches, ada paces paused");
    check(&format!("{paused}, restarts 1 s, ada watches"), "computer 5", "ok");
    check(&format!("{paused}, restarts 1 s, ada watches"), "ada paces paused", "ok");
    check(&format!("{paused}, ada steps, restarts 1 s, ada watches"), "computer 5", "ok");
    check(&format!("{paused}, restarts 1 s, ada watches, ada steps"), "computer 5", "X 5");
}

#[test]
fn a_paused_room_without_a_visitor_ends_like_any_other() {
    check(&format!("{TWO} | ada watches, ada paces paused, ada goes"), "59 s", "ok");
    check(&format!("{TWO} | ada watches, ada paces paused, ada goes"), "60 s", "closed, idle");
}

#[test]
fn no_clock_runs_while_the_computers_are_paused() {
    let paused = format!("{TWO} 10s | ada watches, ada paces paused");
    check(&paused, "clock", "no clock");
    check(&paused, "11 s", "ok");
    check(&format!("{paused}, 11 s, ada paces normal"), "clock", "10000 ms");
    check(&format!("{paused}, ada steps, computer 5"), "clock", "no clock");
}

#[test]
fn a_step_of_an_opening_goes_on_to_the_next_mark() {
    let paused = "computer computer 15x15x5 swap2 | ada watches, ada paces paused";
    let placed = format!("{paused}, ada steps, computer a1, ada steps, computer b1, ada steps");
    let choosing = format!("{placed}, computer d4");
    check(&choosing, "computer chooses o", "ok");
    check(&format!("{choosing}, ada steps"), "computer chooses o", "chosen o: computer v computer");
    check(&format!("{choosing}, ada steps, computer chooses o"), "computer e5", "O e5");
    check(&format!("{choosing}, ada steps, computer chooses o, computer e5"), "computer f6", "ok");
}
