//! How long a move may take by what a manager says of its limits, and how much memory.

use std::time::Duration;

/// The answer to "as fast as possible".
const FASTEST: Duration = Duration::from_millis(10);
/// A game is taken to last so many moves more, each with an equal part of the time that is left.
const MOVES_TO_COME: u32 = 20;
/// The part of a limit that is left for the way to the manager and for a busy machine, and its bounds.
const MARGIN: (f64, Duration, Duration) =
    (0.1, Duration::from_millis(20), Duration::from_millis(300));
/// The remaining time that means that there is no limit.
const UNLIMITED: i64 = 2_147_483_647;

/// The limits that a manager has set.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Limits {
    /// For a move, in milliseconds; zero is as fast as possible.
    pub(super) turn: Option<i64>,
    /// For a game, in milliseconds; zero is no limit.
    pub(super) game: Option<i64>,
    /// The time left for the game, in milliseconds. It may be negative.
    pub(super) left: Option<i64>,
    /// The memory in bytes; zero is no limit.
    pub(super) memory: Option<i64>,
}

impl Limits {
    /// How long a search may take; `usual` where the manager says nothing of a move.
    pub(super) fn time(&self, usual: Duration) -> Duration {
        let turn = self.turn.map_or(usual, |turn| less_margin(millis(turn)));
        let game = self.game.filter(|game| *game > 0);
        let left = self.left.or(game).filter(|left| *left < UNLIMITED).map(millis);
        let part = left.map_or(turn, |left| less_margin(left) / MOVES_TO_COME);
        turn.min(part).max(FASTEST)
    }

    /// The memory of a search; `None` is no limit. The rest is the program's own.
    pub(super) fn memory(&self) -> Option<usize> {
        let limit = self.memory.filter(|limit| *limit > 0)?;
        usize::try_from(limit / 2).ok()
    }
}

fn millis(ms: i64) -> Duration {
    Duration::from_millis(u64::try_from(ms).unwrap_or_default())
}

fn less_margin(limit: Duration) -> Duration {
    let (part, least, most) = MARGIN;
    limit.saturating_sub(limit.mul_f64(part).clamp(least, most))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(turn: Option<i64>, game: Option<i64>, left: Option<i64>) -> u128 {
        let limits = Limits { turn, game, left, memory: None };
        limits.time(Duration::from_secs(1)).as_millis()
    }

    #[test]
    fn a_move_ends_before_its_limit() {
        assert_eq!(time(None, None, None), 1_000, "nothing was said");
        assert_eq!(time(Some(30_000), None, None), 29_700);
        assert_eq!(time(Some(1_000), Some(0), Some(UNLIMITED)), 900);
        assert_eq!(time(Some(100), None, None), 80);
    }

    #[test]
    fn the_time_of_a_game_is_shared_among_its_moves() {
        assert_eq!(time(Some(30_000), Some(180_000), None), 8_985);
        assert_eq!(time(Some(30_000), Some(180_000), Some(60_000)), 2_985);
        assert_eq!(time(Some(500), Some(180_000), Some(170_000)), 450);
    }

    #[test]
    fn without_time_it_is_as_fast_as_possible() {
        for (turn, left) in [(0, None), (5, None), (1_000, Some(0)), (1_000, Some(-500))] {
            assert_eq!(time(Some(turn), None, left), 10, "{turn} {left:?}");
        }
        assert_eq!(time(Some(i64::MIN), None, Some(i64::MIN)), 10);
        assert!(time(Some(i64::MAX), None, None) > 1_000);
    }

    #[test]
    fn half_of_the_memory_is_for_the_search() {
        let memory = |memory| Limits { memory, ..Limits::default() }.memory();
        assert_eq!([memory(None), memory(Some(0)), memory(Some(-1))], [None; 3]);
        assert_eq!(memory(Some(83_886_080)), Some(41_943_040));
    }
}
