//! How a game opens, and the phases of a swap2 opening. Who may act in a phase is decided by the
//! server's room; that a choice can exchange the seats is in [`crate::room`].
//!
//! Whoever moves first on a large board wins too easily. By swap2, the rule of gomoku
//! tournaments, one player places three marks and the other chooses a side (or adds two marks and
//! lets the first choose), so that it is in nobody's interest to place an unfair position.

use serde::{Deserialize, Serialize};

use crate::board::{BoardSpec, Mark};
use crate::game::{IllegalMove, Move};
use crate::room::NumberedGame;
use crate::settings::RoomSettings;

/// The shortest side of a board on which a room may open with swap2.
pub const MIN_SWAP2_SIDE: u8 = 13;

/// The marks that are on the board at the first choice, and at the second.
pub const SWAP2_PLIES: [u16; 2] = [3, 5];

/// How each game of a room opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Opening {
    /// With the first move.
    #[default]
    Free,
    /// With three marks by one player, and a choice by the other.
    Swap2,
}

/// Where a swap2 opening stands. `by` is the seat that has to act, whichever mark comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum OpeningPhase {
    /// One player places marks of both kinds.
    Placing {
        /// Who.
        by: Mark,
        /// How many marks are on the board when they have done so.
        until_ply: u16,
    },
    /// One player chooses a side.
    Choosing {
        /// Who.
        by: Mark,
        /// Whether they may add two marks instead and leave the choice to the other.
        may_add: bool,
    },
    /// The sides are chosen: O moves, and the game goes on as any other.
    Done,
}

/// What can be chosen in a swap2 opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OpeningChoice {
    /// To play X.
    X,
    /// To play O, who moves next.
    O,
    /// To place another O and X, and to let the other choose.
    Add,
}

impl OpeningChoice {
    /// The side it is for; `None` where it leaves that to the other.
    #[must_use]
    pub const fn side(self) -> Option<Mark> {
        match self {
            Self::X => Some(Mark::X),
            Self::O => Some(Mark::O),
            Self::Add => None,
        }
    }
}

impl OpeningPhase {
    /// The beginning: `by` places three marks.
    #[must_use]
    pub const fn first(by: Mark) -> Self {
        Self::Placing { by, until_ply: SWAP2_PLIES[0] }
    }

    /// The seat that has to act; `None` when the opening is over.
    #[must_use]
    pub const fn by(self) -> Option<Mark> {
        match self {
            Self::Placing { by, .. } | Self::Choosing { by, .. } => Some(by),
            Self::Done => None,
        }
    }

    /// The phase that a mark leads to after which `ply` are on the board; `None` for the same.
    #[must_use]
    pub const fn after_mark(self, ply: u16) -> Option<Self> {
        match self {
            Self::Placing { by, until_ply } if ply >= until_ply => {
                Some(Self::Choosing { by: by.other(), may_add: until_ply == SWAP2_PLIES[0] })
            }
            _ => None,
        }
    }

    /// The phase that a choice leads to, and whether it exchanges the seats; `None` where there
    /// is nothing to choose, or not this.
    #[must_use]
    pub fn after_choice(self, choice: OpeningChoice) -> Option<(Self, bool)> {
        match (self, choice.side()) {
            (Self::Choosing { by, .. }, Some(side)) => Some((Self::Done, side != by)),
            (Self::Choosing { by, may_add: true }, None) => {
                Some((Self::Placing { by, until_ply: SWAP2_PLIES[1] }, false))
            }
            _ => None,
        }
    }
}

impl RoomSettings {
    /// Whether the board is large enough for the opening.
    #[must_use]
    pub fn opening_is_legal(&self) -> bool {
        self.opening == Opening::Free || self.board.admits_swap2()
    }
}

impl BoardSpec {
    /// Whether games on this board may open with swap2.
    #[must_use]
    pub fn admits_swap2(self) -> bool {
        self.width().min(self.height()) >= MIN_SWAP2_SIDE
    }
}

impl NumberedGame {
    /// The seat that has to act: whoever places or chooses in an opening, else the mark to move;
    /// `None` when the game is over.
    #[must_use]
    pub fn turn(&self) -> Option<Mark> {
        let turn = self.game.turn()?;
        self.opening.and_then(OpeningPhase::by).or(Some(turn))
    }

    /// Whether a mark could be placed, and why not: as [`crate::Game::check`], and no line may be
    /// completed in an opening, so that it cannot end the game.
    ///
    /// # Errors
    /// The first rule it breaks.
    pub fn check(&self, chosen: Move) -> Result<(), IllegalMove> {
        self.game.check(chosen)?;
        let placing = matches!(self.opening, Some(OpeningPhase::Placing { .. }));
        if placing && self.game.result_of(chosen)?.is_some() {
            return Err(IllegalMove::LineInOpening);
        }
        Ok(())
    }
}
