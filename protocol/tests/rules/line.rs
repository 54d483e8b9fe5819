//! Won lines, their kinds and their names; and whether a line can still be won, which is checked
//! against every continuation of every position of two small boards.

use std::collections::HashMap;

use noughts_protocol::{
    Board, BoardSpec, Cell, Direction, LineKind, Mark, Placement, Rules, WinningLine,
};

fn board(spec: &str, x: &[u16], o: &[u16]) -> Board {
    let mut board = Board::empty(spec.parse().expect("a board that the test made up"));
    for (cells, mark) in [(x, Mark::X), (o, Mark::O)] {
        for &cell in cells {
            board.set(Cell(cell), Some(mark));
        }
    }
    board
}

const fn rules(board: BoardSpec) -> Rules {
    Rules::line(board, true)
}

fn lines_through(board: &Board, cell: Cell, mark: Mark) -> Vec<WinningLine> {
    rules(board.spec()).lines(board, Placement { mark, cell })
}

fn any_line_open(board: &Board, x_left: u16, o_left: u16) -> bool {
    rules(board.spec()).any_line_open(board, x_left, o_left)
}

fn line(kind: LineKind, cells: &[u16]) -> WinningLine {
    WinningLine { kind, cells: cells.iter().copied().map(Cell).collect() }
}

fn stretch(direction: Direction, cells: &[u16]) -> WinningLine {
    let from = Cell(cells[0]);
    let to = Cell(cells[cells.len() - 1]);
    line(LineKind::Stretch { direction, from, to }, cells)
}

/// With X on `cells`, whichever of them was played last, the one line through it is `expected`,
/// and people call it `name`.
fn check(spec: &str, cells: &[u16], expected: &WinningLine, name: &str) {
    let board = board(spec, cells, &[]);
    for &last in cells {
        assert_eq!(
            lines_through(&board, Cell(last), Mark::X),
            std::slice::from_ref(expected),
            "{spec} {cells:?}"
        );
    }
    assert_eq!(expected.describe(board.spec()), name);
}

#[test]
fn every_line_of_tic_tac_toe() {
    for number in 0..3_u8 {
        let n = u16::from(number);
        let row = [3 * n, 3 * n + 1, 3 * n + 2];
        let column = [n, n + 3, n + 6];
        let number = number + 1;
        check("3x3x3", &row, &line(LineKind::Row { number }, &row), &format!("row {number}"));
        let kind = LineKind::Column { number };
        check("3x3x3", &column, &line(kind, &column), &format!("column {number}"));
    }
    let main = [0, 4, 8];
    let counter = [6, 4, 2];
    check("3x3x3", &main, &line(LineKind::MainDiagonal, &main), "the main diagonal");
    check("3x3x3", &counter, &line(LineKind::CounterDiagonal, &counter), "the counter diagonal");
}

#[test]
fn lines_that_do_not_span_the_board() {
    let falling = [6, 12, 18];
    check("5x5x3", &[6, 7, 8], &stretch(Direction::Across, &[6, 7, 8]), "a row from b2 to d2");
    check("5x5x3", &[1, 6, 11], &stretch(Direction::Down, &[1, 6, 11]), "a column from b1 to b3");
    check("5x5x3", &falling, &stretch(Direction::Falling, &falling), "a diagonal from b2 to d4");
    let rising = [20, 16, 12];
    check("5x5x3", &rising, &stretch(Direction::Rising, &rising), "a diagonal from a5 to c3");
}

#[test]
fn a_diagonal_that_spans_one_side_of_an_oblong_is_a_stretch() {
    check(
        "4x3x3",
        &[0, 5, 10],
        &stretch(Direction::Falling, &[0, 5, 10]),
        "a diagonal from a1 to c3",
    );
    check("4x3x3", &[0, 4, 8], &line(LineKind::Column { number: 1 }, &[0, 4, 8]), "column 1");
    check("4x3x3", &[0, 1, 2, 3], &line(LineKind::Row { number: 1 }, &[0, 1, 2, 3]), "row 1");
}

