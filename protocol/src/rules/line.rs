//! The variant in which a line wins: legal cells, results, the winning lines through a cell with
//! their names for people, and whether a line can still be won.

use serde::{Deserialize, Serialize};

use super::{Placement, VariantRules};
use crate::board::{Board, BoardSpec, Cell, Mark};
use crate::game::{Game, GameResult};

/// The direction of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Along a row, left to right.
    Across,
    /// Along a column, top to bottom.
    Down,
    /// A diagonal from the top left to the bottom right.
    Falling,
    /// A diagonal from the bottom left to the top right.
    Rising,
}

impl Direction {
    /// All directions.
    pub const ALL: [Self; 4] = [Self::Across, Self::Down, Self::Falling, Self::Rising];

    /// The step from one cell of a line to the next: columns, rows.
    #[must_use]
    pub const fn step(self) -> (i16, i16) {
        match self {
            Self::Across => (1, 0),
            Self::Down => (0, 1),
            Self::Falling => (1, 1),
            Self::Rising => (1, -1),
        }
    }
}

/// A line's name for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LineKind {
    /// A whole row, numbered from 1 at the top.
    Row {
        /// The row's number.
        #[cfg_attr(feature = "schema", schemars(range(min = 1, max = BoardSpec::MAX_SIDE)))]
        number: u8,
    },
    /// A whole column, numbered from 1 at the left.
    Column {
        /// The column's number.
        #[cfg_attr(feature = "schema", schemars(range(min = 1, max = BoardSpec::MAX_SIDE)))]
        number: u8,
    },
    /// The diagonal of a square board from its top left to its bottom right corner.
    MainDiagonal,
    /// The diagonal of a square board from its bottom left to its top right corner.
    CounterDiagonal,
    /// A line that does not span its board.
    Stretch {
        /// The line's direction.
        direction: Direction,
        /// The first cell.
        from: Cell,
        /// The last cell.
        to: Cell,
    },
    /// Three small boards in a row, on a board of nine.
    Boards {
        /// Their numbers from 0, row by row.
        boards: [u8; 3],
    },
    /// A line through the layers of a cube, or within one.
    Cube {
        /// The first cell.
        from: Cell,
        /// The last cell.
        to: Cell,
    },
}

/// A winning line with all its cells: more than `line` if the last mark joined two runs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WinningLine {
    /// The line's name for people.
    #[serde(flatten)]
    pub kind: LineKind,
    /// The cells in the order of the direction.
    pub cells: Vec<Cell>,
}

impl WinningLine {
    /// The line in words: "row 2", "the main diagonal", "a diagonal from b2 to f6".
    #[must_use]
    pub fn describe(&self, spec: BoardSpec) -> String {
        match self.kind {
            LineKind::Row { number } => format!("row {number}"),
            LineKind::Column { number } => format!("column {number}"),
            LineKind::MainDiagonal => "the main diagonal".to_owned(),
            LineKind::CounterDiagonal => "the counter diagonal".to_owned(),
            LineKind::Stretch { direction, from, to } => {
                let name = match direction {
                    Direction::Across => "a row",
                    Direction::Down => "a column",
                    Direction::Falling | Direction::Rising => "a diagonal",
                };
                format!("{name} from {} to {}", spec.coordinates(from), spec.coordinates(to))
            }
            LineKind::Boards { boards: [first, second, third] } => {
                format!("the boards {}, {} and {}", first + 1, second + 1, third + 1)
            }
            LineKind::Cube { from, to } => {
                format!("a line from {} to {}", spec.coordinates(from), spec.coordinates(to))
            }
        }
    }

    /// Several lines in words: "row 1, column 2 and the main diagonal".
    #[must_use]
    pub fn describe_all(lines: &[Self], spec: BoardSpec) -> String {
        let named: Vec<String> = lines.iter().map(|line| line.describe(spec)).collect();
        match named.split_last() {
            None => "a line".to_owned(),
            Some((last, [])) => last.clone(),
            Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        }
    }
}

/// The boards that a form offers, the default first.
pub(crate) const LINE_BOARDS: [&str; 9] =
    ["3x3x3", "4x4x4", "5x5x4", "6x6x4", "7x6x4", "9x9x5", "13x13x5", "15x15x5", "19x19x5"];

/// The variant: a completed line wins. The game is drawn when the board is full, or early as soon as
/// nobody can win.
pub(super) struct Line;

impl VariantRules for Line {
    fn boards(&self) -> &'static [&'static str] {
        &LINE_BOARDS
    }

    fn admits(&self, _board: BoardSpec) -> bool {
        true
    }

    fn is_plain(&self) -> bool {
        true
    }
}

