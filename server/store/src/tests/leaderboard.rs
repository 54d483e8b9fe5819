//! Tests of the leaderboards.

use noughts_protocol::{BoardClass, MAX_LEADERS, Period, PlayerId};
use rusqlite::Connection;

use super::world::*;
use crate::archive::leaderboard::{FRESH_FOR, Leaderboards, leaderboard, least_games, length};
use crate::player::forget;

fn leaders(connection: &Connection, period: Period) -> Vec<u64> {
    let board = leaderboard(connection, BoardClass::Three, period, NOW).unwrap();
    board.rows.iter().map(|row| row.player.0).collect()
}

#[test]
fn a_period_counts_its_own_games_and_asks_for_enough() {
    let connection = tables();
    let day = 24 * 3_600 * 1_000;
    wins(&connection, (1, 2), 10, 30 * day);
    wins(&connection, (3, 4), 5, 2 * day);
    assert!(leaders(&connection, Period::Tonight).is_empty());
    assert_eq!(leaders(&connection, Period::Week), [3, 4]);
    assert_eq!(leaders(&connection, Period::Ever), [1, 2]);
    wins(&connection, (2, 4), 2, 0);
    assert!(leaders(&connection, Period::Tonight).is_empty());
    wins(&connection, (4, 2), 1, 0);
    let tonight = leaderboard(&connection, BoardClass::Three, Period::Tonight, NOW).unwrap();
    assert_eq!((tonight.rows.len(), tonight.rows[0].games_in_period), (2, 3));
    assert_eq!(tonight.least_games, least_games(Period::Tonight));
    let of_two = tonight.rows.iter().find(|row| row.player.0 == 2).unwrap();
    assert_eq!((of_two.rating.games, of_two.name.as_str()), (13, "P2"));
    let other = leaderboard(&connection, BoardClass::Five, Period::Ever, NOW).unwrap();
    assert!(other.rows.is_empty());
}

#[test]
fn a_period_begins_to_the_millisecond() {
    let connection = tables();
    let twelve_hours = i64::try_from(length(Period::Tonight).unwrap().as_millis()).unwrap();
    wins(&connection, (1, 2), 2, 0);
    wins(&connection, (1, 2), 1, twelve_hours + 1);
    assert!(leaders(&connection, Period::Tonight).is_empty());
    wins(&connection, (1, 2), 1, twelve_hours);
    assert_eq!(leaders(&connection, Period::Tonight), [1, 2]);
}

#[test]
fn a_few_lucky_games_do_not_lead() {
    let connection = tables();
    for _ in 0..20 {
        wins(&connection, (1, 2), 1, 0);
        wins(&connection, (2, 1), 1, 0);
    }
    // Three wins of a new player: a high rating that is very uncertain.
    for other in 3..=5 {
        wins(&connection, (10, other), 1, 0);
    }
    let board = leaderboard(&connection, BoardClass::Three, Period::Tonight, NOW).unwrap();
    let position = |player| board.rows.iter().position(|row| row.player.0 == player).unwrap();
    let rating = |player| board.rows[position(player)].rating.rating;
    assert!(rating(10) > rating(1), "{board:?}");
    assert!(position(1) < position(10), "{board:?}");
}

#[test]
fn there_are_at_most_so_many_and_no_forgotten_ones() {
    let connection = tables();
    for x in 1..=40 {
        wins(&connection, (x, x + 40), 10, 0);
    }
    assert_eq!(leaders(&connection, Period::Ever).len(), MAX_LEADERS);
    for n in (1..=80).filter(|n| ![39, 79].contains(n)) {
        forget(&connection, PlayerId(n), 0).unwrap();
    }
    for period in Period::ALL {
        assert_eq!(leaders(&connection, period), [39, 79], "{period}");
    }
}

#[test]
fn an_answer_is_given_again_for_a_few_seconds_and_never_after_somebody_was_forgotten() {
    let connection = tables();
    let mut boards = Leaderboards::default();
    let mut ask =
        |now| boards.get(&connection, BoardClass::Three, Period::Week, now).unwrap().rows.len();
    assert_eq!(ask(NOW), 0);
    wins(&connection, (1, 2), 5, 0);
    assert_eq!(ask(NOW + FRESH_FOR - 1), 0);
    assert_eq!(ask(NOW + FRESH_FOR), 2);
    wins(&connection, (2, 3), 5, 0);
    assert_eq!(ask(NOW + FRESH_FOR + 1), 2);
    assert_eq!(ask(NOW + FRESH_FOR - 1), 3, "the clock was set back");
    forget(&connection, PlayerId(1), 0).unwrap();
    assert_eq!(ask(NOW + FRESH_FOR - 1), 2);
}
