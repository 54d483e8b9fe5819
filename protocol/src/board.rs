//! The board: its size, its cells, its marks, and their names for people. Turns and results are in
//! [`crate::game`], lines in [`crate::rules`].

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::reading::object;

/// X or O.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// The cross.
    X,
    /// The nought.
    O,
}

impl Mark {
    /// Both marks, X first.
    pub const BOTH: [Self; 2] = [Self::X, Self::O];

    /// The opponent's mark.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::X => Self::O,
            Self::O => Self::X,
        }
    }

    /// The side to move after so many moves, where this one begins.
    #[must_use]
    pub const fn after(self, moves: usize) -> Self {
        if moves.is_multiple_of(2) { self } else { self.other() }
    }

    /// `X` or `O`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::X => 'X',
            Self::O => 'O',
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.letter().encode_utf8(&mut [0; 1]))
    }
}

/// A cell by its number from 0, row by row from the top left. People see [`BoardSpec::label`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cell(pub u16);

impl Cell {
    /// The cell's place in a row-by-row array.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The size of a board and the length of a line: 3 × 3 × 3 is tic-tac-toe.
///
/// Sides are 3 to 19, and a line is 3 to the longer side. So somebody can win on every board of this
/// type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "RawBoardSpec")]
pub struct BoardSpec {
    width: u8,
    height: u8,
    line: u8,
}

/// A [`BoardSpec`] before its sizes are checked.
#[derive(Serialize, Deserialize)]
#[serde(
    remote = "Self",
    rename = "BoardSpec",
    expecting = "a board, such as {\"width\": 3, \"height\": 3, \"line\": 3}"
)]
struct RawBoardSpec {
    width: u8,
    height: u8,
    line: u8,
}

object!(RawBoardSpec);

/// Why a board cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BoardSpecError {
    /// A side is not 3 to 19.
    #[error("a side of {0}: sides are {min} to {max} cells", min = BoardSpec::MIN_SIDE, max = BoardSpec::MAX_SIDE)]
    Side(u8),
    /// The line is shorter than 3 or longer than the longer side.
    #[error("{line} in a row: on this board it {}", lengths(*.longest))]
    Line {
        /// The requested length.
        line: u8,
        /// The longest line this board can hold.
        longest: u8,
    },
    /// Not of the form `3x3x3`.
    #[error("a board is WIDTHxHEIGHTxLINE, for example 3x3x3 or 15x15x5")]
    Form,
}

fn lengths(longest: u8) -> String {
    let min = BoardSpec::MIN_SIDE;
    if longest > min { format!("can be {min} to {longest}") } else { format!("must be {min}") }
}

/// Why a text names no cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellError {
    /// Neither a number nor a coordinate.
    Form(BoardSpec),
    /// A number or coordinate beyond the board.
    Range(BoardSpec),
}

impl fmt::Display for CellError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Form(spec) | Self::Range(spec)) = self;
        let last = spec.coordinates(Cell(spec.cells() - 1));
        match self {
            Self::Form(_) => f.write_str("that is not a cell: ")?,
            Self::Range(_) => f.write_str("there is no such cell: ")?,
        }
        write!(f, "type a number from 1 to {} or a coordinate from a1 to {last}", spec.cells())
    }
}

impl std::error::Error for CellError {}

impl BoardSpec {
    /// The shortest side and the shortest line.
    pub const MIN_SIDE: u8 = 3;
    /// The longest side: a Go board, the largest on which five in a row is played.
    pub const MAX_SIDE: u8 = 19;
    /// The longest side where programs play: Gomocup's. Rooms and messages have none above [`Self::MAX_SIDE`].
    pub const MAX_PROGRAM_SIDE: u8 = 20;
    /// Tic-tac-toe.
    pub const TIC_TAC_TOE: Self = Self { width: 3, height: 3, line: 3 };

    /// A board for games between equals: few draws, and little advantage for the side that begins.
    /// Of 600 games of one strength against itself, the side that begins won at most 60 of 100, and at most 17
    /// were drawn.
    pub const FOR_EQUALS: Self = Self { width: 10, height: 10, line: 5 };

    /// A board of `width` × `height` cells and `line` marks in a row to win.
    ///
    /// # Errors
    /// Where a side is not 3 to 19 or the line not 3 to the longer side.
    pub fn new(width: u8, height: u8, line: u8) -> Result<Self, BoardSpecError> {
        Self::within(Self::MAX_SIDE, [width, height], line)
    }

    /// A board on which programs play, with sides of 3 to 20; `None` where it cannot be, or no line fits.
    #[must_use]
    pub fn for_programs(width: u8, height: u8, line: u8) -> Option<Self> {
        Self::within(Self::MAX_PROGRAM_SIDE, [width, height], line).ok()
    }

    fn within(most: u8, sides: [u8; 2], line: u8) -> Result<Self, BoardSpecError> {
        if let Some(side) = sides.into_iter().find(|side| !(Self::MIN_SIDE..=most).contains(side)) {
            return Err(BoardSpecError::Side(side));
        }
        let [width, height] = sides;
        let longest = width.max(height);
        if !(Self::MIN_SIDE..=longest).contains(&line) {
            return Err(BoardSpecError::Line { line, longest });
        }
        Ok(Self { width, height, line })
    }

    /// Cells in a row.
    #[must_use]
    pub const fn width(self) -> u8 {
        self.width
    }

    /// Cells in a column.
    #[must_use]
    pub const fn height(self) -> u8 {
        self.height
    }

