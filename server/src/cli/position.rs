//! Reads a position, `X`, `O` and `.` row by row, as a game that leads to it; and a list of moves.

use noughts_protocol::{Board, BoardSpec, Cell, Game, IllegalMove, Mark, Move, Placement, Rules};

use crate::cli::combination;

/// Why a position cannot be analysed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PositionError {
    /// The text has too few or too many letters.
    #[error("{found} letters: a board of {board} has {} cells", board.cells())]
    Length {
        /// How many letters it has.
        found: usize,
        board: BoardSpec,
    },
    /// A letter, and its place from 1, that stands for no cell.
    #[error("{0:?} in place {1}: write X, O and . for an empty cell")]
    Letter(char, usize),
    /// The players did not take turns.
    #[error("{x} X and {o} O: the marks differ by one at most")]
    Counts {
        /// Marks of X.
        x: usize,
        /// Marks of O.
        o: usize,
    },
    /// By the marks it is the other player's turn.
    #[error("it cannot be {turn}'s turn: {turn} has one mark more")]
    Turn {
        /// The turn that was asked for.
        turn: Mark,
    },
    /// Both players have a line.
    #[error("X and O both have a line: the game ended with the first")]
    BothWon,
    /// One player has a line, and the other moved after it.
    #[error("{0} has a line, but {other} has moved after that", other = .0.other())]
    WonBefore(Mark),
    /// One player has lines that no single move completes.
    #[error("{0} has several lines, and no one move completes them all")]
    WonTwice(Mark),
    /// A move that cannot be made, and why.
    #[error("{0:?} cannot be played: {1}")]
    Move(String, String),
    /// No order of moves leads there.
    #[error("no game leads there: {0}")]
    Illegal(IllegalMove),
}

/// A game that leads to the position, and goes on from there or ends with it.
///
/// With equal numbers of marks it is X's turn, and X moved first, unless `turn` says otherwise.
/// With one mark more, it is the turn of the player with fewer marks, and the other moved first. In
/// a game that is over, the winner moved last. Any order of moves is right: where no player has a
/// line, none had one before. The game is drawn when the board is full and not earlier.
pub(crate) fn parse(
    text: &str,
    spec: BoardSpec,
    turn: Option<Mark>,
) -> Result<Game, PositionError> {
    let marks = text.chars().zip(1..).map(letter).collect::<Result<Vec<_>, _>>()?;
    if marks.len() != usize::from(spec.cells()) {
        return Err(PositionError::Length { found: marks.len(), board: spec });
    }
    let rules = Rules::line(spec, false);
    let mut board = Board::empty(spec);
    spec.all_cells().for_each(|cell| board.set(cell, marks[cell.index()]));
    let winner = match (has_line(rules, &board, Mark::X), has_line(rules, &board, Mark::O)) {
        (true, true) => return Err(PositionError::BothWon),
        (true, false) => Some(Mark::X),
        (false, true) => Some(Mark::O),
        (false, false) => None,
    };
    let mut x = cells_of(&board, Mark::X);
    let mut o = cells_of(&board, Mark::O);
    let full = marks.iter().all(Option::is_some);
    let first = match winner {
        Some(winner) => {
            let won = if winner == Mark::X { &mut x } else { &mut o };
            last_move_last(rules, &mut board, winner, won)?;
            first_of_a_won_game(winner, x.len(), o.len())?
        }
        None => first_of_an_unwon_game(x.len(), o.len(), turn.filter(|_| !full))?,
    };
    let (first_cells, second_cells) = if first == Mark::X { (x, o) } else { (o, x) };
    let mut second_cells = second_cells.into_iter();
    let moves: Vec<Cell> = first_cells
        .into_iter()
        .flat_map(|cell| [Some(cell), second_cells.next()])
        .flatten()
        .collect();
    Game::replay(rules, first, &moves, &[]).map_err(PositionError::Illegal)
}

/// The game after some moves, in any variant. A move is a cell; where a player chooses the mark, it stands
/// before the cell: `o:b2`.
pub(crate) fn replay(text: &str, rules: Rules, first: Mark) -> Result<Game, PositionError> {
    let mut game = Game::new(rules, first);
    for word in text.split_whitespace() {
        let (placed, cell) = match word.split_once(':') {
            Some((mark, cell)) => (Some(combination::mark(mark)), cell),
            None => (None, word),
        };
        let wrong = |why: String| PositionError::Move(word.to_owned(), why);
        let placed = placed.transpose().map_err(wrong)?;
        let cell = rules.board.parse_cell(cell).map_err(|error| wrong(error.to_string()))?;
        let chosen = Move { ply: game.ply(), mark: game.to_move(), cell, placed };
        game.apply(chosen).map_err(|error| wrong(error.to_string()))?;
    }
    Ok(game)
}

fn cells_of(board: &Board, mark: Mark) -> Vec<Cell> {
    board.spec().all_cells().filter(|cell| board.get(*cell) == Some(mark)).collect()
}

fn has_line(rules: Rules, board: &Board, mark: Mark) -> bool {
    let mut cells = board.spec().all_cells().filter(|cell| board.get(*cell) == Some(mark));
    cells.any(|cell| !rules.lines(board, Placement { mark, cell }).is_empty())
}

