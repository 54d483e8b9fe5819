//! The answer of `analyze` about a position in which the game is over.

use noughts_protocol::{BoardSpec, Cell, Direction, Game, GameResult, LineKind, WinningLine};
use serde::Serialize;

/// One line of JSON about a finished game.
#[derive(Debug, Serialize)]
pub(crate) struct Finished<'a> {
    /// The position as it was given.
    board: &'a str,
    terminal: Terminal,
    /// Whether no cell has a mark.
    empty: bool,
    /// Whether every cell has a mark.
    full: bool,
    /// The 0-based cells without a mark.
    free: Vec<Cell>,
    #[serde(skip)]
    lines: &'a [WinningLine],
    #[serde(skip)]
    result: &'a GameResult,
}

/// How the game ended.
#[derive(Debug, Serialize)]
struct Terminal {
    /// `X`, `O` or `draw`.
    winner: String,
    /// The line that won; `None` for a draw.
    #[serde(flatten)]
    line: Option<LineAnswer>,
    /// The other lines that the last move completed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    more: Vec<LineAnswer>,
}

/// A line that won: a whole row, column or diagonal with its number or name, or a part of one with
/// its ends.
#[derive(Debug, Default, Serialize)]
struct LineAnswer {
    /// `H` for a row, `V` for a column, `D` for a diagonal.
    direction: char,
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagonal: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<Cell>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Cell>,
    /// Its 0-based cells.
    line: Vec<Cell>,
}

impl From<&WinningLine> for LineAnswer {
    fn from(WinningLine { kind, cells }: &WinningLine) -> Self {
        let line = |direction| Self { direction, line: cells.clone(), ..Self::default() };
        match *kind {
            LineKind::Row { number } => Self { row: Some(number), ..line('H') },
            LineKind::Column { number } => Self { column: Some(number), ..line('V') },
            LineKind::MainDiagonal => Self { diagonal: Some("main"), ..line('D') },
            LineKind::CounterDiagonal => Self { diagonal: Some("counter"), ..line('D') },
            LineKind::Stretch { direction, from, to } => {
                let direction = match direction {
                    Direction::Across => 'H',
                    Direction::Down => 'V',
                    Direction::Falling | Direction::Rising => 'D',
                };
                Self { from: Some(from), to: Some(to), ..line(direction) }
            }
            LineKind::Cube { from, to } => Self { from: Some(from), to: Some(to), ..line('C') },
            LineKind::Boards { .. } => line('B'),
        }
    }
}

impl<'a> Finished<'a> {
    /// The answer about a game; `None` while it goes on.
    pub(crate) fn of(text: &'a str, game: &'a Game) -> Option<Self> {
        let result = game.result()?;
        let winner = result.winner().map_or_else(|| "draw".to_owned(), |mark| mark.to_string());
        let lines = match result {
            GameResult::Line { lines, .. } => &lines[..],
            _ => &[],
        };
        let mut answers = lines.iter().map(LineAnswer::from);
        let terminal = Terminal { winner, line: answers.next(), more: answers.collect() };
        let free: Vec<Cell> =
            game.spec().all_cells().filter(|cell| game.board().get(*cell).is_none()).collect();
        let empty = game.ply() == 0;
        let full = free.is_empty();
        Some(Self { board: text, terminal, empty, full, free, lines, result })
    }

    /// One line of text.
    pub(crate) fn in_words(&self, spec: BoardSpec) -> String {
        let over = match (&self.terminal.winner[..], self.result) {
            (_, GameResult::Repetition) => "a draw, the position was there twice before".to_owned(),
            (_, GameResult::TooLong) => "a draw, the game is too long".to_owned(),
            ("draw", _) => "a draw, the board is full".to_owned(),
            (winner, _) if self.lines.is_empty() => format!("{winner} wins"),
            (winner, _) => {
                format!("{winner} wins with {}", WinningLine::describe_all(self.lines, spec))
            }
        };
        format!("{}  over: {over}", self.board)
    }
}