    /// Marks in a row that win.
    #[must_use]
    pub const fn line(self) -> u8 {
        self.line
    }

    /// How many cells the board has: 9 to 361, or 400 where programs play.
    #[must_use]
    pub const fn cells(self) -> u16 {
        self.width as u16 * self.height as u16
    }

    /// Every cell, row by row.
    pub fn all_cells(self) -> impl Iterator<Item = Cell> {
        (0..self.cells()).map(Cell)
    }

    /// Column and row of a cell of this board, from 0.
    #[must_use]
    pub const fn position(self, cell: Cell) -> (u8, u8) {
        let width = self.width as u16;
        ((cell.0 % width) as u8, (cell.0 / width) as u8)
    }

    /// The cell in a column and row counted from 0, if the board has it.
    #[must_use]
    pub fn cell_at(self, column: i16, row: i16) -> Option<Cell> {
        let column = u16::try_from(column).ok().filter(|c| *c < u16::from(self.width))?;
        let row = u16::try_from(row).ok().filter(|r| *r < u16::from(self.height))?;
        Some(Cell(row * u16::from(self.width) + column))
    }

    /// A cell's name for people: 1 to 9 where that many are enough, else its coordinates.
    #[must_use]
    pub fn label(self, cell: Cell) -> String {
        if self.cells() <= 9 { (u32::from(cell.0) + 1).to_string() } else { self.coordinates(cell) }
    }

    /// A letter for the column from the left and a number for the row from the top: `b2`. A cell
    /// below the board, as only a broken peer would name one, gets a number below the last row.
    #[must_use]
    pub fn coordinates(self, cell: Cell) -> String {
        let (column, _) = self.position(cell);
        let row = cell.0 / u16::from(self.width);
        format!("{}{}", char::from(b'a' + column), row + 1)
    }

    /// Reads a 1-based number (`5`) or a coordinate (`b2`), whatever the board's own labels are.
    ///
    /// # Errors
    /// Where the text is neither, or lies beyond the board; the message says what is right.
    pub fn parse_cell(self, text: &str) -> Result<Cell, CellError> {
        let text = text.trim();
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if digits(text) {
            let number = text.parse::<u16>().unwrap_or(0);
            return match number.checked_sub(1).map(Cell) {
                Some(cell) if cell.0 < self.cells() => Ok(cell),
                _ => Err(CellError::Range(self)),
            };
        }
        let letter = text.bytes().next().filter(u8::is_ascii_alphabetic);
        let (letter, rest) = letter.map(|l| (l, &text[1..])).ok_or(CellError::Form(self))?;
        if !digits(rest) {
            return Err(CellError::Form(self));
        }
        let column = i16::from(letter.to_ascii_lowercase() - b'a');
        let row = rest.parse::<i16>().unwrap_or(0);
        self.cell_at(column, row - 1).ok_or(CellError::Range(self))
    }
}

impl Default for BoardSpec {
    fn default() -> Self {
        Self::TIC_TAC_TOE
    }
}

impl fmt::Display for BoardSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}x{}", self.width, self.height, self.line)
    }
}

impl FromStr for BoardSpec {
    type Err = BoardSpecError;

    fn from_str(text: &str) -> Result<Self, BoardSpecError> {
        let sides: Result<Vec<u8>, _> =
            text.trim().split(['x', 'X', '×']).map(|side| side.trim().parse()).collect();
        match sides.as_deref() {
            Ok(&[width, height, line]) => Self::new(width, height, line),
            _ => Err(BoardSpecError::Form),
        }
    }
}

impl TryFrom<RawBoardSpec> for BoardSpec {
    type Error = BoardSpecError;

    fn try_from(raw: RawBoardSpec) -> Result<Self, BoardSpecError> {
        Self::new(raw.width, raw.height, raw.line)
    }
}

/// Which mark, if any, is on each cell.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Board {
    spec: BoardSpec,
    cells: Box<[Option<Mark>]>,
}

impl Board {
    /// A board with no marks.
    #[must_use]
    pub fn empty(spec: BoardSpec) -> Self {
        Self { spec, cells: vec![None; usize::from(spec.cells())].into_boxed_slice() }
    }

    /// The board's size.
    #[must_use]
    pub const fn spec(&self) -> BoardSpec {
        self.spec
    }

    /// The mark on a cell; `None` where it is empty or beyond the board.
    #[must_use]
    pub fn get(&self, cell: Cell) -> Option<Mark> {
        self.cells.get(cell.index()).copied().flatten()
    }

    /// Whether the cell exists and is empty.
    #[must_use]
    pub fn is_empty(&self, cell: Cell) -> bool {
        self.cells.get(cell.index()).is_some_and(Option::is_none)
    }

    /// The cells without a mark, row by row.
    pub fn empty_cells(&self) -> impl Iterator<Item = Cell> {
        self.spec.all_cells().filter(|cell| self.is_empty(*cell))
    }

    /// The number of cells without a mark.
    #[must_use]
    pub fn empty_count(&self) -> u16 {
        // A board has at most 361 cells. Every move counts them: a sum of 16 bits takes 240 instructions
        // on 15 × 15, `count` 1,100.
        self.cells.iter().map(|cell| u16::from(cell.is_none())).sum()
    }

    /// Puts a mark on a cell or takes it away; a cell beyond the board is left alone.
    pub fn set(&mut self, cell: Cell, mark: Option<Mark>) {
        if let Some(place) = self.cells.get_mut(cell.index()) {
            *place = mark;
        }
    }
}
