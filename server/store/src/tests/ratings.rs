//! Tests of the stored ratings against the fold.

use noughts_protocol::{BoardClass, ByMark, GameId, Outcome, PlayerId, RoomSettings};
use rusqlite::Connection;

use super::world::*;
use crate::rating::{of_player, recompute};
use crate::{FinishedGame, Strength, game, player};

fn contradictions(connection: &Connection) -> Vec<String> {
    recompute(connection).unwrap().contradictions
}

#[test]
fn a_rating_that_was_changed_shows() {
    let connection = tables();
    wins(&connection, (1, 2), 4, 0);
    wins(&connection, (3, 1), 1, 0);
    assert_eq!(contradictions(&connection), Vec::<String>::new());
    connection.execute("UPDATE rating SET rating = rating + 0.001 WHERE player = 2", []).unwrap();
    let found = contradictions(&connection);
    assert!(found.len() == 1 && found[0].contains("player 0000000000000002"), "{found:?}");
    connection.execute("DELETE FROM rating WHERE player = 2", []).unwrap();
    assert!(contradictions(&connection)[0].contains("is missing"));
    let sql = "INSERT INTO rating VALUES (3, 5, 1500, 350, 0.06, 0, 0)";
    connection.execute(sql, []).unwrap();
    assert!(contradictions(&connection).iter().any(|c| c.contains("without a rated game")));
    connection.execute("UPDATE seat SET outcome = 0 WHERE game = 1 AND mark = 0", []).unwrap();
    assert!(contradictions(&connection).iter().any(|c| c.contains("number 1 makes no sense")));
}

#[test]
fn only_rated_games_of_two_known_people_count_each_class_apart() {
    let connection = tables();
    wins(&connection, (1, 2), 1, 0);
    let of = |id, x, o| finished(id, ByMark { x, o }, O_WINS);
    let five = RoomSettings { board: "15x15x5".parse().unwrap(), ..RoomSettings::default() };
    let five = FinishedGame { settings: five, ..of(10, numbered(1), numbered(2)) };
    let unrated = FinishedGame { rated: false, ..of(11, numbered(1), numbered(2)) };
    let alone = of(12, numbered(1), numbered(1));
    let other = of(13, numbered(1), computer());
    for game in [five, unrated, alone, other] {
        game::add(&connection, &game, 0).unwrap();
    }
    let ratings = of_player(&connection, 1, NOW).unwrap();
    let classes: Vec<_> = ratings.iter().map(|rating| (rating.class, rating.games)).collect();
    assert_eq!(classes, [(BoardClass::Three, 1), (BoardClass::Five, 1)]);
    assert!(ratings[0].rating > 1_600 && ratings[1].rating < 1_400, "{ratings:?}");
    assert!(of_player(&connection, 3, NOW).unwrap().is_empty());
    assert_eq!(rows(&connection, "SELECT id FROM game WHERE rated = 1"), ["0", "10"]);
}

#[test]
fn a_forgotten_player_has_no_rating_and_the_others_keep_theirs() {
    let connection = tables();
    wins(&connection, (1, 2), 1, 0);
    wins(&connection, (2, 3), 1, 0);
    player::forget(&connection, PlayerId(1), 0).unwrap();
    let recomputed = recompute(&connection).unwrap();
    assert_eq!(recomputed.contradictions, Vec::<String>::new());
    assert_eq!(recomputed.ratings.len(), 2);
    let (_, expected) = Strength::after_game(Strength::NEW, Strength::NEW, Outcome::Won, NOW);
    let (expected, _) = Strength::after_game(expected, Strength::NEW, Outcome::Won, NOW);
    assert_eq!(recomputed.ratings[0].strength, expected);
    // A game that goes on is kept, and is not rated.
    let later = finished(9, ByMark { x: numbered(1), o: numbered(2) }, X_WINS);
    game::add(&connection, &later, 0).unwrap();
    let kept = game::by_id(&connection, GameId(9)).unwrap().unwrap();
    assert!(!kept.game.summary.rated);
    assert_eq!(recompute(&connection).unwrap().games, 2);
}

/// Of all places that show a rating, a profile is the one that no later game corrects.
#[test]
fn a_profile_shows_a_rating_as_certain_as_it_is_now() {
    let connection = tables();
    wins(&connection, (1, 2), 1, 0);
    let deviation = |now| of_player(&connection, 1, now).unwrap()[0].deviation;
    let year = 365 * 24 * 3_600 * 1_000;
    assert!(deviation(NOW) < deviation(NOW + year));
    assert!(deviation(NOW + year) < deviation(NOW + 2 * year));
}
