//! Minimax on 3 × 3 by table: the score of every position at every strength, which the compiler
//! works out. The scores are those of a depth-limited minimax that counts lines at its depth limit.

use noughts_protocol::{Cell, Game, Mark, Strength};

/// The eight lines, as bits of cells.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const FULL: u16 = 0o777;
/// The ways to fill nine cells with X, O or nothing.
const CODES: usize = 19_683;
/// The positions in which the first player has as many marks as the second or one more. 5,478 of
/// them occur in games.
static POSITIONS: [PositionInfo; 6_046] = all_positions();
/// Per set of cells: its bits, read as digits to base three.
static TERNARY: [u16; 512] = ternary_of_all();

/// Per early-draw rule and strength that searches: the score of having moved into a position, by
/// [`Bitboards::code`].
static TABLES: [[&Scores; 4]; 2] = [
    [
        &ScoreTable::<2, 100, false>::SCORES,
        &ScoreTable::<4, 6, false>::SCORES,
        &ScoreTable::<6, 3, false>::SCORES,
        &ScoreTable::<10, 0, false>::SCORES,
    ],
    [
        &ScoreTable::<2, 100, true>::SCORES,
        &ScoreTable::<4, 6, true>::SCORES,
        &ScoreTable::<6, 3, true>::SCORES,
        &ScoreTable::<10, 0, true>::SCORES,
    ],
];

type Scores = [i8; CODES];

/// The scores of a strength: how many moves it looks ahead, the scored one included, and the least
/// value of a line that it sees at the depth limit. Each table is a constant of its own, because
/// the compiler bounds the work for one constant.
struct ScoreTable<const DEPTH: u8, const THRESHOLD: i8, const EARLY_DRAW: bool>;

/// A position: the cells of the first player, and of the second.
#[derive(Debug, Clone, Copy)]
struct Bitboards {
    first: u16,
    second: u16,
}

/// The properties of a position that every table uses.
#[derive(Debug, Clone, Copy)]
struct PositionInfo {
    code: usize,
    marks: u8,
    /// The cells of the player to move.
    to_move: u16,
    /// The cells of the player who moved last.
    moved: u16,
    empty: u16,
    /// The digit of the next mark in the code: 1 for the first player, 2 for the second.
    digit: usize,
    /// Whether the last move completed a line.
    won: bool,
    /// Whether a player can still complete a line.
    can_be_won: bool,
}

/// The minimax score of every empty cell, row by row, for the player to move: multiples of 1 in
/// -95 ..= 95. At [`Strength::VeryWeak`], which does not search, every score is 0.
pub(super) fn scores(game: &Game, strength: Strength) -> Vec<(Cell, i32)> {
    let position = Bitboards::of(game);
    let table = table(strength, game.rules().early_draw);
    let score = |cell: Cell| table.map_or(0, |t| i32::from(t[position.play(cell.0).code()]));
    game.board().empty_cells().map(|cell| (cell, score(cell))).collect()
}

/// The strength's table; `None` for the strength that needs none.
fn table(strength: Strength, early_draw: bool) -> Option<&'static Scores> {
    let place = match strength {
        Strength::VeryWeak | Strength::Level2 => return None,
        Strength::Weak | Strength::Level4 => 0,
        Strength::Average | Strength::Level6 => 1,
        Strength::Strong | Strength::Level8 => 2,
        Strength::VeryStrong => 3,
    };
    Some(TABLES[usize::from(early_draw)][place])
}

