//! Glicko-2 as this server uses it. Pure: no database, no clock.
//!
//! The formulas are those of Mark E. Glickman, "Example of the Glicko-2 system"
//! (<http://www.glicko.net/glicko/glicko2.pdf>), computed by the crate `skillratings`. The paper leaves
//! open how long a rating period is. Here each rated game is a period of its own, so that a rating
//! changes at once. Each full [`IDLE_PERIOD`] between two games of a player is another period, without
//! games: the deviation grows, the rating stays.
//!
//! The exponential functions of two machines may differ in the last bit. So each value is rounded to a
//! coarser grid after each game, and the same games give the same ratings everywhere.

use noughts_protocol::Outcome;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, decay_deviation, glicko2};

/// A player who does not play for this long becomes less certain: a week, in milliseconds.
const IDLE_PERIOD: i64 = 7 * 24 * 3_600 * 1_000;
/// The most idle periods that count at once: ten years. After that the deviation is near its maximum.
const MAX_IDLE_PERIODS: i64 = 520;

/// The ranges of the values. Without them the formulas would overflow in impossible series, for
/// example of a player who loses a million games.
const RATINGS: (f64, f64) = (100.0, 4_000.0);
const DEVIATIONS: (f64, f64) = (30.0, 350.0);
const VOLATILITIES: (f64, f64) = (0.031_25, 0.125);

/// The steps of ratings and deviations are 1 / this.
const RATING_STEPS: f64 = 1_024.0;
/// The steps of volatilities are 1 / this.
const VOLATILITY_STEPS: f64 = 1_073_741_824.0;

/// A player's rating on a class of boards, as it was after the last rated game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strength {
    /// The rating.
    pub rating: f64,
    /// The rating deviation.
    pub deviation: f64,
    /// The volatility: how much the results vary.
    pub volatility: f64,
    /// Rated games so far.
    pub games: u32,
    /// When the last one ended, in milliseconds since 1970.
    pub last: i64,
}

impl Strength {
    /// A player without a rated game, as the paper begins.
    pub const NEW: Self =
        Self { rating: 1_500.0, deviation: 350.0, volatility: 0.06, games: 0, last: 0 };

    /// The rating after the idle periods since the last game. A clock that went back makes none.
    #[must_use]
    pub fn at(self, now: i64) -> Self {
        let periods = (now.saturating_sub(self.last) / IDLE_PERIOD).clamp(0, MAX_IDLE_PERIODS);
        // The deviation of a new player is the largest.
        if periods == 0 || self.games == 0 {
            return self;
        }
        let idle = (0..periods).fold(self.glicko(), |rating, _| decay_deviation(&rating));
        self.with(idle)
    }

    /// The ratings of X and O after a game that ended at `at`, in milliseconds since 1970, with this outcome for X.
    #[must_use]
    pub fn after_game(x: Self, o: Self, of_x: Outcome, at: i64) -> (Self, Self) {
        let x = x.at(at);
        let o = o.at(at);
        let of_x = match of_x {
            Outcome::Lost => Outcomes::LOSS,
            Outcome::Drawn => Outcomes::DRAW,
            Outcome::Won => Outcomes::WIN,
        };
        let (new_x, new_o) = glicko2(&x.glicko(), &o.glicko(), &of_x, &Glicko2Config::new());
        let after = |player: Self, new| Self {
            games: player.games.saturating_add(1),
            last: player.last.max(at),
            ..player.with(new)
        };
        (after(x, new_x), after(o, new_o))
    }

    /// The rating that the player has with near certainty: two deviations below the rating.
    #[must_use]
    pub fn lower_bound(self) -> f64 {
        2.0_f64.mul_add(-self.deviation, self.rating)
    }

    const fn glicko(self) -> Glicko2Rating {
        let Self { rating, deviation, volatility, .. } = self;
        Glicko2Rating { rating, deviation, volatility }
    }

