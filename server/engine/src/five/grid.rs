//! A board for five in a row that knows, for each empty cell and both sides, what a mark there would make. A move
//! changes the cells on its four lines alone.

use std::collections::BTreeMap;

use noughts_protocol::{Cell, Game, Variant};

use super::shape::{Shape, ShapeTable, THREATS, Threat, threats};
use super::weights::{CLASSES, PAIRS, Values, of_place, values};
use crate::board::{Side, key_of_mark};

/// A place on the grid: row and column, each from [`EDGE`] on, in one number.
pub(super) type Place = u16;
/// A set of places: a word a row, a bit a column.
pub(super) type Places = [u32; ROWS];

/// Rows and columns beyond the board on each side: as far as a shape looks.
const EDGE: usize = 5;
/// Places in a row of the grid: the largest board has 20 columns.
const STRIDE: usize = 32;
/// Rows of the grid: the largest board has 20.
pub(super) const ROWS: usize = 20 + 2 * EDGE;
/// From a place to the next one in each direction.
pub(super) const STEPS: [usize; 4] = [1, STRIDE, STRIDE + 1, STRIDE - 1];
/// Static evaluations stay within this on both sides of 0: below the score of a win.
const HIGHEST: i32 = 20_000;
/// No place.
pub(super) const NOWHERE: Place = 0;

/// The marks around an empty place, and the shapes that a new mark there makes.
#[derive(Debug, Clone, Copy)]
struct Around {
    /// Per direction and side: its marks within reach, and what is beyond the edge.
    marks: [[u16; 2]; 4],
    /// Per side: the shapes of the four directions.
    codes: [u16; 2],
    /// Per side: what they threaten together.
    threats: [u8; 2],
}

/// The state of a place before a move changed it.
#[derive(Debug, Clone, Copy)]
struct Changed {
    place: Place,
    codes: [u16; 2],
    threats: [u8; 2],
}

/// The state of the board before a move, to take it back.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// How many places had been changed before it.
    changed: usize,
    totals: [[i32; 2]; 2],
}

/// The board.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) width: usize,
    pub(super) height: usize,
    table: &'static ShapeTable,
    values: &'static Values,
    around: Box<[Around; Self::PLACES]>,
    pub(super) empty: Places,
    pub(super) left: usize,
    pub(super) to_move: Side,
    /// Per side and threat: the empty places where a mark makes it.
    sets: [[Places; THREATS]; 2],
    counts: [[u16; THREATS]; 2],
    /// Per side: the value of its shapes if it is to move, and if it waits, beyond that on an empty board.
    totals: [[i32; 2]; 2],
    key: u64,
    /// The moves so far.
    pub(super) line: Vec<Place>,
    /// The places that the moves so far have changed, move after move.
    changed: Vec<Changed>,
    frames: Vec<Frame>,
    threat_of: &'static [u8; 1 << 16],
}

impl Grid {
    /// More than the number of the last place: a power of two.
    pub(super) const PLACES: usize = 1024;

    /// The position of an unfinished game of five in a row. Side 0 is to move.
    pub(super) fn new(game: &Game) -> Self {
        let spec = game.spec();
        let table = ShapeTable::of(game.rules().variant == Variant::Exact);
        let nothing = Around { marks: [[u16::MAX; 2]; 4], codes: [0; 2], threats: [0; 2] };
        let mut grid = Self {
            width: spec.width().into(),
            height: spec.height().into(),
            table,
            values: values(),
            around: Box::new([nothing; Self::PLACES]),
            threat_of: threats(),
            empty: [0; ROWS],
            left: usize::from(spec.cells()),
            to_move: 0,
            sets: [[[0; ROWS]; THREATS]; 2],
            counts: [[0; THREATS]; 2],
            totals: [[0; 2]; 2],
            key: 0,
            line: Vec::new(),
            changed: Vec::new(),
            frames: Vec::new(),
        };
        for row in EDGE..EDGE + grid.height {
            grid.empty[row] = ((1 << grid.width) - 1) << EDGE;
        }
        for at in places(&grid.empty) {
            let marks = STEPS.map(|step| [grid.beyond(at, step); 2]);
            let mut code = 0;
            for (direction, marks) in marks.iter().enumerate() {
                code |= u16::from(table.get(marks[0], marks[1])) << (4 * direction);
            }
            let threat = grid.threat_of[usize::from(code)];
            grid.around[usize::from(at)] = Around { marks, codes: [code; 2], threats: [threat; 2] };
            for side in 0..2 {
                grid.count_at(at.into(), side, threat, 1);
            }
        }
        // The board says which side a mark belongs to: see `Game::standing`.
        for cell in game.moves() {
            grid.to_move = usize::from(game.board().get(*cell) != Some(game.to_move()));
            let at = grid.place_of(*cell);
            grid.put(at);
        }
        grid.to_move = 0;
        grid
    }

