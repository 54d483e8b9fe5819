//! The ratings of the two players of a quick match, as everybody in the room sees them. They are no facts
//! of the room: the server keeps them with the people, and tells them with the presence.

use serde::{Deserialize, Serialize};

use crate::reading::{is_default, object, or_default};
use crate::room::ByMark;

/// The ratings of the players of a quick match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoomRatings {
    /// Whether the running game is rated, or the last one was.
    pub rated: bool,
    /// X's and O's rating; `null` for somebody without a rated game in this class of boards.
    #[serde(flatten)]
    pub seats: ByMark<Option<SeatRating>>,
}

/// A player's rating in the class of the room's board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SeatRating"))]
#[serde(remote = "Self")]
pub struct SeatRating {
    /// The rating.
    pub rating: u16,
    /// Whether it is still very uncertain; left out if it is not.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub provisional: bool,
    /// The rating before the last game, once that has changed it; left out otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<u16>,
}

object!(SeatRating);

impl SeatRating {
    /// How much the last game has changed it.
    #[must_use]
    pub fn change(self) -> Option<i32> {
        self.before.map(|before| i32::from(self.rating) - i32::from(before))
    }
}

impl RoomRatings {
    /// The same ratings when the next game begins.
    #[must_use]
    pub fn at_start(self) -> Self {
        let rating = |rating: SeatRating| SeatRating { before: None, ..rating };
        let ByMark { x, o } = self.seats;
        Self { seats: ByMark { x: x.map(rating), o: o.map(rating) }, ..self }
    }
}
