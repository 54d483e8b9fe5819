//! Puzzles: positions in which X, who is to move, wins in some moves and by one way alone. Twenty thousand are kept
//! in the program, in seven grades; the bench `puzzles` makes, grades and proves them. Each day has one, and only the
//! caller knows which day it is.
//!
//! A kept puzzle has its proof with it: the only winning move, the answer that resists longest, the only winning move
//! again, and so on. Any other answer loses as soon or sooner.

mod proof;

use noughts_protocol::{Board, BoardSpec, Cell, DailyPuzzle, Date, Mark};

use proof::{ALL, BoardMarks, Cells, Prover};

/// The grades: one for each day of the week, the easiest first.
pub const GRADES: usize = 7;

/// The boards of the puzzles: width, height, line. Kept puzzles have the place in this table: only add at its end.
const BOARDS: [(u8, u8, u8); 8] =
    [(4, 4, 4), (5, 5, 4), (6, 6, 4), (7, 7, 4), (6, 6, 5), (7, 7, 5), (8, 8, 5), (9, 9, 5)];

/// The fewest and the most moves of X.
const MOVES: std::ops::RangeInclusive<u8> = 2..=5;

/// Cells that share a byte of a kept puzzle: an empty cell, X and O are the digits 0, 1 and 2 of a number to base 3.
const PACKED: usize = 5;

/// Quiet moves of the quick look at a position, which finds most of its wins.
const QUICK: u8 = 1;

/// The kept puzzles: how many there are of each grade (two bytes, the low one first), then one after the other.
static KEPT: &[u8] = include_bytes!("puzzle/kept.bin");

/// A position that X wins by one way alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Puzzle {
    /// The marks, as many X as O.
    pub board: Board,
    /// The moves: X, O, X and so on, without the last one of X.
    pub line: Vec<Cell>,
}

impl Puzzle {
    /// The boards that puzzles are on.
    pub fn boards() -> impl Iterator<Item = BoardSpec> {
        BOARDS
            .into_iter()
            .filter_map(|(width, height, line)| BoardSpec::new(width, height, line).ok())
    }

    /// The kept puzzle of a grade (from 0, the easiest) whose number is `number` or, as the numbers begin again
    /// after the last one, stands for it.
    #[must_use]
    pub fn kept(grade: usize, number: usize) -> Option<Self> {
        let counts: Vec<usize> = counts(KEPT).collect();
        let before: usize = counts.get(..grade)?.iter().sum();
        let number = number.checked_rem(*counts.get(grade)?)?;
        pieces(KEPT).nth(before + number).and_then(Self::read)
    }

    /// The puzzle of a day: on Monday one of the easiest grade, on Sunday one of the hardest. `None` before the
    /// first day.
    #[must_use]
    pub fn of_day(date: Date) -> Option<DailyPuzzle> {
        if date < Date::FIRST_PUZZLE {
            return None;
        }
        let puzzle = Self::kept(date.weekday(), date.week())?;
        let Self { board, line } = &puzzle;
        let of =
            |mark| board.spec().all_cells().filter(|cell| board.get(*cell) == Some(mark)).collect();
        Some(DailyPuzzle {
            date,
            number: date.puzzle_number(),
            board: board.spec(),
            x: of(Mark::X),
            o: of(Mark::O),
            answers: line
                .iter()
                .step_by(2)
                .map(|cell| vec![*cell])
                .chain([puzzle.last()])
                .collect(),
            replies: line.iter().skip(1).step_by(2).copied().collect(),
        })
    }

    /// How many puzzles are kept of each grade.
    #[must_use]
    pub fn kept_counts() -> Vec<usize> {
        counts(KEPT).collect()
    }

    /// In how many moves of X it is won: 2 to 5.
    #[must_use]
    pub const fn moves(&self) -> usize {
        self.line.len() / 2 + 1
    }

