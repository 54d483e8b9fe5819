//! The door to the rules of a variant: which placements are legal, what they do to the board, what
//! they lead to, and whether somebody can still win. [`crate::Game`], the engine and the clients ask
//! here and know no variant. Each variant is a file of this folder. Turns are [`crate::Game`]'s, and
//! openings are [`crate::opening`]'s.
//!
//! A side and a mark are two things: a side moves, and places a mark, mostly its own.

use serde::{Deserialize, Serialize};

use crate::board::{Board, BoardSpec, Cell, Mark};
use crate::game::{Game, GameResult, IllegalMove};
use crate::reading::or_default;
use crate::settings::RoomSettings;
use crate::settings::named::{alternatives, named};
pub(crate) use line::LINE_BOARDS;
pub use line::{Direction, LineKind, WinningLine};

mod exact;
mod gravity;
mod line;
mod misere;
mod notakto;
mod order;
mod qubic;
mod squares;
mod ultimate;
mod vanish;
mod wild;

/// How a game is won, and on which boards. A new variant is a variant here, a file of this folder, and an
/// arm in `Variant::rules`; a picture and texts of the page; texts of the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// Any board. Who completes a line wins: tic-tac-toe and its larger relatives.
    #[default]
    Line,
    /// 9x9x3: nine boards of 3 × 3. The place of a cell in its board names the board to play in next; where
    /// that one is decided, any other open board is free. A line wins a board, and three boards in a row
    /// win. If no board is open, the game is drawn, or with `majority` more boards win.
    Ultimate,
    /// Any board. Who completes a line loses.
    Misere,
    /// Sides up to 6. Each move is an X or an O, and who completes a line of either wins.
    Wild,
    /// Sides up to 6. Each move is an X or an O, and who completes a line of either loses.
    WildMisere,
    /// 3x3x3, 6x3x3, 9x3x3, 12x3x3, 15x3x3: one to five boards of 3 × 3, and both sides place X. A board
    /// with a line is dead. Who completes the line of the last board loses.
    Notakto,
    /// Sides of 4 to 10, a line of 4 or 5. A mark falls to the lowest free cell of its column; this one is
    /// the `cell` to play. Who completes a line wins.
    Gravity,
    /// Sides up to 5. A side has at most `line` marks. Its oldest one goes with the next one, before the
    /// line is looked for; its cell cannot be played in this move. A position (marks, their ages, and the
    /// side to move) for the third time is a draw, and so is the end of 361 moves.
    Vanish,
    /// 4x16x4, 3x9x3: a cube, its layers one below another. Any line through it wins.
    Qubic,
    /// Sides of 5 and more, a line of 5. Exactly five in a row win; a longer one does not count.
    Exact,
    /// 6x6x5. Order and chaos: each move is an X or an O. The side X wins with five or more of a mark in a
    /// row, whoever completes them; the side O wins when no such line can be made any more.
    Order,
}

named!(Variant {
    Line: "line", "tic-tac-toe";
    Ultimate: "ultimate", "ultimate";
    Misere: "misere", "misère";
    Wild: "wild", "wild";
    WildMisere: "wild_misere", "wild misère";
    Notakto: "notakto", "Notakto";
    Gravity: "gravity", "gravity";
    Vanish: "vanish", "vanish";
    Qubic: "qubic", "Qubic";
    Exact: "exact", "exactly five";
    Order: "order", "order and chaos";
});

impl Variant {
    /// The variant and the board as lists show them: `gravity 7x6x4`, and of line the board alone.
    #[must_use]
    pub fn on(self, board: BoardSpec) -> String {
        if self == Self::Line { board.to_string() } else { format!("{} {board}", self.name()) }
    }

