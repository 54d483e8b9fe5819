//! Proves that X wins a line game within some moves: on boards up to 9 × 9, by all moves of X and all answers of O.
//! Which positions are puzzles is not here.

use noughts_protocol::{Board, BoardSpec, Cell, Mark};

/// Places for proved positions that a proof remembers: each has the last one that fell on it.
const MEMORY: usize = 1 << 12;

/// The longest line of these boards.
const LONGEST: usize = 5;

/// Any number of quiet moves.
pub(super) const ALL: u8 = u8::MAX;

/// A set of cells: one bit each, with an empty column behind each row, so that a shift leaves no row for the next.
pub(super) type Cells = u128;

/// The marks on the board.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct BoardMarks {
    pub(super) x: Cells,
    pub(super) o: Cells,
}

/// The goal of a proof: the marks, the moves of X and the quiet ones of them.
type ProofGoal = (BoardMarks, u8, u8);

/// Proofs on one kind of board.
#[derive(Debug)]
pub(super) struct Prover {
    spec: BoardSpec,
    board: Cells,
    memory: Vec<Option<(ProofGoal, bool)>>,
    /// Positions left to look at. At zero every proof fails.
    pub(super) budget: u64,
}

/// The cells one by one.
pub(super) fn each(mut cells: Cells) -> impl Iterator<Item = Cells> {
    std::iter::from_fn(move || {
        let lowest = cells & cells.wrapping_neg();
        cells ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// The place of a goal in the memory.
fn place((marks, moves, quiet): ProofGoal) -> usize {
    let fold = |cells: Cells| (cells as u64) ^ ((cells >> 64) as u64).rotate_left(29);
    let mixed = fold(marks.x).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ fold(marks.o).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
        ^ (u64::from(moves) << 8 | u64::from(quiet)).wrapping_mul(0x1656_67b1_9e37_79f9);
    let top = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 48;
    top as usize % MEMORY
}

impl Prover {
    /// For boards with sides up to 9.
    pub(super) fn new(spec: BoardSpec) -> Self {
        let mut prover = Self { spec, board: 0, memory: vec![None; MEMORY], budget: u64::MAX };
        prover.board = spec.all_cells().fold(0, |board, cell| board | prover.bit(cell));
        prover
    }

    fn stride(&self) -> u32 {
        u32::from(self.spec.width()) + 1
    }

    /// The bit of a cell.
    pub(super) fn bit(&self, cell: Cell) -> Cells {
        let width = u32::from(self.spec.width());
        let number = u32::from(cell.0);
        1 << (number / width * self.stride() + number % width)
    }

    /// The cell of a bit.
    pub(super) fn cell(&self, bit: Cells) -> Cell {
        let at = bit.trailing_zeros();
        let number = at / self.stride() * u32::from(self.spec.width()) + at % self.stride();
        Cell(u16::try_from(number).unwrap_or(u16::MAX))
    }

    /// The marks of a board of this kind.
    pub(super) fn marks(&self, board: &Board) -> BoardMarks {
        let mut marks = BoardMarks::default();
        for cell in self.spec.all_cells() {
            match board.get(cell) {
                Some(Mark::X) => marks.x |= self.bit(cell),
                Some(Mark::O) => marks.o |= self.bit(cell),
                None => {}
            }
        }
        marks
    }

    pub(super) fn empty(&self, marks: BoardMarks) -> Cells {
        self.board & !(marks.x | marks.o)
    }

    /// The empty cells at which `own` completes a line.
    pub(super) fn threats(&self, own: Cells, empty: Cells) -> Cells {
        let line = u32::from(self.spec.line());
        let stride = self.stride();
        let mut found = 0;
        for step in [1, stride - 1, stride, stride + 1] {
            // Cells behind `at` marks in a row, for the marks that the other side of the cell still needs.
            let mut before = [empty; LONGEST + 1];
            let mut after = empty;
            for at in 1..line {
                before[at as usize] = before[at as usize - 1] & (own << (at * step));
            }
            for at in 0..line {
                if at > 0 {
                    after &= own >> (at * step);
                }
                found |= after & before[(line - 1 - at) as usize];
            }
        }
        found
    }

    /// Whether X, who is to move, wins within `moves` moves of its own, of which `quiet` may threaten no line.
    pub(super) fn wins(&mut self, marks: BoardMarks, moves: u8, quiet: u8) -> bool {
        match self.threats(marks.x, self.empty(marks)) {
            0 => self.wins_later(marks, moves, quiet),
            _ => moves > 0,
        }
    }

    /// The same where X completes no line at once.
    fn wins_later(&mut self, marks: BoardMarks, moves: u8, quiet: u8) -> bool {
        if moves < 2 || self.budget == 0 {
            return false;
        }
        let goal = (marks, moves, quiet);
        let place = place(goal);
        if let Some((known, won)) = self.memory[place]
            && known == goal
        {
            return won;
        }
        let won = each(self.candidates(marks, moves, quiet))
            .any(|chosen| self.wins_by(marks, chosen, moves, quiet));
        if self.budget > 0 {
            self.memory[place] = Some((goal, won));
        }
        won
    }

    /// The moves that can win at all: who is threatened must answer, and the last but one must threaten.
    fn candidates(&self, marks: BoardMarks, moves: u8, quiet: u8) -> Cells {
        let empty = self.empty(marks);
        let threatened = self.threats(marks.o, empty);
        match threatened.count_ones() {
            0 if moves == 2 || quiet == 0 => self.threatening(marks),
            0 => empty,
            1 => threatened,
            _ => 0,
        }
    }

    /// The moves after which X threatens a line.
    pub(super) fn threatening(&self, marks: BoardMarks) -> Cells {
        let line = u32::from(self.spec.line());
        let stride = self.stride();
        let empty = self.empty(marks);
        let mut found = 0;
        for step in [1, stride - 1, stride, stride + 1] {
            // Windows by their first cell, which have no O and all but two X.
            let at = |cells: Cells, place: u32| cells >> (place * step);
            let whole =
                (0..line).fold(!0, |windows, place| windows & at(self.board & !marks.o, place));
            let mut none = whole;
            let mut one = 0;
            let mut two = 0;
            for place in 0..line {
                let free = at(empty, place);
                two = (two & !free) | (one & free);
                one = (one & !free) | (none & free);
                none &= !free;
            }
            found |= (0..line).fold(0, |cells, place| cells | (two << (place * step)));
        }
        found & empty
    }

    /// The moves with which X wins within `moves` moves.
    pub(super) fn winning(&mut self, marks: BoardMarks, moves: u8, quiet: u8) -> Cells {
        let threats = self.threats(marks.x, self.empty(marks));
        if moves < 2 || threats != 0 {
            return threats;
        }
        each(self.candidates(marks, moves, quiet))
            .filter(|chosen| self.wins_by(marks, *chosen, moves, quiet))
            .fold(0, |all, chosen| all | chosen)
    }

    /// Whether X wins within `moves` moves, of which the first is `chosen`. X
    /// completes no line with it and leaves O none to complete.
    fn wins_by(&mut self, marks: BoardMarks, chosen: Cells, moves: u8, quiet: u8) -> bool {
        self.budget = self.budget.saturating_sub(1);
        let marks = BoardMarks { x: marks.x | chosen, o: marks.o };
        let empty = self.empty(marks);
        let threats = self.threats(marks.x, empty);
        match threats.count_ones() {
            0 if quiet == 0 || moves < 3 => false,
            0 => {
                let quiet = if quiet == ALL { ALL } else { quiet - 1 };
                // Where a pass of O loses to nothing, no answer has to be looked at.
                self.wins_later(marks, moves - 1, quiet)
                    && each(empty).all(|answer| {
                        let marks = BoardMarks { o: marks.o | answer, ..marks };
                        self.wins_later(marks, moves - 1, quiet)
                    })
            }
            1 => self.wins_later(BoardMarks { o: marks.o | threats, ..marks }, moves - 1, quiet),
            _ => true,
        }
    }

    /// O's answers after which X needs all of `moves` moves.
    pub(super) fn longest(&mut self, marks: BoardMarks, moves: u8) -> Vec<Cells> {
        let empty = self.empty(marks);
        let threats = self.threats(marks.x, empty);
        let answers = if threats == 0 { empty } else { threats };
        each(answers)
            .filter(|answer| {
                let marks = BoardMarks { o: marks.o | answer, ..marks };
                !self.wins(marks, moves - 1, ALL)
            })
            .collect()
    }
}
