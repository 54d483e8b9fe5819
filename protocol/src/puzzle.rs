//! The puzzle of the day: its date, and the puzzle as it is told. Which puzzle a day has is the engine's affair.

use std::fmt;
use std::str::FromStr;

use jiff::tz::Offset;
use jiff::{Timestamp, civil};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::board::{BoardSpec, Cell};

/// The Monday before the first puzzle.
const FIRST_MONDAY: civil::Date = civil::date(2025, 12, 29);

/// A day, by the calendar in UTC: `2026-11-27` on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Date(civil::Date);

/// Why a text is no [`Date`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a date is a year, a month and a day, for example 2026-11-27")]
pub struct DateError;

impl Date {
    /// The day of the first puzzle: 2026-01-01.
    pub const FIRST_PUZZLE: Self = Self(civil::date(2026, 1, 1));

    /// The day of a moment, in milliseconds since 1970.
    #[must_use]
    pub fn of_unix_ms(ms: i64) -> Self {
        let time = Timestamp::from_millisecond(ms).unwrap_or(Timestamp::MAX);
        Self(Offset::UTC.to_datetime(time).date())
    }

    /// The day of the week: 0 for Monday to 6 for Sunday.
    #[must_use]
    pub fn weekday(self) -> usize {
        self.0.weekday().to_monday_zero_offset() as usize
    }

    /// Whole weeks, each from a Monday on, since the week of [`FIRST_PUZZLE`](Self::FIRST_PUZZLE); 0 before that.
    #[must_use]
    pub fn week(self) -> usize {
        usize::try_from((self.0 - FIRST_MONDAY).get_days() / 7).unwrap_or_default()
    }

    /// The number of the day's puzzle, from 1; 0 before the first.
    #[must_use]
    pub fn puzzle_number(self) -> u32 {
        u32::try_from((self.0 - Self::FIRST_PUZZLE.0).get_days() + 1).unwrap_or_default()
    }

    /// The day before, or the day after.
    #[must_use]
    pub fn beside(self, after: bool) -> Self {
        let beside = if after { self.0.tomorrow() } else { self.0.yesterday() };
        Self(beside.unwrap_or(self.0))
    }
}

impl FromStr for Date {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        let date = text.parse::<civil::Date>().map_err(|_| DateError)?;
        // The crate reads other forms too.
        (date.to_string() == text).then_some(Self(date)).ok_or(DateError)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// The puzzle of a day: X is to move, and wins in as many moves as there are `answers`.
///
/// A client needs no rules: after each of the `answers`, but for the last, O plays the reply in the same place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DailyPuzzle {
    /// The day.
    pub date: Date,
    /// The number of the day's puzzle, from 1.
    pub number: u32,
    /// The board.
    pub board: BoardSpec,
    /// The cells of X.
    pub x: Vec<Cell>,
    /// The cells of O, as many.
    pub o: Vec<Cell>,
    /// For each move of X the cells that win in time: one, but for the last move, which may have several.
    pub answers: Vec<Vec<Cell>>,
    /// O's replies, one fewer: each resists longest. Against any other, X wins as soon or sooner.
    pub replies: Vec<Cell>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_days_of_the_calendar() {
        let date = |text: &str| text.parse::<Date>().unwrap();
        for text in ["1970-01-01", "2000-02-29", "2024-12-31", "2026-11-27", "2100-03-01"] {
            assert_eq!(date(text).to_string(), text);
        }
        assert_eq!(Date::of_unix_ms(0), date("1970-01-01"));
        assert_eq!(Date::of_unix_ms(1_795_737_599_999).to_string(), "2026-11-26");
        assert_eq!(Date::of_unix_ms(1_795_737_600_000), date("2026-11-27"));
        assert_eq!(date("2026-01-01"), Date::FIRST_PUZZLE);
        assert_eq!(date("2026-11-27").puzzle_number(), 331);
        assert_eq!(date("2026-12-31").beside(true), date("2027-01-01"));
        let short = ["", "2026-1-01", "20260101", "2026/01/01", "2026-01-01T12:00"];
        for wrong in short.into_iter().chain(["2026-00-01", "2026-13-01", "2026-02-30"]) {
            assert_eq!(wrong.parse::<Date>(), Err(DateError), "{wrong}");
        }
    }

    #[test]
    fn a_week_begins_on_monday() {
        let at = |text: &str| {
            let date = text.parse::<Date>().unwrap();
            (date.week(), date.weekday())
        };
        assert_eq!(at("2026-01-01"), (0, 3));
        assert_eq!(at("2026-01-04"), (0, 6));
        assert_eq!(at("2026-01-05"), (1, 0));
        assert_eq!(at("2026-11-27"), (47, 4));
    }
}
