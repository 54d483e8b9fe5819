//! How a game opens, and the phases of a swap2 opening. The server's room decides who may act in a
//! phase; [`crate::room`] exchanges the seats after a choice.
//!
//! On a large board the player who moves first wins too easily. Swap2 is the rule of gomoku
//! tournaments: one player places three marks, and the other chooses a side, or adds two marks and
//! lets the first player choose. So nobody gains from an unfair position.

use serde::{Deserialize, Serialize};

use crate::board::{BoardSpec, Mark};
use crate::game::{IllegalMove, Move};
use crate::room::NumberedGame;
use crate::settings::RoomSettings;

/// The shortest side of a board for swap2.
pub const MIN_SWAP2_SIDE: u8 = 13;

/// The number of marks on the board at the first and at the second choice.
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

/// The phase of a swap2 opening. `by` is the seat that has to act, whatever mark comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum OpeningPhase {
    /// One player places marks of both kinds.
    Placing {
        /// The seat that places them.
        by: Mark,
        /// The number of marks on the board at the end of this phase.
        until_ply: u16,
    },
    /// One player chooses a side.
    Choosing {
        /// The seat that chooses.
        by: Mark,
        /// Whether they may add two marks instead and leave the choice to the opponent.
        may_add: bool,
    },
    /// The sides are chosen: O moves, and the game goes on normally.
    Done,
}

/// A choice in a swap2 opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OpeningChoice {
    /// To play X.
    X,
    /// To play O, who moves next.
    O,
    /// To place another O and X, and to let the opponent choose.
    Add,
}

impl OpeningChoice {
    /// The chosen side; `None` if the opponent is to choose.
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
    /// The first phase: `by` places three marks.
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

    /// The next phase after a mark, with `ply` marks on the board; `None` if the phase stays.
    #[must_use]
    pub const fn after_mark(self, ply: u16) -> Option<Self> {
        match self {
            Self::Placing { by, until_ply } if ply >= until_ply => {
                Some(Self::Choosing { by: by.other(), may_add: until_ply == SWAP2_PLIES[0] })
            }
            _ => None,
        }
    }

    /// The next phase after a choice, and whether the choice exchanges the seats; `None` if the choice
    /// is not possible.
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
    /// The seat that has to act: the one that places or chooses in an opening, else the mark to move;
    /// `None` when the game is over.
    #[must_use]
    pub fn turn(&self) -> Option<Mark> {
        let turn = self.game.turn()?;
        self.opening.and_then(OpeningPhase::by).or(Some(turn))
    }

    /// Checks a move as [`crate::Game::check`]. In an opening it also must not complete a line, because
    /// an opening must not end the game.
    ///
    /// # Errors
    /// The first rule that the move breaks.
    pub fn check(&self, chosen: Move) -> Result<(), IllegalMove> {
        self.game.check(chosen)?;
        let placing = matches!(self.opening, Some(OpeningPhase::Placing { .. }));
        if placing && self.game.result_of(chosen)?.is_some() {
            return Err(IllegalMove::LineInOpening);
        }
        Ok(())
    }
}
