//! A position as it is written, X, O and . row by row, made into a game that came to it.

use noughts_protocol::line::lines_through;
use noughts_protocol::{Board, BoardSpec, Cell, Game, IllegalMove, Mark};

/// Why a text is no position that can be analysed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PositionError {
    /// The text has too few or too many letters.
    #[error("{found} letters: a board of {board} has {} cells", board.cells())]
    Length {
        /// How many it has.
        found: usize,
        /// The board.
        board: BoardSpec,
    },
    /// A letter that is no cell.
    #[error("{0:?} in place {1}: write X, O and . for an empty cell")]
    Letter(char, usize),
    /// So many marks of each cannot come about by turns.
    #[error("{x} X and {o} O: the marks differ by one at most")]
    Counts {
        /// Marks of X.
        x: usize,
        /// Marks of O.
        o: usize,
    },
    /// The marks say it is the other's turn.
    #[error("it cannot be {turn}'s turn: {turn} has one mark more")]
    Turn {
        /// Whose turn was asked for.
        turn: Mark,
    },
    /// Both sides have a line.
    #[error("X and O both have a line: the game ended with the first")]
    BothWon,
    /// One side has a line.
    #[error("the game is over: {0} has a line")]
    Won(Mark),
    /// No cell is empty.
    #[error("the game is over: the board is full")]
    Full,
    /// No order of moves leads there.
    #[error("no game leads there: {0}")]
    Illegal(IllegalMove),
}

/// A game that came to the position and goes on from there.
///
/// With as many marks of both it is X's turn, and X began, unless `turn` says otherwise; with one
/// mark more it is the turn of whoever has fewer, and the other began. Any order of moves will do:
/// where no side has a line, none had one before. The game is drawn when the board is full and
/// not earlier.
pub(crate) fn parse(
    text: &str,
    spec: BoardSpec,
    turn: Option<Mark>,
) -> Result<Game, PositionError> {
    let marks = text.chars().zip(1..).map(letter).collect::<Result<Vec<_>, _>>()?;
    if marks.len() != usize::from(spec.cells()) {
        return Err(PositionError::Length { found: marks.len(), board: spec });
    }
    let cells_of = |mark: Mark| -> Vec<Cell> {
        spec.all_cells().filter(|cell| marks[cell.index()] == Some(mark)).collect()
    };
    let (x, o) = (cells_of(Mark::X), cells_of(Mark::O));
    let first = who_began(x.len(), o.len(), turn)?;
    over(&marks, spec)?;
    let (first_cells, second_cells) = if first == Mark::X { (x, o) } else { (o, x) };
    let mut second_cells = second_cells.into_iter();
    let moves: Vec<Cell> = first_cells
        .into_iter()
        .flat_map(|cell| [Some(cell), second_cells.next()])
        .flatten()
        .collect();
    Game::replay(spec, first, false, &moves).map_err(PositionError::Illegal)
}

fn letter((letter, place): (char, usize)) -> Result<Option<Mark>, PositionError> {
    match letter {
        'X' => Ok(Some(Mark::X)),
        'O' => Ok(Some(Mark::O)),
        '.' => Ok(None),
        _ => Err(PositionError::Letter(letter, place)),
    }
}

fn who_began(x: usize, o: usize, turn: Option<Mark>) -> Result<Mark, PositionError> {
    let (first, next) = match x.cmp(&o) {
        _ if x.abs_diff(o) > 1 => return Err(PositionError::Counts { x, o }),
        std::cmp::Ordering::Equal => return Ok(turn.unwrap_or(Mark::X)),
        std::cmp::Ordering::Greater => (Mark::X, Mark::O),
        std::cmp::Ordering::Less => (Mark::O, Mark::X),
    };
    match turn {
        Some(turn) if turn != next => Err(PositionError::Turn { turn }),
        _ => Ok(first),
    }
}

/// Refuses a board on which the game has ended.
fn over(marks: &[Option<Mark>], spec: BoardSpec) -> Result<(), PositionError> {
    let mut board = Board::empty(spec);
    for cell in spec.all_cells() {
        board.set(cell, marks[cell.index()]);
    }
    let won = |mark| {
        let mut cells = spec.all_cells().filter(|cell| board.get(*cell) == Some(mark));
        cells.any(|cell| !lines_through(&board, cell, mark).is_empty())
    };
    match (won(Mark::X), won(Mark::O)) {
        (true, true) => Err(PositionError::BothWon),
        (true, false) => Err(PositionError::Won(Mark::X)),
        (false, true) => Err(PositionError::Won(Mark::O)),
        (false, false) if marks.iter().all(Option::is_some) => Err(PositionError::Full),
        (false, false) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{BoardSpec, Mark};

    use super::parse;

    /// Whose turn it is and who began, or the error.
    fn check(text: &str, turn: Option<Mark>, expected: Result<(Mark, Mark), &str>) {
        let game = parse(text, BoardSpec::TIC_TAC_TOE, turn);
        let found = game.map(|game| (game.turn().unwrap(), game.first()));
        assert_eq!(found.map_err(|error| error.to_string()), expected.map_err(str::to_owned));
    }

    #[test]
    fn the_marks_say_whose_turn_it_is() {
        let (x, o) = (Mark::X, Mark::O);
        check(".........", None, Ok((x, x)));
        check(".........", Some(o), Ok((o, o)));
        check("X........", None, Ok((o, x)));
        check("O........", None, Ok((x, o)));
        check("X.O......", Some(o), Ok((o, o)));
        check("XXOOOXX..", Some(x), Err("it cannot be X's turn: X has one mark more"));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        check("X.O", None, Err("3 letters: a board of 3x3x3 has 9 cells"));
        check("X.o......", None, Err("'o' in place 3: write X, O and . for an empty cell"));
        check("X.X......", None, Err("2 X and 0 O: the marks differ by one at most"));
        check("XXXOO....", None, Err("the game is over: X has a line"));
        check("XXXOOO...", None, Err("X and O both have a line: the game ended with the first"));
        check("XOXXOOOXX", None, Err("the game is over: the board is full"));
    }
}
