//! Tests of the stored ratings against the fold.

use noughts_protocol::BoardClass;
use proptest::prelude::*;
use rusqlite::Connection;

use super::super::schema::TABLES;
use super::{Points, RatedGame, Strength, of_player, recompute, record};

/// The tables of the archive, empty but for some players: the player number n has the id n.
pub(in crate::journal::archive) fn tables(players: i64) -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(TABLES).unwrap();
    for n in 1..=players {
        let sql = "INSERT INTO player (n, id, name) VALUES (?1, ?1, 'P' || ?1)";
        connection.execute(sql, [n]).unwrap();
    }
    connection
}

fn game(game: i64, (x, o): (i64, i64), points: Points, at: i64) -> RatedGame {
    RatedGame { game, class: BoardClass::Three, x, o, points, at }
}

fn contradictions(connection: &Connection) -> Vec<String> {
    recompute(connection).unwrap().contradictions
}

fn rated_games() -> impl Strategy<Value = Vec<RatedGame>> {
    let points = prop_oneof![Just(Points::None), Just(Points::Half), Just(Points::Full)];
    let class = proptest::sample::select(&BoardClass::ALL[..]);
    let one = (1_i64..=5, 1_i64..5, points, class, 0_i64..1 << 42);
    proptest::collection::vec(one, 0..60).prop_map(|games| {
        let numbered = games.into_iter().zip(1..);
        let game = |((x, other, points, class, at), game)| {
            let o = (x + other - 1) % 5 + 1;
            RatedGame { game, class, x, o, points, at }
        };
        numbered.map(game).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_stored_ratings_are_the_fold(games in rated_games()) {
        let connection = tables(5);
        for game in &games {
            record(&connection, *game).unwrap();
        }
        let recomputed = recompute(&connection).unwrap();
        prop_assert_eq!(&recomputed.contradictions, &Vec::<String>::new());
        prop_assert_eq!(recomputed.games, games.len() as u64);
        let played: u32 = recomputed.ratings.iter().map(|rating| rating.strength.games).sum();
        prop_assert_eq!(played as usize, 2 * games.len());
        prop_assert!(recomputed.ratings.iter().all(|rating| rating.agrees));
    }
}

#[test]
fn a_rating_that_was_changed_shows() {
    let connection = tables(3);
    for n in 1..=4 {
        record(&connection, game(n, (1, 2), Points::Full, 0)).unwrap();
    }
    assert_eq!(contradictions(&connection), Vec::<String>::new());
    connection.execute("UPDATE rating SET rating = rating + 0.001 WHERE player = 2", []).unwrap();
    let found = contradictions(&connection);
    assert!(found.len() == 1 && found[0].contains("player 0000000000000002"), "{found:?}");
    connection.execute("DELETE FROM rating WHERE player = 2", []).unwrap();
    assert!(contradictions(&connection)[0].contains("is missing"));
    let sql = "INSERT INTO rating VALUES (3, 5, 1500, 350, 0.06, 0, 0)";
    connection.execute(sql, []).unwrap();
    assert!(contradictions(&connection).iter().any(|c| c.contains("without a rated game")));
    connection.execute("UPDATE rated SET half_points = 3 WHERE game = 1", []).unwrap();
    assert!(contradictions(&connection).iter().any(|c| c.contains("number 1 makes no sense")));
}

#[test]
fn classes_are_rated_apart() {
    let connection = tables(2);
    record(&connection, game(1, (1, 2), Points::Full, 0)).unwrap();
    let five = RatedGame { class: BoardClass::Five, ..game(2, (1, 2), Points::None, 0) };
    record(&connection, five).unwrap();
    let ratings = of_player(&connection, 1, 0).unwrap();
    assert_eq!(
        ratings.iter().map(|r| r.class).collect::<Vec<_>>(),
        [BoardClass::Three, BoardClass::Five]
    );
    assert!(ratings[0].rating > 1_600 && ratings[1].rating < 1_400, "{ratings:?}");
    assert!(of_player(&connection, 3, 0).unwrap().is_empty());
}

#[test]
fn a_forgotten_player_has_no_rating_and_the_others_keep_theirs() {
    let connection = tables(3);
    record(&connection, game(1, (1, 2), Points::Full, 0)).unwrap();
    record(&connection, game(2, (2, 3), Points::Full, 0)).unwrap();
    connection.execute("UPDATE player SET id = NULL, name = NULL WHERE n = 1", []).unwrap();
    connection.execute("DELETE FROM rating WHERE player = 1", []).unwrap();
    let recomputed = recompute(&connection).unwrap();
    assert_eq!(recomputed.contradictions, Vec::<String>::new());
    assert_eq!(recomputed.ratings.len(), 2);
    let (_, expected) = Strength::after_game(Strength::NEW, Strength::NEW, Points::Full, 0);
    let (expected, _) = Strength::after_game(expected, Strength::NEW, Points::Full, 0);
    assert_eq!(recomputed.ratings[0].strength, expected);
}

/// Of all places that show a rating, a profile is the one that no later game corrects.
#[test]
fn a_profile_shows_a_rating_as_certain_as_it_is_now() {
    let connection = tables(2);
    record(&connection, game(1, (1, 2), Points::Full, 0)).unwrap();
    let deviation = |now| of_player(&connection, 1, now).unwrap()[0].deviation;
    let year = 365 * 24 * 3_600 * 1_000;
    assert!(deviation(0) < deviation(year) && deviation(year) < deviation(2 * year));
}
