//! Minimax on 3 × 3 by table: the score of every position at every strength, computed once.
//! The numbers are those of a depth-limited minimax with a line count at its depth limit.

use std::sync::OnceLock;

use noughts_protocol::{Cell, Game, Mark, Strength};

/// The eight lines, as bits of cells.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const FULL: u16 = 0o777;
/// How many ways there are to fill nine cells with X, O or nothing.
const CODES: usize = 19_683;

/// For each early-draw rule, and each strength that searches: the score, by [`Bits::code`], of
/// having moved into a position.
static TABLES: [[OnceLock<Box<[i8]>>; 4]; 2] = [const { [const { OnceLock::new() }; 4] }; 2];

/// A position: the cells of whoever moved first, and of the other.
#[derive(Debug, Clone, Copy)]
struct Bits {
    first: u16,
    second: u16,
}

/// What a strength sees.
#[derive(Debug, Clone, Copy)]
struct Sight {
    /// How many moves it looks ahead, the tried one included.
    depth: u8,
    /// A line that is worth less than this at the depth limit is not seen.
    threshold: i8,
}

/// The minimax score of every empty cell, row by row, for the player to move: multiples of 1 in
/// -95 ..= 95. At [`Strength::VeryWeak`], which does not search, every score is 0.
pub(super) fn scores(game: &Game, strength: Strength) -> Vec<(Cell, i32)> {
    let position = Bits::of(game);
    let table = table(strength, game.early_draw());
    let score = |cell: Cell| table.map_or(0, |t| i32::from(t[position.play(cell.0).code()]));
    game.board().empty_cells().map(|cell| (cell, score(cell))).collect()
}

/// The strength's table, computed at its first use (about a millisecond); `None` for the
/// strength that needs none.
fn table(strength: Strength, early_draw: bool) -> Option<&'static [i8]> {
    let (place, sight) = match strength {
        Strength::VeryWeak => return None,
        Strength::Weak => (0, Sight { depth: 2, threshold: 100 }),
        Strength::Average => (1, Sight { depth: 4, threshold: 6 }),
        Strength::Strong => (2, Sight { depth: 6, threshold: 3 }),
        Strength::VeryStrong => (3, Sight { depth: 10, threshold: 0 }),
    };
    let table = &TABLES[usize::from(early_draw)][place];
    Some(table.get_or_init(|| compute(sight, early_draw)))
}

/// Works from the depth limit up, so that each position is looked at once for each depth and not
/// once for each order of moves that leads to it.
fn compute(sight: Sight, early_draw: bool) -> Box<[i8]> {
    let positions: Vec<Bits> = all_positions().collect();
    let mut below = vec![0; CODES].into_boxed_slice();
    for depth in (1..=sight.depth).rev() {
        let mut values = vec![0; CODES].into_boxed_slice();
        for position in &positions {
            values[position.code()] = position.value(depth, sight, early_draw, &below);
        }
        below = values;
    }
    below
}

/// Every position by its number of marks: 6,046, of which 5,478 can come about.
fn all_positions() -> impl Iterator<Item = Bits> {
    (0..=FULL)
        .flat_map(|first| (0..=FULL).map(move |second| Bits { first, second }))
        .filter(|p| p.first & p.second == 0)
        .filter(|p| (0..=1).contains(&(p.first.count_ones() as i32 - p.second.count_ones() as i32)))
}

impl Bits {
    fn of(game: &Game) -> Self {
        let cells = |mark: Mark| {
            game.spec()
                .all_cells()
                .filter(|cell| game.board().get(*cell) == Some(mark))
                .fold(0, |bits, cell| bits | 1 << cell.0)
        };
        Self { first: cells(game.first()), second: cells(game.first().other()) }
    }

    fn code(self) -> usize {
        ternary(self.first) + 2 * ternary(self.second)
    }

    /// Whether whoever moved first is to move.
    const fn first_to_move(self) -> bool {
        self.first.count_ones() == self.second.count_ones()
    }

    const fn play(mut self, cell: u16) -> Self {
        if self.first_to_move() {
            self.first |= 1 << cell;
        } else {
            self.second |= 1 << cell;
        }
        self
    }

    /// What the position at `depth` is worth to the searching player, who moved at depth 1 and
    /// moves at every odd depth; `below` holds the values one deeper.
    fn value(self, depth: u8, sight: Sight, early_draw: bool, below: &[i8]) -> i8 {
        let own_to_move = depth.is_multiple_of(2);
        let (to_move, moved) = if self.first_to_move() {
            (self.first, self.second)
        } else {
            (self.second, self.first)
        };
        let (own, opponent) = if own_to_move { (to_move, moved) } else { (moved, to_move) };
        if has_line(moved) {
            let win = 100 - 5 * depth as i8;
            return if own_to_move { -win } else { win };
        }
        let empty = FULL & !(self.first | self.second);
        if empty == 0 || (early_draw && !can_be_won(to_move, moved, empty)) {
            return 0;
        }
        if depth == sight.depth {
            return worth_of_lines(own, opponent, sight.threshold);
        }
        let replies = bits(empty).map(|cell| below[self.play(cell).code()]);
        let best = if own_to_move { replies.max() } else { replies.min() };
        best.unwrap_or(0)
    }
}

/// The sum over all lines that are worth at least the threshold, either way.
fn worth_of_lines(own: u16, opponent: u16, threshold: i8) -> i8 {
    let worth = LINES.map(|line| {
        match ((own & line).count_ones() as i8, (opponent & line).count_ones() as i8) {
            (own, 0) => 3 * own,
            (0, opponent) => -3 * opponent,
            _ => -1,
        }
    });
    worth.iter().filter(|w| w.abs() >= threshold).sum()
}

fn has_line(cells: u16) -> bool {
    LINES.iter().any(|line| cells & line == *line)
}

/// Whether a line could still be won: the opponent is not in it, and there are moves enough.
fn can_be_won(to_move: u16, moved: u16, empty: u16) -> bool {
    let left = empty.count_ones();
    let open = |own: u16, opponent: u16, moves: u32| {
        LINES.iter().any(|line| opponent & line == 0 && (line & !own).count_ones() <= moves)
    };
    open(to_move, moved, left.div_ceil(2)) || open(moved, to_move, left / 2)
}

/// The cells of a bit set, ascending.
fn bits(mut set: u16) -> impl Iterator<Item = u16> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as u16)?;
        set &= set - 1;
        Some(cell)
    })
}

/// The bits read as digits to the base of three.
fn ternary(set: u16) -> usize {
    static TERNARY: [u16; 512] = ternary_of_all();
    usize::from(TERNARY[usize::from(set)])
}

const fn ternary_of_all() -> [u16; 512] {
    let mut all = [0; 512];
    let mut set = 1;
    while set < 512 {
        let rest = set & (set - 1);
        all[set] = all[rest] + 3_u16.pow(set.trailing_zeros());
        set += 1;
    }
    all
}