    /// The places beyond the edge around `at` in one direction, as a shape sees them.
    fn beyond(&self, at: Place, step: usize) -> u16 {
        let reach = self.table.reach;
        let mut beyond = 0;
        for distance in 1..=reach {
            if !self.is_on_board(usize::from(at) - distance * step) {
                beyond |= 1 << (reach - distance);
            }
            if !self.is_on_board(usize::from(at) + distance * step) {
                beyond |= 1 << (reach + distance - 1);
            }
        }
        beyond
    }

    fn is_on_board(&self, at: usize) -> bool {
        let rows = EDGE..EDGE + self.height;
        let columns = EDGE..EDGE + self.width;
        rows.contains(&(at / STRIDE)) && columns.contains(&(at % STRIDE))
    }

    pub(super) fn place_of(&self, cell: Cell) -> Place {
        let row = usize::from(cell.0) / self.width + EDGE;
        (row * STRIDE + usize::from(cell.0) % self.width + EDGE) as Place
    }

    pub(super) fn cell_of(&self, at: Place) -> Cell {
        let row = usize::from(at) / STRIDE - EDGE;
        Cell((row * self.width + usize::from(at) % STRIDE - EDGE) as u16)
    }

    /// How many places have this threat for a side.
    #[inline(always)]
    pub(super) fn count(&self, side: Side, threat: Threat) -> u16 {
        self.counts[side][threat as usize]
    }

    /// The places that have this threat for a side.
    #[inline(always)]
    pub(super) fn with(&self, side: Side, threat: Threat) -> &Places {
        &self.sets[side][threat as usize]
    }

    /// The first place where a side makes a five; only if there is one.
    pub(super) fn five(&self, side: Side) -> Option<Place> {
        (self.count(side, Threat::Five) > 0)
            .then(|| places(self.with(side, Threat::Five)).next())
            .flatten()
    }

    /// The threat, as a number, that a side makes by a mark on an empty place.
    #[inline(always)]
    pub(super) fn threat(&self, side: Side, at: Place) -> u8 {
        self.around[usize::from(at) % Self::PLACES].threats[side]
    }

    /// The shapes of the four directions that a side makes by a mark on an empty place.
    #[inline(always)]
    pub(super) fn code(&self, side: Side, at: Place) -> u16 {
        self.around[usize::from(at) % Self::PLACES].codes[side]
    }

    /// The key of the position. Those of the two sides to move differ.
    pub(super) const fn key_to_move(&self) -> u64 {
        self.key ^ self.to_move as u64
    }

    /// The static evaluation for the side to move.
    pub(super) fn evaluate(&self) -> i32 {
        let own = self.to_move;
        let threats = i32::from(self.values.pairs[self.pair_of_classes()]);
        let sum = self.totals[own][0] + self.totals[1 - own][1] + threats;
        sum.clamp(-HIGHEST, HIGHEST)
    }

    /// The class of the threats of the side to move, and of the side that waits, as one number.
    fn pair_of_classes(&self) -> usize {
        let own = self.to_move;
        self.threat_class(own, false) * CLASSES[1] + self.threat_class(1 - own, true)
    }

    /// The class of a side's threats: how many fours and threes it can make, and whether there are double ones.
    fn threat_class(&self, side: Side, waits: bool) -> usize {
        use Threat::{BetterFour, BetterThree, Four, FourAndThree, Three, TwoFours, TwoThrees};
        let has = |threat| usize::from(self.count(side, threat) > 0);
        let count = |a, b| usize::from(self.count(side, a) + self.count(side, b));
        let doubles = 2 * has(FourAndThree) + has(TwoThrees);
        let fours = count(Four, BetterFour).min(2);
        // One or two threes, or more.
        let threes = count(Three, BetterThree).div_ceil(2).min(2);
        let class = (doubles * 3 + fours) * 3 + threes;
        // A side that is to move and can make two fours has won.
        if waits { has(TwoFours) * CLASSES[0] + class } else { class }
    }