impl<const DEPTH: u8, const THRESHOLD: i8, const EARLY_DRAW: bool>
    ScoreTable<DEPTH, THRESHOLD, EARLY_DRAW>
{
    /// Worked out from the depth limit up: each position once for each depth, and not once for each
    /// order of moves that leads to it.
    const SCORES: Scores = {
        let mut below = [0; CODES];
        let mut depth = DEPTH;
        while depth > 0 {
            let mut values = [0; CODES];
            let mut at = 0;
            while at < POSITIONS.len() {
                let position = &POSITIONS[at];
                at += 1;
                // At a depth there are at least as many marks.
                if position.marks >= depth {
                    values[position.code] = Self::value(position, depth, &below);
                }
            }
            below = values;
            depth -= 1;
        }
        below
    };

    /// The value of a position at `depth` for the searching player, who moves at every odd depth;
    /// `below` holds the values one deeper.
    const fn value(position: &PositionInfo, depth: u8, below: &Scores) -> i8 {
        let own_to_move = depth.is_multiple_of(2);
        if position.won {
            let win = 100 - 5 * depth as i8;
            return if own_to_move { -win } else { win };
        }
        if position.empty == 0 || (EARLY_DRAW && !position.can_be_won) {
            return 0;
        }
        if depth == DEPTH {
            let to_move = position.to_move;
            let moved = position.moved;
            let (own, opponent) = if own_to_move { (to_move, moved) } else { (moved, to_move) };
            return value_of_lines(own, opponent, THRESHOLD);
        }
        let mut best = if own_to_move { i8::MIN } else { i8::MAX };
        let mut empty = position.empty;
        while empty != 0 {
            let others = empty & (empty - 1);
            let reply = position.digit * TERNARY[(empty ^ others) as usize] as usize;
            let value = below[position.code + reply];
            if (value > best) == own_to_move {
                best = value;
            }
            empty = others;
        }
        best
    }
}

impl Bitboards {
    fn of(game: &Game) -> Self {
        let cells = |mark: Mark| {
            game.spec()
                .all_cells()
                .filter(|cell| game.board().get(*cell) == Some(mark))
                .fold(0, |bits, cell| bits | 1 << cell.0)
        };
        Self { first: cells(game.first()), second: cells(game.first().other()) }
    }

    const fn code(self) -> usize {
        TERNARY[self.first as usize] as usize + 2 * TERNARY[self.second as usize] as usize
    }

    /// Whether the first player is to move.
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

    const fn info(self) -> PositionInfo {
        let (to_move, moved, digit) = if self.first_to_move() {
            (self.first, self.second, 1)
        } else {
            (self.second, self.first, 2)
        };
        let empty = FULL & !(to_move | moved);
        let left = empty.count_ones();
        let can_be_won = open(to_move, moved, left.div_ceil(2)) || open(moved, to_move, left / 2);
        let code = self.code();
        let marks = 9 - left as u8;
        PositionInfo { code, marks, to_move, moved, empty, digit, won: has_line(moved), can_be_won }
    }
}

const fn all_positions() -> [PositionInfo; 6_046] {
    let mut all = [Bitboards { first: 0, second: 0 }.info(); 6_046];
    let mut count = 0;
    let mut first = 0;
    while first <= FULL {
        // Every subset of the other cells, the empty one last.
        let mut second = FULL & !first;
        loop {
            if first.count_ones().wrapping_sub(second.count_ones()) <= 1 {
                all[count] = Bitboards { first, second }.info();
                count += 1;
            }
            if second == 0 {
                break;
            }
            second = (second - 1) & !first;
        }
        first += 1;
    }
    all
}

/// The sum over all lines whose value is at least the threshold, for one player or the other.
const fn value_of_lines(own: u16, opponent: u16, threshold: i8) -> i8 {
    let mut sum = 0;
    let mut at = 0;
    while at < LINES.len() {
        let own = own & LINES[at];
        let opponent = opponent & LINES[at];
        let value = match (own.count_ones() as i8, opponent.count_ones() as i8) {
            (own, 0) => 3 * own,
            (0, opponent) => -3 * opponent,
            _ => -1,
        };
        if value.abs() >= threshold {
            sum += value;
        }
        at += 1;
    }
    sum
}

const fn has_line(cells: u16) -> bool {
    let mut at = 0;
    while at < LINES.len() && cells & LINES[at] != LINES[at] {
        at += 1;
    }
    at < LINES.len()
}

/// Whether a line without a mark of the opponent lacks at most `moves` marks.
const fn open(own: u16, opponent: u16, moves: u32) -> bool {
    let mut at = 0;
    while at < LINES.len() {
        if opponent & LINES[at] == 0 && (LINES[at] & !own).count_ones() <= moves {
            return true;
        }
        at += 1;
    }
    false
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

#[cfg(test)]
pub(super) mod tests;
