//! Who sits on one side of a board.

use serde::{Deserialize, Serialize};

use crate::by_mark::ByMark;
use crate::computer::Computer;
use crate::id::{PlayerId, PlayerName};

/// Who sits on one side of the board.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Seat {
    /// Nobody: the next player who joins gets the seat.
    Open,
    /// A person.
    Human {
        /// The player's id.
        player: PlayerId,
        /// The player's name.
        name: PlayerName,
    },
    /// A computer player.
    Computer(Computer),
}

impl Seat {
    /// The player on the seat, if it is a person.
    #[must_use]
    pub const fn player(&self) -> Option<PlayerId> {
        match self {
            Self::Human { player, .. } => Some(*player),
            Self::Open | Self::Computer(_) => None,
        }
    }

    /// The computer on the seat, if there is one.
    #[must_use]
    pub const fn computer(&self) -> Option<Computer> {
        match self {
            Self::Computer(computer) => Some(*computer),
            Self::Open | Self::Human { .. } => None,
        }
    }

    /// The occupant's name for people.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Open => "(open seat)".to_owned(),
            Self::Human { name, .. } => name.to_string(),
            Self::Computer(computer) => format!("computer ({computer})"),
        }
    }
}

impl ByMark<Seat> {
    /// Whether a seat is open.
    #[must_use]
    pub fn has_open(&self) -> bool {
        self.x == Seat::Open || self.o == Seat::Open
    }

    /// The two seats with their players exchanged.
    #[must_use]
    pub fn exchanged(&self) -> Self {
        Self { x: self.o.clone(), o: self.x.clone() }
    }
}