/// Moves the cell that completed all lines of the winner to the end of the winner's cells.
fn last_move_last(
    rules: Rules,
    board: &mut Board,
    winner: Mark,
    cells: &mut Vec<Cell>,
) -> Result<(), PositionError> {
    let completes = |place: &usize| {
        let cell = cells[*place];
        board.set(cell, None);
        let complete = !has_line(rules, board, winner);
        board.set(cell, Some(winner));
        complete
    };
    let place = (0..cells.len()).find(completes).ok_or(PositionError::WonTwice(winner))?;
    let last = cells.remove(place);
    cells.push(last);
    Ok(())
}

/// The side that moved first in a game whose winner moved last.
fn first_of_a_won_game(winner: Mark, x: usize, o: usize) -> Result<Mark, PositionError> {
    let (won, lost) = if winner == Mark::X { (x, o) } else { (o, x) };
    match won.checked_sub(lost) {
        Some(0) => Ok(winner.other()),
        Some(1) => Ok(winner),
        None if lost - won == 1 => Err(PositionError::WonBefore(winner)),
        _ => Err(PositionError::Counts { x, o }),
    }
}

fn letter((letter, place): (char, usize)) -> Result<Option<Mark>, PositionError> {
    match letter {
        'X' => Ok(Some(Mark::X)),
        'O' => Ok(Some(Mark::O)),
        '.' => Ok(None),
        _ => Err(PositionError::Letter(letter, place)),
    }
}

fn first_of_an_unwon_game(x: usize, o: usize, turn: Option<Mark>) -> Result<Mark, PositionError> {
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

#[cfg(test)]
mod tests {
    use noughts_protocol::{BoardSpec, GameResult, Mark, Rules, Variant};

    use super::parse;
    use crate::cli::args::settings;

    /// The player to move and the first player, or the error.
    fn check(text: &str, turn: Option<Mark>, expected: Result<(Mark, Mark), &str>) {
        let game = parse(text, BoardSpec::TIC_TAC_TOE, turn);
        let found = game.map(|game| (game.turn().unwrap(), game.first()));
        assert_eq!(found.map_err(|error| error.to_string()), expected.map_err(str::to_owned));
    }

    #[test]
    fn the_marks_say_whose_turn_it_is() {
        let x = Mark::X;
        let o = Mark::O;
        check(".........", None, Ok((x, x)));
        check(".........", Some(o), Ok((o, o)));
        check("X........", None, Ok((o, x)));
        check("O........", None, Ok((x, o)));
        check("X.O......", Some(o), Ok((o, o)));
        check("XXOOOXX..", Some(x), Err("it cannot be X's turn: X has one mark more"));
    }

    #[test]
    fn a_finished_game_says_how_it_ended() {
        let over = |text: &str, board: &str| {
            let game = parse(text, board.parse().unwrap(), None).unwrap();
            assert_eq!(game.turn(), None, "{text}");
            let result = game.result().unwrap().clone();
            (result.winner(), game.first(), result)
        };
        let x = Mark::X;
        let o = Mark::O;
        assert_eq!(over("XXXOO....", "3x3x3").0, Some(x));
        // X has as many marks, and moved last: O began.
        let (winner, first, _) = over("XXXOO...O", "3x3x3");
        assert_eq!((winner, first), (Some(x), o));
        assert_eq!(over("XX.OOOX..", "3x3x3").0, Some(o));
        assert_eq!(over("XOXXOOOXX", "3x3x3").0, None);
        // One move completes two lines; five in a row where four win, by the cell in the middle.
        let (_, _, two) = over("XXXXOOXOO", "3x3x3");
        assert!(matches!(two, GameResult::Line { lines, .. } if lines.len() == 2));
        over("XXXXX.OOO.O..............", "5x5x4");
        let apart = parse("XXX.OO....OO.XXX", "4x4x3".parse().unwrap(), None);
        assert_eq!(
            apart.unwrap_err().to_string(),
            "X has several lines, and no one move completes them all"
        );
    }

    #[test]
    fn the_moves_of_a_variant_are_played_in_their_order() {
        let replay = |variant, text| {
            let settings = settings(variant, None).unwrap();
            let game = super::replay(text, Rules::of(&settings), Mark::O);
            game.map(|game| (game.to_move(), game.placed().to_vec()))
                .map_err(|error| error.to_string())
        };
        assert_eq!(
            replay(Variant::Wild, "x:5 1 o:9"),
            Ok((Mark::X, vec![Mark::X, Mark::X, Mark::O]))
        );
        let floats = replay(Variant::Gravity, "d6 c1").unwrap_err();
        assert!(
            floats.starts_with("\"c1\" cannot be played: ") && floats.contains("c6"),
            "{floats}"
        );
        assert!(replay(Variant::Gravity, "d6 z:c6").is_err());
    }

    #[test]
    fn an_impossible_position_is_refused() {
        check("X.O", None, Err("3 letters: a board of 3x3x3 has 9 cells"));
        check("X.o......", None, Err("'o' in place 3: write X, O and . for an empty cell"));
        check("X.X......", None, Err("2 X and 0 O: the marks differ by one at most"));
        check("XXXOOO...", None, Err("X and O both have a line: the game ended with the first"));
        check("XXXOOO.OX", None, Err("X and O both have a line: the game ended with the first"));
        check("XXXOO.OO.", None, Err("X has a line, but O has moved after that"));
        check("XXXO.....", None, Err("3 X and 1 O: the marks differ by one at most"));
    }
}