/// The result of a placement where a line wins for `winner`, and nobody wins without one.
pub(super) fn result(game: &Game, placed: Placement, winner: Mark) -> Option<GameResult> {
    let lines = game.rules().lines(game.board(), placed);
    if lines.is_empty() {
        return draw(game, placed);
    }
    Some(GameResult::Line { winner, lines })
}

/// The draw after a placement that completes no line: the board is full, or with `early_draw` nobody
/// can win.
fn draw(game: &Game, placed: Placement) -> Option<GameResult> {
    let board = game.board();
    let left = board.empty_count() - 1;
    if left == 0 {
        return Some(GameResult::BoardFull);
    }
    if !game.rules().early_draw {
        return None;
    }
    // If an odd number of moves remains, the side to move has one more.
    let next = left.div_ceil(2);
    let after = left / 2;
    let (x_left, o_left) = if placed.mark == Mark::O { (next, after) } else { (after, next) };
    let mut board = board.clone();
    board.set(placed.cell, Some(placed.mark));
    (!game.rules().any_line_open(&board, x_left, o_left)).then_some(GameResult::NoLineLeft)
}

/// The lines that a mark completes in a cell, whether it is on the board yet or not. At most one in
/// each direction.
pub(super) fn lines_through(board: &Board, placed: Placement) -> Vec<WinningLine> {
    lines_within(board, placed, |_| true)
}

/// The same on a part of the board.
pub(super) fn lines_within(
    board: &Board,
    Placement { mark, cell }: Placement,
    holds: impl Fn(Cell) -> bool,
) -> Vec<WinningLine> {
    let spec = board.spec();
    let (column, row) = spec.position(cell);
    let column = i16::from(column);
    let row = i16::from(row);
    let mut lines = Vec::new();
    for direction in Direction::ALL {
        let (step_column, step_row) = direction.step();
        let at = |steps: i16| spec.cell_at(column + steps * step_column, row + steps * step_row);
        // How many cells beside this one have the mark without a gap. A board has at most 19 in a row.
        let reach = |sign: i16| {
            let is_same = |place: Cell| board.get(place) == Some(mark) && holds(place);
            (1..).take_while(|steps| at(sign * steps).is_some_and(is_same)).count() as i16
        };
        let before = reach(-1);
        let after = reach(1);
        if before + 1 + after >= i16::from(spec.line()) {
            let cells: Vec<Cell> = (-before..=after).filter_map(at).collect();
            lines.push(WinningLine { kind: kind(spec, direction, &cells), cells });
        }
    }
    lines
}

fn kind(spec: BoardSpec, direction: Direction, cells: &[Cell]) -> LineKind {
    let from = cells[0];
    let to = cells[cells.len() - 1];
    let (column, row) = spec.position(from);
    let spans = |side: u8| cells.len() == usize::from(side);
    match direction {
        Direction::Across if spans(spec.width()) => LineKind::Row { number: row + 1 },
        Direction::Down if spans(spec.height()) => LineKind::Column { number: column + 1 },
        Direction::Falling if spans(spec.width()) && spans(spec.height()) => LineKind::MainDiagonal,
        Direction::Rising if spans(spec.width()) && spans(spec.height()) => {
            LineKind::CounterDiagonal
        }
        _ => LineKind::Stretch { direction, from, to },
    }
}

/// Whether some line can still be won if `x_left` and `o_left` marks remain to be placed.
///
/// A mark can win a line if the opponent has no mark in it and enough moves remain to fill it. The
/// search stops at the first such line, so it costs little until late in a game. Where only an `exact`
/// line wins, none of its own marks may be beside it.
pub(super) fn any_line_open(board: &Board, x_left: u16, o_left: u16, exact: bool) -> bool {
    let spec = board.spec();
    let line = i16::from(spec.line());
    spec.all_cells().any(|start| {
        let (column, row) = spec.position(start);
        let column = i16::from(column);
        let row = i16::from(row);
        Direction::ALL.into_iter().any(|direction| {
            let (step_column, step_row) = direction.step();
            let last = line - 1;
            if spec.cell_at(column + step_column * last, row + step_row * last).is_none() {
                return false;
            }
            let at = |i: i16| spec.cell_at(column + step_column * i, row + step_row * i);
            let has = |i: i16, mark| at(i).and_then(|cell| board.get(cell)) == Some(mark);
            let count = |mark| (0..line).filter(|i| has(*i, mark)).count();
            let is_too_long = |mark| exact && (has(-1, mark) || has(line, mark));
            let x = count(Mark::X);
            let o = count(Mark::O);
            let missing = |own: usize| u16::from(spec.line()) - own as u16;
            let x_can = o == 0 && missing(x) <= x_left && !is_too_long(Mark::X);
            let o_can = x == 0 && missing(o) <= o_left && !is_too_long(Mark::O);
            x_can || o_can
        })
    })
}