    fn rules(self) -> &'static dyn VariantRules {
        match self {
            Self::Line => &line::Line,
            Self::Ultimate => &ultimate::Ultimate,
            Self::Misere => &misere::Misere,
            Self::Wild => &wild::Wild { misere: false },
            Self::WildMisere => &wild::Wild { misere: true },
            Self::Notakto => &notakto::Notakto,
            Self::Gravity => &gravity::Gravity,
            Self::Vanish => &vanish::Vanish,
            Self::Qubic => &qubic::Qubic,
            Self::Exact => &exact::Exact,
            Self::Order => &order::Order,
        }
    }

    /// The boards that a form offers, the default first.
    #[must_use]
    pub fn boards(self) -> &'static [&'static str] {
        self.rules().boards()
    }

    /// Whether the variant is played on this board.
    #[must_use]
    pub fn admits(self, board: BoardSpec) -> bool {
        self.rules().admits(board)
    }

    /// Why the variant is not played on a board, and on which it is; `None` where it is played on it.
    #[must_use]
    pub fn refuses(self, board: BoardSpec) -> Option<String> {
        let boards: Vec<(&str, &str)> =
            self.boards().iter().map(|board| (*board, *board)).collect();
        let meaning = match self {
            Self::Notakto => ", which are one to five boards",
            Self::Qubic => ", the cubes of 4 and of 3",
            Self::Ultimate | Self::Order => "",
            _ => ", for example",
        };
        let boards = alternatives(&boards);
        let message = || format!("{self} is not played on {board}: choose {boards}{meaning}");
        (!self.admits(board)).then(message)
    }

    /// Whether a swap2 opening and an early draw make sense: the sides fight for the same lines with
    /// marks that stay.
    #[must_use]
    pub const fn is_gomoku_like(self) -> bool {
        matches!(self, Self::Line | Self::Exact)
    }

    /// Whether a mark tells nobody's side, because both place the same ones.
    #[must_use]
    pub const fn shares_marks(self) -> bool {
        matches!(self, Self::Wild | Self::WildMisere | Self::Notakto)
    }
}

/// The rules of one variant. The defaults are those of most: each side places its own mark in any
/// empty cell, where it stays, and who completes a line wins.
pub(crate) trait VariantRules: Sync {
    /// The boards that a form offers, the default first.
    fn boards(&self) -> &'static [&'static str];

    /// Whether the variant is played on this board; by default on those alone that a form offers.
    fn admits(&self, board: BoardSpec) -> bool {
        self.boards().contains(&board.to_string().as_str())
    }

    /// Whether every empty cell may be played, with the own mark alone, and nothing else happens.
    fn is_plain(&self) -> bool {
        false
    }

    /// The marks that a side may place, the usual one first.
    fn marks(&self, mover: Mark) -> &'static [Mark] {
        match mover {
            Mark::X => &[Mark::X],
            Mark::O => &[Mark::O],
        }
    }

    /// Checks whether an empty cell may be played now.
    fn check(&self, _game: &Game, _cell: Cell) -> Result<(), IllegalMove> {
        Ok(())
    }

    /// The cell whose mark goes with the next placement.
    fn leaving(&self, _game: &Game) -> Option<Cell> {
        None
    }

    /// The small board that a placement decides, in a variant of several boards. `game` is the game
    /// before it.
    fn decided(&self, _game: &Game, _placed: Placement) -> Option<DecidedBoard> {
        None
    }

    /// The result of a legal placement of the side to move; `None` if the game goes on. `game` is the
    /// game before it.
    fn outcome(&self, game: &Game, placed: Placement) -> Option<GameResult> {
        line::result(game, placed, game.to_move())
    }

    /// The lines that a placement completes: at most one in each direction.
    fn lines(&self, board: &Board, placed: Placement) -> Vec<WinningLine> {
        line::lines_through(board, placed)
    }
}

/// The rules of a game: its variant, its board and its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    /// How a game is won.
    pub variant: Variant,
    /// The board.
    pub board: BoardSpec,
    /// Whether the game is drawn as soon as nobody can win. Otherwise it is drawn when the board is
    /// full.
    pub early_draw: bool,
    /// Whether more boards win where nobody has three in a row. Only for a variant of several boards.
    pub majority: bool,
}

/// A mark for a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placement {
    /// The mark as it stands on the board.
    pub mark: Mark,
    /// The cell.
    pub cell: Cell,
}

/// What a move does besides placing its mark.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Effect {
    /// The cell whose mark it takes away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed: Option<Cell>,
    /// The small board that it decides, in a variant of several boards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<DecidedBoard>,
}

/// A small board on which nothing is played any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DecidedBoard {
    /// Its number from 0, row by row.
    pub board: u8,
    /// The side that has won it; `null` where it is full, or dead.
    pub winner: Option<Mark>,
    /// The cells of the line that decided it; left out where there is none.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<Cell>,
}

