//! The puzzle of the day: its date, and the puzzle as it is told. Which puzzle a day has is the engine's affair.

use std::fmt;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::board::{BoardSpec, Cell};

/// Days from the first of March of the year 0 to the first of January of 1970.
const TO_1970: i32 = 719_468;

/// Days in 400 years.
const ERA: i32 = 146_097;

/// Milliseconds in a day.
const DAY_MS: i64 = 24 * 3_600 * 1_000;

/// A day, by the calendar in UTC: `2026-11-27` on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Date(i32);

/// Why a text is no [`Date`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a date is a year, a month and a day, for example 2026-11-27")]
pub struct DateError;

impl Date {
    /// The day of the first puzzle: 2026-01-01.
    pub const FIRST_PUZZLE: Self = Self(20_454);

    /// The day of a moment, in milliseconds since 1970.
    #[must_use]
    pub fn of_unix_ms(ms: i64) -> Self {
        Self(i32::try_from(ms.div_euclid(DAY_MS)).unwrap_or(i32::MAX / 2))
    }

    /// The day of the week: 0 for Monday to 6 for Sunday.
    #[must_use]
    pub const fn weekday(self) -> usize {
        (self.0 + 3).rem_euclid(7) as usize
    }

    /// Whole weeks, each from a Monday on, since the week of [`FIRST_PUZZLE`](Self::FIRST_PUZZLE); 0 before that.
    #[must_use]
    pub fn week(self) -> usize {
        let weeks = (self.0 + 3).div_euclid(7) - (Self::FIRST_PUZZLE.0 + 3).div_euclid(7);
        usize::try_from(weeks).unwrap_or_default()
    }

    /// The number of the day's puzzle, from 1; 0 before the first.
    #[must_use]
    pub fn puzzle_number(self) -> u32 {
        u32::try_from(self.0 - Self::FIRST_PUZZLE.0 + 1).unwrap_or_default()
    }

    /// The day before, or the day after.
    #[must_use]
    pub const fn beside(self, after: bool) -> Self {
        Self(if after { self.0 + 1 } else { self.0 - 1 })
    }
}

/// The algorithms `days_from_civil` and `civil_from_days` of Howard Hinnant: years begin in March.
impl FromStr for Date {
    type Err = DateError;

    /// A day that the month has not is one of the next month.
    fn from_str(text: &str) -> Result<Self, DateError> {
        let is_separated = |(at, byte): (usize, u8)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        };
        if text.len() != 10 || !text.bytes().enumerate().all(is_separated) {
            return Err(DateError);
        }
        let part = |text: &str| text.parse::<i32>().map_err(|_| DateError);
        let year = part(&text[..4])?;
        let month = part(&text[5..7])?;
        let day = part(&text[8..])?;
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return Err(DateError);
        }
        let year = if month <= 2 { year - 1 } else { year };
        let of_era = year.rem_euclid(400);
        let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        let days = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
        Ok(Self(year.div_euclid(400) * ERA + days - TO_1970))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let days = self.0 + TO_1970;
        let in_era = days.rem_euclid(ERA);
        let of_era = (in_era - in_era / 1_460 + in_era / 36_524 - in_era / 146_096) / 365;
        let of_year = in_era - (365 * of_era + of_era / 4 - of_era / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = of_era + days.div_euclid(ERA) * 400 + i32::from(month <= 2);
        write!(f, "{year:04}-{month:02}-{day:02}")
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
        assert_eq!(date("2026-02-30"), date("2026-03-02"));
        assert_eq!(date("1970-01-01"), Date(0));
        assert_eq!(Date::of_unix_ms(1_795_737_599_999).to_string(), "2026-11-26");
        assert_eq!(Date::of_unix_ms(1_795_737_600_000), date("2026-11-27"));
        assert_eq!(date("2026-01-01"), Date::FIRST_PUZZLE);
        assert_eq!(date("2026-11-27").puzzle_number(), 331);
        assert_eq!(date("2026-12-31").beside(true), date("2027-01-01"));
        for wrong in ["", "2026-1-01", "2026-00-01", "2026-13-01", "2026-01-32", "2026/01/01"] {
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
