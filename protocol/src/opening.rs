//! How a game opens, the phases of a swap2 opening, and what a move and a choice lead to. The server's
//! room decides who may act in a phase.
//!
//! On a large board the player who moves first wins too easily. Swap2 is the rule of gomoku
//! tournaments: one player places three marks, and the other chooses a side, or adds two marks and
//! lets the first player choose. So nobody gains from an unfair position.

use serde::{Deserialize, Serialize};

use crate::board::{BoardSpec, Mark};
use crate::game::{GameResult, IllegalMove, Move};
use crate::room::NumberedGame;
use crate::rules::{Effect, Playable, Variant};
use crate::settings::RoomSettings;
use crate::settings::named::named;

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

named!(Opening {
    Free: "free", "free";
    Swap2: "swap2", "swap2";
});

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

/// The consequence of a choice in an opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AfterChoice {
    /// The next phase. `None` ends the opening: O moves, and the game goes on normally.
    pub opening: Option<OpeningPhase>,
    /// Whether the players exchange their seats, and with them the score.
    pub swaps: bool,
}

/// The consequences of a legal move, besides the mark on the board. It has a result, or a next
/// phase, or neither.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AfterMove {
    /// The result, if the game is over.
    pub result: Option<GameResult>,
    /// The next phase of the opening, if the move ends a phase.
    pub opening: Option<OpeningPhase>,
    /// The effect besides the mark.
    pub effect: Option<Effect>,
    /// The allowed next moves.
    pub playable: Option<Playable>,
}

impl OpeningPhase {
    /// The first phase: `by` places three marks.
    #[must_use]
    pub const fn first(by: Mark) -> Self {
        Self::Placing { by, until_ply: SWAP2_PLIES[0] }
    }

    /// The seat that has to act.
    #[must_use]
    pub const fn by(self) -> Mark {
        match self {
            Self::Placing { by, .. } | Self::Choosing { by, .. } => by,
        }
    }

    /// Whether the phase can be with `ply` marks on the board.
    pub(crate) const fn is_at(self, ply: u16) -> bool {
        let [first, second] = SWAP2_PLIES;
        match self {
            Self::Placing { until_ply, .. } if until_ply == first => ply < first,
            Self::Placing { until_ply, .. } => until_ply == second && first <= ply && ply < second,
            Self::Choosing { may_add, .. } => ply == if may_add { first } else { second },
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

    /// The consequence of a choice; `None` if the choice is not possible.
    #[must_use]
    pub fn after_choice(self, choice: OpeningChoice) -> Option<AfterChoice> {
        match (self, choice.side()) {
            (Self::Choosing { by, .. }, Some(side)) => {
                Some(AfterChoice { opening: None, swaps: side != by })
            }
            (Self::Choosing { by, may_add: true }, None) => {
                let opening = Some(Self::Placing { by, until_ply: SWAP2_PLIES[1] });
                Some(AfterChoice { opening, swaps: false })
            }
            _ => None,
        }
    }
}

impl Opening {
    /// Why games of a variant on a board cannot open so; `None` if they can.
    #[must_use]
    pub fn refused(self, variant: Variant, board: BoardSpec) -> Option<&'static str> {
        let swaps = variant.is_gomoku_like() && board.admits_swap2();
        (self == Self::Swap2 && !swaps).then_some(
            "swap2 needs the variant line or exact, and a board whose sides are both 13 or more: \
             choose a larger board, or a free opening",
        )
    }
}

impl RoomSettings {
    /// Whether the board is large enough for the opening.
    #[must_use]
    pub fn opening_is_legal(&self) -> bool {
        self.opening.refused(self.variant, self.board).is_none()
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
        Some(self.opening.map_or(turn, OpeningPhase::by))
    }

    /// The consequences of a move. Only this checks a move of a room and looks for its lines.
    ///
    /// # Errors
    /// The first rule that the move breaks: those of [`crate::Game::check`], and in an opening that no
    /// mark is placed when a choice is due, and that a move must not end the game.
    pub fn decide(&self, chosen: Move) -> Result<AfterMove, IllegalMove> {
        self.game.check(chosen)?;
        if let Some(OpeningPhase::Choosing { .. }) = self.opening {
            return Err(IllegalMove::ChoiceFirst);
        }
        let result = self.game.outcome(chosen);
        if self.opening.is_some() && result.is_some() {
            return Err(IllegalMove::LineInOpening);
        }
        let opening = self.opening.and_then(|phase| phase.after_mark(chosen.ply + 1));
        if self.game.rules().is_plain() {
            return Ok(AfterMove { result, opening, ..AfterMove::default() });
        }
        let placed = self.game.placement(chosen);
        let mut next = self.game.clone();
        next.place(placed, result.clone());
        let effect = self.game.effect(placed);
        Ok(AfterMove { result, opening, effect, playable: next.playable() })
    }
}
