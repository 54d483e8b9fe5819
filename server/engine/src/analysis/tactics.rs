//! Tactics that need no search, where a line wins: lines that lack one mark, double threats, and
//! moves that lose to a double threat. The answers are exact on every board.

use noughts_protocol::{Board, Cell, Direction, Game, Mark, Variant};

/// A board to try marks on.
#[derive(Debug)]
pub(super) struct Tactics {
    board: Board,
    /// Whether a longer row of marks wins too.
    longer_wins: bool,
}

impl Tactics {
    pub(super) fn new(game: &Game) -> Self {
        let longer_wins = game.rules().variant != Variant::Exact;
        Self { board: game.board().clone(), longer_wins }
    }

    /// The empty cells on which `mark` completes a line.
    pub(super) fn wins(&self, mark: Mark) -> Vec<Cell> {
        self.board.empty_cells().filter(|cell| self.completes(*cell, mark)).collect()
    }

    /// The cells on which `mark` makes two threats at once. The opponent cannot answer them unless
    /// it has a line to complete.
    pub(super) fn double_threats(&mut self, mark: Mark) -> Vec<Cell> {
        let empty: Vec<Cell> = self.board.empty_cells().collect();
        empty.into_iter().filter(|cell| self.threatens_twice(*cell, mark)).collect()
    }

    /// The only move of `mark` that does not lose within the opponent's next two moves. Neither
    /// side may have a line to complete.
    pub(super) fn only_move(&mut self, mark: Mark) -> Option<Cell> {
        let threats = self.double_threats(mark.other());
        if threats.is_empty() {
            return None;
        }
        let empty: Vec<Cell> = self.board.empty_cells().collect();
        let mut holding = empty.into_iter().filter(|cell| !self.loses(*cell, mark, &threats));
        holding.next().filter(|_| holding.next().is_none())
    }

    /// Whether the opponent can answer `mark` on `cell` with one of these double threats, and
    /// `mark` then has no line to complete.
    fn loses(&mut self, cell: Cell, mark: Mark, threats: &[Cell]) -> bool {
        self.tried(cell, mark, |tactics| {
            threats.iter().filter(|threat| **threat != cell).any(|&threat| {
                tactics.threatens_twice(threat, mark.other())
                    && tactics.tried(threat, mark.other(), |tactics| tactics.wins(mark).is_empty())
            })
        })
    }

    fn threatens_twice(&mut self, cell: Cell, mark: Mark) -> bool {
        self.tried(cell, mark, |tactics| {
            let near: Vec<Cell> = tactics.on_lines_of(cell).collect();
            near.into_iter().filter(|near| tactics.completes(*near, mark)).take(2).count() == 2
        })
    }

    /// How much a cell promises: the lines through it that `mark` can still win, and more for those
    /// that have its marks already.
    pub(super) fn promise(&self, cell: Cell, mark: Mark) -> u32 {
        let spec = self.board.spec();
        let (column, row) = spec.position(cell);
        let line = i16::from(spec.line());
        let of = |(right, down): (i16, i16), start: i16| {
            let cells = (start..start + line).map(|step| {
                let at = (i16::from(column) + right * step, i16::from(row) + down * step);
                spec.cell_at(at.0, at.1).map(|cell| self.board.get(cell))
            });
            let placed: Option<Vec<Option<Mark>>> = cells.collect();
            let placed = placed.filter(|marks| !marks.contains(&Some(mark.other())));
            placed.map_or(0, |marks| {
                let own = marks.iter().flatten().count() as u32;
                1 + 2 * own * own
            })
        };
        let starts = || 1 - line..=0;
        Direction::ALL
            .into_iter()
            .flat_map(|direction| starts().map(move |start| of(direction.step(), start)))
            .sum()
    }

    /// The answer to a question about the board with `mark` on `cell`.
    pub(super) fn tried<T>(
        &mut self,
        cell: Cell,
        mark: Mark,
        ask: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.board.set(cell, Some(mark));
        let answer = ask(self);
        self.board.set(cell, None);
        answer
    }

    /// The empty cells that share a possible line with a cell.
    fn on_lines_of(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        let spec = self.board.spec();
        let (column, row) = spec.position(cell);
        let reach = i16::from(spec.line()) - 1;
        Direction::ALL.into_iter().flat_map(move |direction| {
            let (right, down) = direction.step();
            (-reach..=reach)
                .filter(|step| *step != 0)
                .filter_map(move |step| {
                    spec.cell_at(i16::from(column) + right * step, i16::from(row) + down * step)
                })
                .filter(|cell| self.board.is_empty(*cell))
        })
    }

    /// Whether `mark` on `cell` would complete a line.
    fn completes(&self, cell: Cell, mark: Mark) -> bool {
        let line = i16::from(self.board.spec().line());
        Direction::ALL.into_iter().any(|direction| {
            let (right, down) = direction.step();
            let run = self.run(cell, mark, (right, down)) + self.run(cell, mark, (-right, -down));
            if self.longer_wins { run + 1 >= line } else { run + 1 == line }
        })
    }

    /// The number of marks in a row beside a cell, in one direction.
    fn run(&self, cell: Cell, mark: Mark, (right, down): (i16, i16)) -> i16 {
        let spec = self.board.spec();
        let (column, row) = spec.position(cell);
        let own = |step: &i16| {
            spec.cell_at(i16::from(column) + right * step, i16::from(row) + down * step)
                .is_some_and(|cell| self.board.get(cell) == Some(mark))
        };
        (1..).take_while(own).count() as i16
    }
}
