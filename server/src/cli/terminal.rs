//! What `analyze` answers about a position in which the game is over.

use noughts_protocol::line::{Direction, LineKind, WinningLine};
use noughts_protocol::{BoardSpec, Cell, Game, GameResult, Mark};
use serde::Serialize;

/// One line of JSON about a finished game.
#[derive(Debug, Serialize)]
pub(crate) struct Finished<'a> {
    /// The position as it came.
    board: &'a str,
    terminal: Terminal,
    /// Whether no cell has a mark.
    empty: bool,
    /// Whether every cell has one.
    full: bool,
    /// The 0-based cells without a mark.
    free: Vec<Cell>,
    #[serde(skip)]
    lines: &'a [WinningLine],
}

/// How it ended.
#[derive(Debug, Serialize)]
struct Terminal {
    /// `X`, `O` or `draw`.
    winner: &'static str,
    /// The line that won; none for a draw.
    #[serde(flatten)]
    line: Option<Line>,
    /// Further lines that the last move completed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    more: Vec<Line>,
}

/// A line that won. A whole row, column or diagonal has its number or name, a part of one its ends.
#[derive(Debug, Default, Serialize)]
struct Line {
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

impl From<&WinningLine> for Line {
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
        }
    }
}

impl<'a> Finished<'a> {
    /// The answer about a game; none while it goes on.
    pub(crate) fn of(text: &'a str, game: &'a Game) -> Option<Self> {
        let result = game.result()?;
        let (winner, lines) = match result {
            GameResult::Line { winner: Mark::X, lines } => ("X", &lines[..]),
            GameResult::Line { winner: Mark::O, lines } => ("O", &lines[..]),
            _ => ("draw", &[][..]),
        };
        let mut told = lines.iter().map(Line::from);
        let terminal = Terminal { winner, line: told.next(), more: told.collect() };
        let free: Vec<Cell> =
            game.spec().all_cells().filter(|cell| game.board().get(*cell).is_none()).collect();
        let (empty, full) = (game.ply() == 0, free.is_empty());
        Some(Self { board: text, terminal, empty, full, free, lines })
    }

    /// One line of text.
    pub(crate) fn in_words(&self, spec: BoardSpec) -> String {
        let lines: Vec<String> =
            self.lines.iter().map(|line| format!("{}", line.describe(spec))).collect();
        match self.terminal.winner {
            "draw" => format!("{}  over: a draw, the board is full", self.board),
            winner => format!("{}  over: {winner} wins with {}", self.board, lines.join(" and ")),
        }
    }
}
