//! The ratings of the players of a quick match, for the people in the room. They are the store's: the
//! room asks for them when a game begins and after it has ended ([`RoomRules::asks_ratings`]), and tells
//! what it was answered last.

use noughts_protocol::{ByMark, Event, Mark, PlayerId, Rating, RoomRatings, SeatRating};

use noughts_store::{AskedGame, Standing};

use super::RoomRules;

/// A rating is provisional above this deviation: the true one is then within 220 in 95 of 100 cases.
const PROVISIONAL: u32 = 110;

/// A new player's rating, before any rated game.
const FIRST: u16 = 1_500;

/// The last answer to the room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KnownRatings {
    rated: bool,
    players: Vec<KnownPlayer>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct KnownPlayer {
    player: PlayerId,
    /// `None` without a rated game in this class.
    rating: Option<Rating>,
    /// The rating before the game that has just ended.
    before: Option<u16>,
}

impl KnownRatings {
    fn of(&self, player: PlayerId) -> Option<&KnownPlayer> {
        self.players.iter().find(|known| known.player == player)
    }
}

impl RoomRules {
    /// The question about the ratings of the players; `None` in a room that is no quick match of two.
    pub(crate) fn asks_ratings(&self) -> Option<(AskedGame, ByMark<Option<PlayerId>>)> {
        let state = &self.state;
        let numbered = state.game.as_ref().filter(|_| self.matched.is_some())?;
        let game = match numbered.game.result() {
            None => AskedGame::Running,
            Some(_) => AskedGame::Over(numbered.id),
        };
        let [x, o] = Mark::BOTH.map(|mark| state.seats[mark].player());
        Some((game, ByMark { x, o }))
    }

    /// Notes what the store says. A rating has changed by the game that has just ended if exactly one
    /// more game counts for it than at the game's start.
    pub(crate) fn note_ratings(&mut self, standing: Option<Standing>) {
        let before = self.ratings.take();
        let is_over = !self.state.is_running();
        self.ratings = standing.map(|Standing { rated, players }| KnownRatings {
            rated,
            players: players
                .into_iter()
                .map(|(player, rating)| {
                    let known = before.as_ref().filter(|_| is_over && rated);
                    let known = known.and_then(|known| known.of(player));
                    let before = known.and_then(|known| changed(known.rating, rating));
                    KnownPlayer { player, rating, before }
                })
                .collect(),
        });
    }

    /// The ratings as everybody in the room sees them.
    pub(super) fn told_ratings(&self) -> Option<RoomRatings> {
        let known = self.ratings.as_ref()?;
        let rating = |mark: Mark| {
            let KnownPlayer { rating, before, .. } = known.of(self.state.seats[mark].player()?)?;
            let rating = rating.as_ref()?;
            let provisional = rating.deviation > PROVISIONAL;
            Some(SeatRating { rating: points(rating), provisional, before: *before })
        };
        let seats = ByMark { x: rating(Mark::X), o: rating(Mark::O) };
        Some(RoomRatings { rated: known.rated, seats })
    }

    /// The next game begins.
    pub(super) fn begin_ratings(&mut self) {
        let players = self.ratings.iter_mut().flat_map(|known| &mut known.players);
        players.for_each(|known| known.before = None);
    }
}

/// The rating before the one game that lies between.
fn changed(before: Option<Rating>, now: Option<Rating>) -> Option<u16> {
    let games = before.map_or(0, |before| before.games);
    let is_next = now.is_some_and(|now| now.games == games + 1);
    is_next.then(|| before.map_or(FIRST, |before| points(&before)))
}

/// Ratings are between 100 and 4000.
fn points(rating: &Rating) -> u16 {
    u16::try_from(rating.rating).unwrap_or_default()
}

/// Whether the ratings are to be asked for after this event.
pub(crate) const fn changes_ratings(event: &Event) -> bool {
    matches!(
        event,
        Event::GameStarted { .. } | Event::Moved { over: Some(_), .. } | Event::GameOver { .. }
    )
}