    /// The weights that the evaluation adds, and how often, before it is bounded. `empty` is the board without marks.
    pub(super) fn features(&self, empty: &Self) -> BTreeMap<usize, i32> {
        let own = self.to_move;
        let mut features = BTreeMap::from([(PAIRS + self.pair_of_classes(), 1)]);
        for (grid, count) in [(self, 1), (empty, -1)] {
            for at in places(&grid.empty) {
                for (side, waits) in [(own, false), (1 - own, true)] {
                    *features.entry(of_place(grid.code(side, at), waits)).or_default() += count;
                }
            }
        }
        features.retain(|_, count| *count != 0);
        features
    }

    /// The value of a mark on an empty place for the side to move. It orders the moves.
    #[inline(always)]
    pub(super) fn promise(&self, at: Place) -> i32 {
        let own = self.to_move;
        let codes = &self.around[usize::from(at) % Self::PLACES].codes;
        self.values.attack[usize::from(codes[own])]
            + self.values.defence[usize::from(codes[1 - own])]
    }

    /// The empty places near marks: at most two away in a row and a column each, or three in a line.
    pub(super) fn near(&self) -> Places {
        let mut near = [0; ROWS];
        let board = ((1_u32 << self.width) - 1) << EDGE;
        for row in EDGE..EDGE + self.height {
            let marks = board & !self.empty[row];
            if marks == 0 {
                continue;
            }
            let beside = marks | marks << 1 | marks >> 1;
            let wide = beside | marks << 2 | marks >> 2;
            let three = marks << 3 | marks >> 3 | marks;
            near[row] |= wide | three;
            for distance in 1..=2 {
                near[row - distance] |= wide;
                near[row + distance] |= wide;
            }
            near[row - 3] |= three;
            near[row + 3] |= three;
        }
        for (near, empty) in near.iter_mut().zip(&self.empty) {
            *near &= empty;
        }
        near
    }

    /// Puts a mark of the side to move on an empty place.
    pub(super) fn put(&mut self, at: Place) {
        let side = self.to_move;
        self.frames.push(Frame { changed: self.changed.len(), totals: self.totals });
        self.line.push(at);
        self.key ^= key_of_mark(at, side);
        self.left -= 1;
        self.to_move = 1 - side;
        self.empty[usize::from(at) / STRIDE] &= !(1 << (usize::from(at) % STRIDE));
        self.leave(at);
        let reach = self.table.reach;
        for (direction, step) in STEPS.into_iter().enumerate() {
            for distance in 1..=reach {
                let before = usize::from(at) - distance * step;
                self.mark_seen(before, direction, side, 1 << (reach + distance - 1));
                let after = usize::from(at) + distance * step;
                self.mark_seen(after, direction, side, 1 << (reach - distance));
            }
        }
    }

    /// A place sees a new mark of a side in one direction.
    #[inline(always)]
    fn mark_seen(&mut self, place: usize, direction: usize, side: Side, bit: u16) {
        let around = &mut self.around[place % Self::PLACES];
        around.marks[direction][side] ^= bit;
        if self.empty[place / STRIDE] >> (place % STRIDE) & 1 == 0 {
            return;
        }
        let marks = around.marks[direction];
        let before = *around;
        let shift = 4 * direction;
        let shapes = [self.table.get(marks[0], marks[1]), self.table.get(marks[1], marks[0])];
        let mut is_changed = false;
        for (side, shape) in shapes.into_iter().enumerate() {
            let old = before.codes[side] >> shift & 0xf;
            if old == u16::from(shape) {
                continue;
            }
            is_changed = true;
            let code = before.codes[side] ^ (old ^ u16::from(shape)) << shift;
            around.codes[side] = code;
            self.values.add(&mut self.totals[side], before.codes[side], -1);
            self.values.add(&mut self.totals[side], code, 1);
            let threat = self.threat_of[usize::from(code)];
            let old = before.threats[side];
            if threat != old {
                around.threats[side] = threat;
                let old = usize::from(old) % THREATS;
                let threat = usize::from(threat) % THREATS;
                let bit = 1 << (place % STRIDE);
                self.counts[side][old] -= 1;
                self.counts[side][threat] += 1;
                self.sets[side][old][place / STRIDE] ^= bit;
                self.sets[side][threat][place / STRIDE] ^= bit;
            }
        }
        if is_changed {
            self.changed.push(Changed {
                place: place as Place,
                codes: before.codes,
                threats: before.threats,
            });
        }
    }

    /// An empty place counts no more.
    fn leave(&mut self, at: Place) {
        let around = self.around[usize::from(at) % Self::PLACES];
        for side in 0..2 {
            self.values.add(&mut self.totals[side], around.codes[side], -1);
            self.count_at(usize::from(at), side, around.threats[side], u16::MAX);
        }
    }