    /// Which of the cells complete a line of X at the end.
    #[must_use]
    pub fn last(&self) -> Vec<Cell> {
        let prover = Prover::new(self.board.spec());
        let mut marks = prover.marks(&self.board);
        for pair in self.line.chunks(2) {
            marks.x |= pair.first().map_or(0, |cell| prover.bit(*cell));
            marks.o |= pair.get(1).map_or(0, |cell| prover.bit(*cell));
        }
        each_cell(&prover, prover.threats(marks.x, prover.empty(marks)))
    }

    /// The puzzle of a position in which X is to move; `None` where X does not win in 2 to `moves` moves, more than one
    /// move does, or the proof takes more than `budget` positions.
    #[must_use]
    pub fn find(board: &Board, moves: u8, budget: u64) -> Option<Self> {
        let mut prover = Prover::new(board.spec());
        prover.budget = budget;
        let marks = prover.marks(board);
        let empty = prover.empty(marks);
        // A line that can be completed at once is no puzzle.
        if prover.threats(marks.x, empty) | prover.threats(marks.o, empty) != 0 {
            return None;
        }
        let moves = (*MOVES.start()..=moves.min(*MOVES.end()))
            .find(|moves| prover.wins(marks, *moves, QUICK))?;
        if prover.winning(marks, moves, QUICK).count_ones() != 1
            || prover.wins(marks, moves - 1, ALL)
        {
            return None;
        }
        let line = line(&mut prover, marks, moves)?;
        let line = line.into_iter().map(|bit| prover.cell(bit)).collect();
        (prover.budget > 0).then(|| Self { board: board.clone(), line })
    }

    /// Whether the proof holds: X wins in as many moves and in no fewer, each move of the line is the only one that
    /// does, and O resists longest.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        let mut prover = Prover::new(self.board.spec());
        let mut marks = prover.marks(&self.board);
        let Ok(mut moves) = u8::try_from(self.moves()) else { return false };
        for pair in self.line.chunks(2) {
            let [chosen, answer] = pair else { return false };
            let chosen = prover.bit(*chosen);
            let answer = prover.bit(*answer);
            if prover.wins(marks, moves - 1, ALL) || prover.winning(marks, moves, ALL) != chosen {
                return false;
            }
            marks.x |= chosen;
            moves -= 1;
            if !prover.longest(marks, moves).contains(&answer) {
                return false;
            }
            marks.o |= answer;
        }
        moves == 1 && prover.wins(marks, 1, ALL)
    }

    /// How hard it is, in points: the moves, those that threaten nothing, those that answer a threat, the threats that
    /// lead nowhere, and where there is to look.
    #[must_use]
    pub fn points(&self) -> u32 {
        let prover = Prover::new(self.board.spec());
        let mut marks = prover.marks(&self.board);
        let tempting = prover.threatening(marks).count_ones().saturating_sub(1);
        let mut points = 10 * tempting.min(8) + prover.empty(marks).count_ones();
        for pair in self.line.chunks(2) {
            let answers_threat = prover.threats(marks.o, prover.empty(marks)) != 0;
            marks.x |= pair.first().map_or(0, |cell| prover.bit(*cell));
            let is_quiet = prover.threats(marks.x, prover.empty(marks)) == 0;
            marks.o |= pair.get(1).map_or(0, |cell| prover.bit(*cell));
            points += 120 + 60 * u32::from(is_quiet) + 20 * u32::from(answers_threat);
        }
        points
    }

    /// The puzzle as it is kept.
    fn to_bytes(&self) -> Option<Vec<u8>> {
        let board = self.board.spec();
        let kind = Self::boards().position(|kind| kind == board)?;
        let mut bytes = vec![u8::try_from(kind << 4 | self.moves()).ok()?];
        let digits: Vec<u8> = board
            .all_cells()
            .map(|cell| match self.board.get(cell) {
                None => 0,
                Some(Mark::X) => 1,
                Some(Mark::O) => 2,
            })
            .collect();
        bytes.extend(
            digits
                .chunks(PACKED)
                .map(|five| five.iter().rev().fold(0, |sum, digit| 3 * sum + digit)),
        );
        for cell in &self.line {
            bytes.push(u8::try_from(cell.0).ok()?);
        }
        Some(bytes)
    }

    /// Reads a kept puzzle.
    fn read(bytes: &[u8]) -> Option<Self> {
        let (head, rest) = bytes.split_first()?;
        let spec = Self::boards().nth(usize::from(head >> 4))?;
        let (packed, line) = rest.split_at_checked(usize::from(spec.cells()).div_ceil(PACKED))?;
        let mut board = Board::empty(spec);
        for cell in spec.all_cells() {
            let five = packed.get(cell.index() / PACKED)?;
            let power = u32::try_from(cell.index() % PACKED).ok()?;
            let mark = match five / 3_u8.pow(power) % 3 {
                0 => None,
                1 => Some(Mark::X),
                _ => Some(Mark::O),
            };
            board.set(cell, mark);
        }
        Some(Self { board, line: line.iter().map(|cell| Cell(u16::from(*cell))).collect() })
    }
}