/// An [`Effect`] and its move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlyEffect {
    /// The number of marks placed before the move.
    pub ply: u16,
    /// What the move did.
    #[serde(flatten)]
    pub effect: Effect,
}

/// What may be played next, where that is not the own mark in any empty cell.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Playable {
    /// The cells, row by row; left out where each empty cell may be played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<Vec<Cell>>,
    /// The marks to choose from; left out where it is the own one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marks: Option<Vec<Mark>>,
    /// The cell whose mark goes with the next move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaving: Option<Cell>,
}

impl Rules {
    /// The rules of a room.
    #[must_use]
    pub fn of(settings: &RoomSettings) -> Self {
        Self {
            variant: settings.variant,
            board: settings.board,
            early_draw: settings.draws_early(),
            majority: settings.majority,
        }
    }

    /// The rules of a game in which a line wins.
    #[must_use]
    pub const fn line(board: BoardSpec, early_draw: bool) -> Self {
        Self { variant: Variant::Line, board, early_draw, majority: false }
    }

    /// Whether every empty cell may be played, with the own mark alone, and nothing else happens.
    #[must_use]
    pub fn is_plain(self) -> bool {
        self.variant.rules().is_plain()
    }

    /// Whether each side places its own mark alone.
    #[must_use]
    pub fn places_own(self) -> bool {
        self.is_plain() || Mark::BOTH.into_iter().all(|mover| self.marks(mover) == [mover])
    }

    /// The marks that a side may place, the usual one first.
    #[must_use]
    pub fn marks(self, mover: Mark) -> &'static [Mark] {
        self.variant.rules().marks(mover)
    }

    /// The mark that a side places: the chosen one, or without a choice the own or the only one.
    ///
    /// # Errors
    /// If the side may not place the chosen one.
    pub fn placed(self, mover: Mark, chosen: Option<Mark>) -> Result<Mark, IllegalMove> {
        let marks = self.marks(mover);
        let usual = if marks.contains(&mover) { mover } else { marks[0] };
        let mark = chosen.unwrap_or(usual);
        if marks.contains(&mark) { Ok(mark) } else { Err(IllegalMove::WrongMark { marks }) }
    }

    /// Checks whether a cell may be played now. Turns are [`crate::Game::check`]'s.
    ///
    /// # Errors
    /// If the board has no such cell, the cell is taken, or the variant forbids it now.
    pub(crate) fn check(self, game: &Game, cell: Cell) -> Result<(), IllegalMove> {
        let board = game.board();
        let spec = board.spec();
        if cell.0 >= spec.cells() {
            return Err(IllegalMove::NoSuchCell(spec));
        }
        if let Some(by) = board.get(cell) {
            return Err(IllegalMove::CellTaken { cell, by, spec });
        }
        self.variant.rules().check(game, cell)
    }

    /// The effect of a legal placement besides its mark.
    pub(crate) fn effect(self, game: &Game, placed: Placement) -> Option<Effect> {
        if self.is_plain() {
            return None;
        }
        let rules = self.variant.rules();
        let removed = rules.leaving(game);
        let decided = rules.decided(game, placed);
        (removed.is_some() || decided.is_some()).then_some(Effect { removed, decided })
    }

    /// The cell whose mark goes with the next placement.
    pub(crate) fn leaving(self, game: &Game) -> Option<Cell> {
        self.variant.rules().leaving(game)
    }

    /// The result of a legal placement; `None` if the game goes on. `game` is the game before it.
    pub(crate) fn outcome(self, game: &Game, placed: Placement) -> Option<GameResult> {
        self.variant.rules().outcome(game, placed)
    }

    /// The lines that are complete if the mark is placed in the cell: at most one in each direction.
    #[must_use]
    pub fn lines(self, board: &Board, placed: Placement) -> Vec<WinningLine> {
        self.variant.rules().lines(board, placed)
    }

    /// Whether somebody can still win if `x_left` and `o_left` marks remain to be placed, where a line
    /// wins and the marks stay.
    #[must_use]
    pub fn any_line_open(self, board: &Board, x_left: u16, o_left: u16) -> bool {
        line::any_line_open(board, x_left, o_left, self.variant == Variant::Exact)
    }
}
