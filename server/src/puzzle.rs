//! Which puzzle a day has, and who may see it already. A day begins at midnight UTC, and has the same puzzle
//! everywhere. The clock is read elsewhere.

use noughts_engine::puzzle::Puzzle;
use noughts_protocol::{DailyPuzzle, Date, Refusal, RefusalCode};

/// The puzzle of a day that is not after `today`.
///
/// # Errors
/// `too_early` for a later day, `no_such_game` for one before the first puzzle.
pub(crate) fn puzzle_of(date: Date, today: Date) -> Result<DailyPuzzle, Refusal> {
    if date > today {
        let message =
            format!("the puzzle of {date} comes at midnight UTC of that day: today is {today}");
        return Err(Refusal::new(RefusalCode::TooEarly, message));
    }
    let none =
        || format!("there was no puzzle on {date}: the first one is of {}", Date::FIRST_PUZZLE);
    Puzzle::of_day(date).ok_or_else(|| Refusal::new(RefusalCode::NoSuchGame, none()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_its_puzzle_once_it_has_come() {
        let date = |text: &str| text.parse::<Date>().unwrap();
        let of = |day: &str| puzzle_of(date(day), date("2026-11-27"));
        let today = of("2026-11-27").unwrap();
        assert_eq!((today.date, today.number), (date("2026-11-27"), 331));
        assert_ne!(of("2026-11-20").unwrap().x, today.x);
        assert_eq!(of("2026-11-28").unwrap_err().code, RefusalCode::TooEarly);
        assert_eq!(of("2025-12-31").unwrap_err().code, RefusalCode::NoSuchGame);
    }
}