#[test]
fn one_move_can_complete_a_line_in_each_direction() {
    let board = board("5x5x3", &[10, 11, 12, 2, 7, 0, 6, 20, 16], &[]);
    let expected = [
        stretch(Direction::Across, &[10, 11, 12]),
        stretch(Direction::Down, &[2, 7, 12]),
        stretch(Direction::Falling, &[0, 6, 12]),
        stretch(Direction::Rising, &[20, 16, 12]),
    ];
    assert_eq!(lines_through(&board, Cell(12), Mark::X), expected);
}

#[test]
fn a_line_is_open_only_with_enough_marks_to_fill_it() {
    let board = board("3x3x3", &[0], &[]);
    assert!(any_line_open(&board, 2, 0));
    assert!(!any_line_open(&board, 1, 2));
    assert!(any_line_open(&board, 0, 3));
}

/// Every position of one board from which the game goes on, by its marks as digits to base 3.
struct Tree {
    lines: Vec<Vec<Cell>>,
    seen: HashMap<u32, bool>,
}

impl Tree {
    fn of(spec: BoardSpec) -> Self {
        let line = |start: Cell, direction: Direction| -> Option<Vec<Cell>> {
            let ((column, row), (right, down)) = (spec.position(start), direction.step());
            (0..i16::from(spec.line()))
                .map(|i| spec.cell_at(i16::from(column) + right * i, i16::from(row) + down * i))
                .collect()
        };
        let starts = spec.all_cells().flat_map(|cell| Direction::ALL.map(|way| (cell, way)));
        let lines = starts.filter_map(|(cell, way)| line(cell, way)).collect();
        Self { lines, seen: HashMap::new() }
    }

    fn won(&self, board: &Board, mark: Mark) -> bool {
        self.lines.iter().any(|line| line.iter().all(|cell| board.get(*cell) == Some(mark)))
    }

    /// Whether some continuation has a winner; `any_line_open` must say the same of each position.
    fn can_be_won(&mut self, board: &mut Board, mark: Mark) -> bool {
        let digit = |cell| match board.get(cell) {
            None => 0,
            Some(Mark::X) => 1,
            Some(Mark::O) => 2,
        };
        let key = board.spec().all_cells().fold(0, |key, cell| key * 3 + digit(cell));
        if let Some(&known) = self.seen.get(&key) {
            return known;
        }
        let empty: Vec<Cell> = board.empty_cells().collect();
        let mut winnable = false;
        for &cell in &empty {
            board.set(cell, Some(mark));
            // Not `||` with the operands turned round: every position is to be visited.
            let here = self.won(board, mark) || self.can_be_won(board, mark.other());
            winnable |= here;
            board.set(cell, None);
        }
        let next = empty.len().div_ceil(2) as u16;
        let after = (empty.len() / 2) as u16;
        let (x, o) = if mark == Mark::X { (next, after) } else { (after, next) };
        assert_eq!(any_line_open(board, x, o), winnable, "{board:?} with {mark} to move");
        self.seen.insert(key, winnable);
        winnable
    }
}

fn check_every_position(spec: &str, positions: usize) {
    let spec: BoardSpec = spec.parse().expect("a board that the test made up");
    let mut tree = Tree::of(spec);
    assert!(tree.can_be_won(&mut Board::empty(spec), Mark::X));
    assert_eq!(tree.seen.len(), positions);
}

#[test]
fn open_lines_are_exact_in_every_position_of_3_by_3() {
    check_every_position("3x3x3", 4_536);
}

#[test]
fn open_lines_are_exact_in_every_position_of_3_by_4() {
    check_every_position("3x4x3", 79_591);
}

#[test]
fn open_lines_are_exact_in_every_position_of_4_in_a_row_on_3_by_4() {
    check_every_position("3x4x4", 140_131);
}