/// The puzzles of each grade as the program keeps them; `None` for one that cannot be kept.
#[must_use]
pub fn to_kept(grades: &[Vec<Puzzle>; GRADES]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for grade in grades {
        bytes.extend(u16::try_from(grade.len()).ok()?.to_le_bytes());
    }
    for puzzle in grades.iter().flatten() {
        bytes.extend(puzzle.to_bytes()?);
    }
    Some(bytes)
}

/// The empty cells at which a mark completes a line, on a board that puzzles are on.
#[must_use]
pub fn completing(board: &Board, mark: Mark) -> Vec<Cell> {
    let prover = Prover::new(board.spec());
    let marks = prover.marks(board);
    let own = match mark {
        Mark::X => marks.x,
        Mark::O => marks.o,
    };
    each_cell(&prover, prover.threats(own, prover.empty(marks)))
}

fn each_cell(prover: &Prover, cells: Cells) -> Vec<Cell> {
    proof::each(cells).map(|bit| prover.cell(bit)).collect()
}

/// How many kept puzzles each grade has.
fn counts(kept: &[u8]) -> impl Iterator<Item = usize> {
    kept.chunks_exact(2).take(GRADES).map(|pair| usize::from(pair[1]) << 8 | usize::from(pair[0]))
}

/// The bytes of every kept puzzle, grade by grade. The puzzle of a Sunday has nearly all others before it, so that
/// none of them is read.
fn pieces(kept: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = kept.get(2 * GRADES..).unwrap_or_default();
    std::iter::from_fn(move || rest.split_off(..size(*rest.first()?)?))
}

/// The bytes of a kept puzzle, by its first one.
fn size(head: u8) -> Option<usize> {
    let (width, height, _) = *BOARDS.get(usize::from(head >> 4))?;
    let line = 2 * usize::from(head & 15).checked_sub(1)?;
    Some(1 + usize::from(width * height).div_ceil(PACKED) + line)
}

/// The line from a position that X wins in `moves` moves: at each turn of X one move wins. O has the answers that
/// resist longest; the first that keeps X to one way is taken.
fn line(prover: &mut Prover, marks: BoardMarks, moves: u8) -> Option<Vec<Cells>> {
    if moves == 1 {
        return Some(Vec::new());
    }
    let chosen = prover.winning(marks, moves, ALL);
    if chosen.count_ones() != 1 {
        return None;
    }
    let marks = BoardMarks { x: marks.x | chosen, ..marks };
    let mut answers = prover.longest(marks, moves - 1);
    // An answer that threatens is the one that people would give.
    answers.sort_by_key(|answer| {
        let threats = prover.threats(marks.o | answer, prover.empty(marks) & !answer);
        std::cmp::Reverse(threats.count_ones())
    });
    answers.into_iter().find_map(|answer| {
        let rest = line(prover, BoardMarks { o: marks.o | answer, ..marks }, moves - 1)?;
        Some([vec![chosen, answer], rest].concat())
    })
}

#[cfg(test)]
mod tests;