    /// The same player with another rating, in range and on the grid.
    fn with(self, new: Glicko2Rating) -> Self {
        let on_grid = |value: f64, (least, most): (f64, f64), steps: f64| {
            (value.clamp(least, most) * steps).round() / steps
        };
        Self {
            rating: on_grid(new.rating, RATINGS, RATING_STEPS),
            deviation: on_grid(new.deviation, DEVIATIONS, RATING_STEPS),
            volatility: on_grid(new.volatility, VOLATILITIES, VOLATILITY_STEPS),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn strength() -> impl Strategy<Value = Strength> {
        let ranges = (100.0..=4_000.0, 30.0..=350.0, 0.031_25..=0.125, 1_u32.., 0_i64..1 << 50);
        ranges.prop_map(|(rating, deviation, volatility, games, last)| {
            let values = Glicko2Rating { rating, deviation, volatility };
            Strength { games, last, ..Strength::NEW }.with(values)
        })
    }

    fn outcome() -> impl Strategy<Value = Outcome> {
        prop_oneof![Just(Outcome::Lost), Just(Outcome::Drawn), Just(Outcome::Won)]
    }

    fn mirrored(outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Lost => Outcome::Won,
            Outcome::Drawn => Outcome::Drawn,
            Outcome::Won => Outcome::Lost,
        }
    }

    fn is_in_range(s: Strength) -> bool {
        let within = |value: f64, (least, most): (f64, f64)| (least..=most).contains(&value);
        within(s.rating, RATINGS)
            && within(s.deviation, DEVIATIONS)
            && within(s.volatility, VOLATILITIES)
    }

    #[test]
    fn the_example_of_the_paper() {
        let player = Strength { deviation: 200.0, ..Strength::NEW };
        let games = [
            (1_400.0, 30.0, Outcome::Won),
            (1_550.0, 100.0, Outcome::Lost),
            (1_700.0, 300.0, Outcome::Lost),
        ];
        let after = games.into_iter().fold(player, |player, (rating, deviation, of_x)| {
            let opponent = Strength { rating, deviation, ..Strength::NEW };
            Strength::after_game(player, opponent, of_x, 0).0
        });
        // The paper has 1464.06, 151.52 and 0.05999 for the three games in one period.
        assert!((after.rating - 1_464.06).abs() < 1.0, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 1.0, "{after:?}");
        assert!((after.volatility - 0.059_99).abs() < 0.000_1, "{after:?}");
        assert_eq!(after.games, 3);
    }

    #[test]
    fn who_does_not_play_becomes_less_certain_and_not_weaker() {
        let player = Strength { rating: 1_800.0, deviation: 60.0, games: 100, ..Strength::NEW };
        assert_eq!(player.at(IDLE_PERIOD - 1), player);
        assert_eq!(player.at(-IDLE_PERIOD), player, "the clock went back");
        let year = player.at(52 * IDLE_PERIOD);
        assert!(year.deviation > 90.0 && year.deviation < 110.0, "{year:?}");
        assert!((year.rating - player.rating).abs() < f64::EPSILON);
        assert_eq!(player.at(i64::MAX), player.at(MAX_IDLE_PERIODS * IDLE_PERIOD));
    }

    proptest! {
        #[test]
        fn every_rating_stays_in_range(
            (x, o) in (strength(), strength()), of_x in outcome(), at in any::<i64>(),
        ) {
            let (x, o) = Strength::after_game(x, o, of_x, at);
            prop_assert!(is_in_range(x) && is_in_range(o), "{x:?} {o:?}");
        }

        #[test]
        fn a_win_raises_and_a_loss_lowers(
            (x, o) in (strength(), strength()), at in 0_i64..1 << 50,
        ) {
            let (won, lost) = Strength::after_game(x, o, Outcome::Won, at);
            prop_assert!(won.rating >= x.rating && lost.rating <= o.rating, "{won:?} {lost:?}");
            let (drew, _) = Strength::after_game(x, o, Outcome::Drawn, at);
            prop_assert!(drew.rating <= won.rating);
        }

        /// Neither mark has an advantage in the formulas.
        #[test]
        fn the_seats_do_not_matter(
            (x, o) in (strength(), strength()), of_x in outcome(), at in any::<i64>(),
        ) {
            let (as_x, as_o) = Strength::after_game(x, o, of_x, at);
            let exchanged = Strength::after_game(o, x, mirrored(of_x), at);
            prop_assert_eq!((as_o, as_x), exchanged);
        }

        /// A game finds both as uncertain as their idle weeks have made them.
        #[test]
        fn the_idle_weeks_before_a_game_count_in_it(
            (x, o) in (strength(), strength()), of_x in outcome(), at in 0_i64..1 << 51,
        ) {
            let idle = |player: Strength| Strength { last: player.last.max(at), ..player.at(at) };
            let expected = Strength::after_game(idle(x), idle(o), of_x, at);
            prop_assert_eq!(Strength::after_game(x, o, of_x, at), expected);
        }

        /// A whole series gives the same bits each time, and later games count from there: folding in
        /// two parts is folding at once.
        #[test]
        fn a_series_can_be_folded_in_parts(
            games in proptest::collection::vec((outcome(), 0_i64..1 << 40), 0..40), cut in 0_usize..40,
        ) {
            let fold = |pair, games: &[(Outcome, i64)]| {
                games.iter().fold(pair, |(x, o), (of_x, at)| Strength::after_game(x, o, *of_x, *at))
            };
            let new = (Strength::NEW, Strength::NEW);
            let (before, after) = games.split_at(cut.min(games.len()));
            prop_assert_eq!(fold(new, &games), fold(fold(new, before), after));
        }

        #[test]
        fn every_value_lies_on_the_grid(
            (x, o) in (strength(), strength()), of_x in outcome(), at in any::<i64>(),
        ) {
            let (x, _) = Strength::after_game(x, o, of_x, at);
            for (value, steps) in [
                (x.rating, RATING_STEPS), (x.deviation, RATING_STEPS), (x.volatility, VOLATILITY_STEPS),
            ] {
                prop_assert!((value * steps).fract() == 0.0);
            }
        }
    }

    /// A million defeats in a row do not overflow, nor do wins of the weakest against the strongest.
    #[test]
    fn the_longest_series_stay_finite() {
        let mut pair = (Strength::NEW, Strength::NEW);
        for _ in 0..20_000 {
            pair = Strength::after_game(pair.0, pair.1, Outcome::Won, 0);
        }
        assert!(is_in_range(pair.0) && is_in_range(pair.1), "{pair:?}");
        assert!(pair.0.rating > pair.1.rating + 500.0);
        let most = (4_000.0, 30.0, 0.125);
        let least = (100.0, 350.0, 0.125);
        let [strong, weak] = [most, least].map(|(rating, deviation, volatility)| Strength {
            rating,
            deviation,
            volatility,
            ..Strength::NEW
        });
        let upset = Strength::after_game(weak, strong, Outcome::Won, 0);
        assert!(is_in_range(upset.0) && is_in_range(upset.1), "{upset:?}");
        assert!(upset.0.rating > weak.rating);
    }
}
