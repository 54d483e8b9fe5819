//! A series of games between two opponents: the score so far, and how many wins decide it.

use serde::{Deserialize, Deserializer, Serialize};

use crate::board::Mark;
use crate::game::GameResult;
use crate::reading::object;

/// Games won and drawn since these two opponents began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Score {
    /// Games X won.
    pub x: u32,
    /// Games O won.
    pub o: u32,
    /// Games drawn.
    pub draws: u32,
}

impl Score {
    /// The score with one more game, if that counts.
    #[must_use]
    pub const fn with(mut self, result: &GameResult) -> Self {
        if !result.counts() {
            return self;
        }
        let games = match result.winner() {
            Some(Mark::X) => &mut self.x,
            Some(Mark::O) => &mut self.o,
            None => &mut self.draws,
        };
        // Saturating, because a broken server could send the greatest score.
        *games = games.saturating_add(1);
        self
    }

    /// The score of two players who exchange their seats.
    #[must_use]
    pub const fn exchanged(self) -> Self {
        Self { x: self.o, o: self.x, draws: self.draws }
    }
}

/// How many wins decide a series. When it is decided, the next game begins a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Series"))]
#[serde(remote = "Self", default)]
pub struct Series {
    /// The wins that decide it, 1 to 99; `null` if it is open.
    #[serde(deserialize_with = "wins")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = Series::MAX)))]
    pub first_to: Option<u8>,
}

object!(Series);

impl Series {
    /// The most wins that may decide a series.
    pub const MAX: u8 = 99;

    /// The mark that has won the series with this score, if it is decided.
    #[must_use]
    pub fn winner(self, score: Score) -> Option<Mark> {
        let first_to = u32::from(self.first_to?);
        let wins = [(Mark::X, score.x), (Mark::O, score.o)];
        wins.into_iter().find(|(_, wins)| *wins >= first_to).map(|(mark, _)| mark)
    }
}

fn wins<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
    let wins = Option::<u8>::deserialize(deserializer)?;
    if wins.is_none_or(|wins| (1..=Series::MAX).contains(&wins)) {
        return Ok(wins);
    }
    Err(serde::de::Error::custom(format_args!("first_to is 1 to {} or null", Series::MAX)))
}