    #[inline(always)]
    fn count_at(&mut self, place: usize, side: Side, threat: u8, by: u16) {
        let threat = usize::from(threat) % THREATS;
        self.counts[side][threat] = self.counts[side][threat].wrapping_add(by);
        self.sets[side][threat][place / STRIDE] ^= 1 << (place % STRIDE);
    }

    /// Takes back the last mark.
    pub(super) fn take_back(&mut self) {
        let (Some(at), Some(frame)) = (self.line.pop(), self.frames.pop()) else { return };
        let side = 1 - self.to_move;
        for number in (frame.changed..self.changed.len()).rev() {
            let Changed { place, codes, threats } = self.changed[number];
            let around = &mut self.around[usize::from(place) % Self::PLACES];
            around.codes = codes;
            let now = std::mem::replace(&mut around.threats, threats);
            for side in 0..2 {
                if now[side] != threats[side] {
                    self.count_at(place.into(), side, now[side], u16::MAX);
                    self.count_at(place.into(), side, threats[side], 1);
                }
            }
        }
        self.changed.truncate(frame.changed);
        let reach = self.table.reach;
        for (direction, step) in STEPS.into_iter().enumerate() {
            for distance in 1..=reach {
                let before = usize::from(at) - distance * step;
                self.around[before % Self::PLACES].marks[direction][side] ^=
                    1 << (reach + distance - 1);
                let after = usize::from(at) + distance * step;
                self.around[after % Self::PLACES].marks[direction][side] ^= 1 << (reach - distance);
            }
        }
        let threats = self.around[usize::from(at) % Self::PLACES].threats;
        self.count_at(at.into(), 0, threats[0], 1);
        self.count_at(at.into(), 1, threats[1], 1);
        self.totals = frame.totals;
        self.empty[usize::from(at) / STRIDE] |= 1 << (usize::from(at) % STRIDE);
        self.to_move = side;
        self.left += 1;
        self.key ^= key_of_mark(at, side);
    }

    /// The other side is to move: passes, or takes a pass back.
    pub(super) fn pass(&mut self) {
        self.to_move = 1 - self.to_move;
    }
}

/// The places of a set, row by row.
pub(super) fn places(set: &Places) -> impl Iterator<Item = Place> + use<> {
    let set = *set;
    (0..ROWS).flat_map(move |row| {
        let mut left = set[row];
        std::iter::from_fn(move || {
            let column = (left != 0).then(|| left.trailing_zeros())?;
            left &= left - 1;
            Some((row * STRIDE) as Place + column as Place)
        })
    })
}

/// Adds the places of a set to another one.
pub(super) fn join(set: &mut Places, other: &Places) {
    for (row, other) in set.iter_mut().zip(other) {
        *row |= other;
    }
}

/// The places that may answer a threat of two fours: those on the lines of all of them, and fours.
/// No other reply changes anything.
pub(super) fn answers(grid: &Grid) -> Places {
    let side = grid.to_move;
    let mut common: Option<Places> = None;
    for place in places(grid.with(1 - side, Threat::TwoFours)) {
        let mut near = Places::default();
        near[usize::from(place) / STRIDE] |= 1 << (usize::from(place) % STRIDE);
        let shapes = Shape::of_code(grid.code(1 - side, place));
        for (step, _) in STEPS.into_iter().zip(shapes).filter(|(_, shape)| *shape >= Shape::Four) {
            for distance in 1..=grid.table.reach {
                for at in
                    [usize::from(place) - distance * step, usize::from(place) + distance * step]
                {
                    near[at / STRIDE] |= 1 << (at % STRIDE);
                }
            }
        }
        match &mut common {
            None => common = Some(near),
            Some(common) => common.iter_mut().zip(&near).for_each(|(all, near)| *all &= near),
        }
    }
    let mut set = common.unwrap_or_default();
    for threat in [Threat::Four, Threat::BetterFour, Threat::FourAndThree] {
        join(&mut set, grid.with(side, threat));
    }
    set.iter_mut().zip(&grid.empty).for_each(|(row, empty)| *row &= empty);
    set
}

/// Adds a place to a set.
pub(super) fn insert(set: &mut Places, at: Place) {
    set[usize::from(at) / STRIDE] |= 1 << (usize::from(at) % STRIDE);
}

/// Whether a place is in a set.
pub(super) fn contains(set: &Places, at: Place) -> bool {
    set[usize::from(at) / STRIDE] >> (usize::from(at) % STRIDE) & 1 == 1
}
