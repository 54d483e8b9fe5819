//! The ratings that the people of a quick match see.

use std::time::Duration;

use noughts_protocol::{
    BoardClass, ByMark, Cell, GameId, PlayerId, Rating, Role, RoomIntent, RoomRatings,
    RoomSettings, Seat, SeatRating,
};
use noughts_store::{AskedGame, Committed, Standing};

use super::story::{name_of, player};
use super::world::{room, timestamp};
use crate::room::rules::intent::RoomDecision;
use crate::room::rules::{RoomDecided, RoomRules};

const NOW: Duration = Duration::from_secs(1_000);

/// A quick match of ada and bob.
struct Match(RoomRules);

/// A stored rating, its deviation and its games.
type Stored = Option<(i32, u32, u32)>;

impl Match {
    fn begin() -> Self {
        let mut this = Self(room(RoomSettings::default(), NOW));
        let seat = |name| Seat::Human { player: player(name), name: name.parse().unwrap() };
        let made = this.0.fill_seats(&ByMark { x: seat("ada"), o: seat("bob") }, true);
        this.apply(made);
        for name in ["ada", "bob"] {
            this.0.connect(NOW, player(name));
        }
        this
    }

    /// Applies facts. A game that ends with them is kept.
    fn apply(&mut self, decided: RoomDecided) {
        let (decided, _) = self.0.keep_game(timestamp(NOW), decided, GameId(9), true);
        drop(self.0.apply(timestamp(NOW), Committed::for_tests(decided)));
    }

    fn does(&mut self, name: &str, intent: RoomIntent) {
        match self.0.decide(NOW, player(name), intent, true).unwrap() {
            RoomDecision::Facts(decided) | RoomDecision::Leave(decided) => self.apply(decided),
            RoomDecision::Rematch(offer) => self.0.set_rematch(offer),
            other => panic!("{other:?}"),
        }
    }

    fn resigns(&mut self, name: &str) {
        let game = self.0.state().game.as_ref().unwrap().number;
        self.does(name, RoomIntent::Resign { game });
    }

    fn is_played_again(&mut self) {
        let game = self.0.state().game.as_ref().unwrap().number;
        for name in ["ada", "bob"] {
            self.does(name, RoomIntent::Rematch { game, offer: true, series: None });
        }
        assert!(self.0.state().is_running());
    }

    /// The store's answer: whether the game is rated, and what each player has.
    fn hears(&mut self, rated: bool, players: &[(&str, Stored)]) {
        let class = BoardClass::Three;
        let players = players.iter().map(|(name, rating)| {
            let rating =
                rating.map(|(rating, deviation, games)| Rating { class, rating, deviation, games });
            (player(name), rating)
        });
        self.0.note_ratings(Some(Standing { rated, players: players.collect() }));
    }

    /// The ratings of ada and bob as they are told.
    fn told(&self) -> (bool, Option<SeatRating>, Option<SeatRating>) {
        let RoomRatings { rated, seats } = self.0.presence(NOW).ratings.unwrap();
        (rated, seats.x, seats.o)
    }
}

fn rating(rating: u16, before: Option<u16>) -> Option<SeatRating> {
    Some(SeatRating { rating, provisional: false, before })
}

#[test]
fn a_rating_is_told_before_a_game_and_its_change_after_it() {
    let mut game = Match::begin();
    assert_eq!(game.0.presence(NOW).ratings, None, "nothing is known yet");
    let seats = ByMark { x: Some(player("ada")), o: Some(player("bob")) };
    assert_eq!(game.0.asks_ratings(), Some((AskedGame::Running, seats)));
    game.hears(true, &[("ada", None), ("bob", Some((1_523, 90, 12)))]);
    assert_eq!(game.told(), (true, None, rating(1_523, None)));
    game.does("ada", RoomIntent::Play { game: 1, ply: 0, cell: Cell(4), placed: None });
    game.resigns("bob");
    assert_eq!(game.0.asks_ratings(), Some((AskedGame::Over(Some(GameId(9))), seats)));
    game.hears(true, &[("ada", Some((1_662, 290, 1))), ("bob", Some((1_515, 89, 13)))]);
    let new = SeatRating { rating: 1_662, provisional: true, before: Some(1_500) };
    assert_eq!(game.told(), (true, Some(new), rating(1_515, Some(1_523))));
    game.is_played_again();
    let new = SeatRating { before: None, ..new };
    assert_eq!(game.told(), (true, Some(new), rating(1_515, None)), "the next game begins");
}

/// Fails if the change is the difference to what was told at the start, whatever lies between.
#[test]
fn a_change_by_another_game_is_not_told_as_this_games() {
    let mut game = Match::begin();
    game.hears(true, &[("ada", Some((1_600, 90, 4))), ("bob", Some((1_523, 90, 12)))]);
    game.does("ada", RoomIntent::Play { game: 1, ply: 0, cell: Cell(4), placed: None });
    game.resigns("bob");
    // Bob has won another game meanwhile.
    game.hears(true, &[("ada", Some((1_606, 90, 5))), ("bob", Some((1_530, 90, 14)))]);
    assert_eq!(game.told(), (true, rating(1_606, Some(1_600)), rating(1_530, None)));
}

#[test]
fn a_game_that_is_not_rated_changes_nothing() {
    let mut game = Match::begin();
    let known = [("ada", Some((1_600, 90, 4))), ("bob", Some((1_523, 90, 12)))];
    game.hears(true, &known);
    // A game without a mark is not kept, and counts for nobody.
    game.resigns("bob");
    assert!(matches!(game.0.asks_ratings(), Some((AskedGame::Over(None), _))));
    // Ada has won another game meanwhile.
    game.hears(false, &[("ada", Some((1_610, 90, 5))), known[1]]);
    assert_eq!(game.told(), (false, rating(1_610, None), rating(1_523, None)));
}

#[test]
fn a_rating_goes_with_its_player() {
    let mut game = Match::begin();
    game.hears(true, &[("ada", Some((1_600, 90, 4))), ("bob", Some((1_523, 90, 12)))]);
    game.does("bob", RoomIntent::Leave);
    assert_eq!(game.told(), (true, rating(1_600, None), None), "the seat is open");
    let cid = player("cid");
    let joined = game.0.join(cid, &name_of(cid).unwrap(), Role::Player, true).unwrap();
    game.apply(joined);
    assert_eq!(game.told().2, None, "cid has not bob's rating");
    let asked = game.0.asks_ratings().unwrap().1;
    assert_eq!(asked.o, Some(cid));
}

#[test]
fn a_room_that_somebody_made_asks_for_no_ratings() {
    let Match(rules) = Match::begin();
    assert_eq!(rules.made_by(&[PlayerId(1)]).asks_ratings(), None);
}
