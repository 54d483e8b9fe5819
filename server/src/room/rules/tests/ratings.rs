//! The ratings that the people of a quick match see.

use noughts_protocol::{
    BoardClass, ByMark, Cell, Rating, Role, RoomIntent, RoomRatings, RoomSettings, SeatRating,
};
use noughts_store::{AskedGame, Standing};

use super::stored::{ID, Room};
use super::story::{name_of, player};

/// A stored rating, its deviation and its games.
type Stored = Option<(i32, u32, u32)>;

fn quick_match() -> Room {
    Room::made_by(RoomSettings::default(), &["ada", "bob"])
}

impl Room {
    fn resigns(&mut self, name: &str) {
        let game = self.rules.state().game.as_ref().unwrap().number;
        self.does(name, RoomIntent::Resign { game });
    }

    /// The store's answer: whether the game is rated, and what each player has.
    fn hears(&mut self, rated: bool, players: &[(&str, Stored)]) {
        let class = BoardClass::Three;
        let players = players.iter().map(|(name, rating)| {
            let rating =
                rating.map(|(rating, deviation, games)| Rating { class, rating, deviation, games });
            (player(name), rating)
        });
        self.rules.note_ratings(Some(Standing { rated, players: players.collect() }));
    }

    /// The ratings of ada and bob as they are told.
    fn told(&self) -> (bool, Option<SeatRating>, Option<SeatRating>) {
        let RoomRatings { rated, seats } = self.rules.presence(self.now).ratings.unwrap();
        (rated, seats.x, seats.o)
    }
}

fn rating(rating: u16, before: Option<u16>) -> Option<SeatRating> {
    Some(SeatRating { rating, provisional: false, before })
}

#[test]
fn a_rating_is_told_before_a_game_and_its_change_after_it() {
    let mut game = quick_match();
    assert_eq!(game.rules.presence(game.now).ratings, None, "nothing is known yet");
    let seats = ByMark { x: Some(player("ada")), o: Some(player("bob")) };
    assert_eq!(game.rules.asks_ratings(), Some((AskedGame::Running, seats)));
    game.hears(true, &[("ada", None), ("bob", Some((1_523, 90, 12)))]);
    assert_eq!(game.told(), (true, None, rating(1_523, None)));
    game.does("ada", RoomIntent::Play { game: 1, ply: 0, cell: Cell(4), placed: None });
    game.resigns("bob");
    assert_eq!(game.rules.asks_ratings(), Some((AskedGame::Over(Some(ID)), seats)));
    game.hears(true, &[("ada", Some((1_662, 290, 1))), ("bob", Some((1_515, 89, 13)))]);
    let new = SeatRating { rating: 1_662, provisional: true, before: Some(1_500) };
    assert_eq!(game.told(), (true, Some(new), rating(1_515, Some(1_523))));
    game.plays_again();
    let new = SeatRating { before: None, ..new };
    assert_eq!(game.told(), (true, Some(new), rating(1_515, None)), "the next game begins");
}

/// Fails if the change is the difference to what was told at the start, whatever lies between.
#[test]
fn a_change_by_another_game_is_not_told_as_this_games() {
    let mut game = quick_match();
    game.hears(true, &[("ada", Some((1_600, 90, 4))), ("bob", Some((1_523, 90, 12)))]);
    game.does("ada", RoomIntent::Play { game: 1, ply: 0, cell: Cell(4), placed: None });
    game.resigns("bob");
    // Bob has won another game meanwhile.
    game.hears(true, &[("ada", Some((1_606, 90, 5))), ("bob", Some((1_530, 90, 14)))]);
    assert_eq!(game.told(), (true, rating(1_606, Some(1_600)), rating(1_530, None)));
}

#[test]
fn a_game_that_is_not_rated_changes_nothing() {
    let mut game = quick_match();
    let known = [("ada", Some((1_600, 90, 4))), ("bob", Some((1_523, 90, 12)))];
    game.hears(true, &known);
    // A game without a mark is not kept, and counts for nobody.
    game.resigns("bob");
    assert!(matches!(game.rules.asks_ratings(), Some((AskedGame::Over(None), _))));
    // Ada has won another game meanwhile.
    game.hears(false, &[("ada", Some((1_610, 90, 5))), known[1]]);
    assert_eq!(game.told(), (false, rating(1_610, None), rating(1_523, None)));
}

#[test]
fn a_rating_goes_with_its_player() {
    let mut game = quick_match();
    game.hears(true, &[("ada", Some((1_600, 90, 4))), ("bob", Some((1_523, 90, 12)))]);
    game.does("bob", RoomIntent::Leave);
    assert_eq!(game.told(), (true, rating(1_600, None), None), "the seat is open");
    let cid = player("cid");
    let joined = game.rules.join(cid, &name_of(cid).unwrap(), Role::Player, true).unwrap();
    game.apply(joined);
    assert_eq!(game.told().2, None, "cid has not bob's rating");
    let asked = game.rules.asks_ratings().unwrap().1;
    assert_eq!(asked.o, Some(cid));
}

#[test]
fn a_room_that_somebody_made_asks_for_no_ratings() {
    let own = Room::made_by(RoomSettings::default(), &["ada"]);
    assert_eq!(own.rules.asks_ratings(), None);
}
