//! Shapes: what a side gets in one direction by a mark on an empty cell, and what the shapes of the four
//! directions are together. Both are looked up in tables that are made once.
//!
//! A shape looks four cells to each side, or five where six in a row do not win. It is defined from
//! the end: a four becomes a five by one more mark, an open four by two different ones, an open three
//! becomes an open four, and so on.

use std::sync::LazyLock;

/// A side's gain in one direction from a mark on a cell, by how much it threatens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Shape {
    /// No five is possible through the cell.
    Nothing,
    /// One mark that can become no open shape.
    One,
    /// One mark that can.
    OpenOne,
    /// Two marks that become a three of one four.
    Two,
    /// Two marks that become an open three on one cell.
    OpenTwo,
    /// On two cells.
    WideTwo,
    /// On three or more.
    WidestTwo,
    /// Three marks that become a four on one cell or two.
    Three,
    /// Three marks that become an open four on one cell.
    NarrowThree,
    /// On two or more.
    OpenThree,
    /// Four marks that become a five on one cell.
    Four,
    /// On two: no single reply stops both.
    OpenFour,
    /// Five marks.
    Five,
}

/// The number of shapes.
pub(super) const SHAPES: usize = Shape::Five as usize + 1;

/// The number of different combinations of four shapes, in any order.
pub(super) const COMBINATIONS: usize = SHAPES * (SHAPES + 1) * (SHAPES + 2) * (SHAPES + 3) / 24;

/// A side's threat by a mark on a cell, by how much its opponent may do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Threat {
    /// Nothing that needs an answer.
    Quiet,
    /// An open three.
    Three,
    /// An open three, and a shape that may become one.
    BetterThree,
    /// Two open threes.
    TwoThrees,
    /// A four.
    Four,
    /// A four, and a shape that may become a threat.
    BetterFour,
    /// A four and an open three.
    FourAndThree,
    /// An open four, or two fours.
    TwoFours,
    /// A five.
    Five,
}

/// The number of threats.
pub(super) const THREATS: usize = Threat::Five as usize + 1;

impl Shape {
    /// All of them, in order.
    const ALL: [Self; SHAPES] = [
        Self::Nothing,
        Self::One,
        Self::OpenOne,
        Self::Two,
        Self::OpenTwo,
        Self::WideTwo,
        Self::WidestTwo,
        Self::Three,
        Self::NarrowThree,
        Self::OpenThree,
        Self::Four,
        Self::OpenFour,
        Self::Five,
    ];

    /// The shapes of the four directions that a code packs.
    pub(super) fn of_code(code: u16) -> [Self; 4] {
        std::array::from_fn(|direction| {
            let nibble = code >> (4 * direction) & 0xf;
            Self::ALL[usize::from(nibble).min(SHAPES - 1)]
        })
    }

    /// The number, below [`COMBINATIONS`], of the four shapes that a code packs: the directions do not count.
    pub(super) fn combination(code: u16) -> usize {
        let mut shapes = Self::of_code(code).map(|shape| shape as usize);
        shapes.sort_unstable();
        // Each choice of shapes below one of them has its number first: the combinatorial number system.
        let [a, b, c, d] = shapes;
        a + b * (b + 1) / 2 + c * (c + 1) * (c + 2) / 6 + d * (d + 1) * (d + 2) * (d + 3) / 24
    }
}

impl Threat {
    /// The threat of four shapes together.
    fn of(shapes: [Shape; 4]) -> Self {
        let count = |is: fn(Shape) -> bool| shapes.iter().filter(|shape| is(**shape)).count();
        let fives = count(|shape| shape == Shape::Five);
        let open_fours = count(|shape| shape == Shape::OpenFour);
        let fours = count(|shape| shape == Shape::Four);
        let threes = count(|shape| matches!(shape, Shape::NarrowThree | Shape::OpenThree));
        let helpers = count(|shape| (Shape::OpenTwo..=Shape::Three).contains(&shape));
        match (fours, threes, helpers) {
            _ if fives > 0 => Self::Five,
            _ if open_fours > 0 || fours > 1 => Self::TwoFours,
            (1, 1.., _) => Self::FourAndThree,
            (1, 0, 1..) => Self::BetterFour,
            (1, 0, 0) => Self::Four,
            (_, 2.., _) => Self::TwoThrees,
            (_, 1, 1..) => Self::BetterThree,
            (_, 1, 0) => Self::Three,
            _ => Self::Quiet,
        }
    }
}

/// The shapes by what lies around a cell.
#[derive(Debug)]
pub(super) struct ShapeTable {
    /// How many cells to each side count.
    pub(super) reach: usize,
    shapes: Vec<u8>,
}

/// Where a longer row wins too.
static FREE: LazyLock<ShapeTable> = LazyLock::new(|| ShapeTable::new(4, false));
/// Where only five win.
static EXACT: LazyLock<ShapeTable> = LazyLock::new(|| ShapeTable::new(5, true));
/// By code.
static THREAT_OF: LazyLock<Box<[u8; 1 << 16]>> = LazyLock::new(|| {
    let mut threats = Box::new([0; 1 << 16]);
    for (code, threat) in (0..=u16::MAX).zip(threats.iter_mut()) {
        *threat = Threat::of(Shape::of_code(code)) as u8;
    }
    threats
});

/// The threats by code. A code packs the shapes of four directions, four bits each.
pub(super) fn threats() -> &'static [u8; 1 << 16] {
    &THREAT_OF
}

impl ShapeTable {
    /// The table of the rules.
    pub(super) fn of(exact: bool) -> &'static Self {
        if exact { &EXACT } else { &FREE }
    }

    fn new(reach: usize, exact: bool) -> Self {
        let around = 2 * reach;
        let mut table = Self { reach, shapes: vec![u8::MAX; 1 << (2 * around)] };
        for own in 0..1_usize << around {
            for other in 0..1_usize << around {
                table.shape(own & !other, other, exact);
                let at = own << around | other;
                table.shapes[at] = table.shapes[(own & !other) << around | other];
            }
        }
        table
    }

    /// The shape of a mark with these own and other cells around it: a bit each, the farthest cell before it
    /// first. A cell beyond the edge is in `other`.
    fn shape(&mut self, own: usize, other: usize, exact: bool) -> Shape {
        let around = 2 * self.reach;
        let at = own << around | other;
        if self.shapes[at] != u8::MAX {
            return Shape::ALL[usize::from(self.shapes[at])];
        }
        let mut counts = [0; SHAPES];
        let free = (0..around).filter(|cell| (own | other) >> cell & 1 == 0);
        let is_five = self.is_five(own, exact);
        if !is_five {
            for cell in free {
                counts[self.shape(own | 1 << cell, other, exact) as usize] += 1;
            }
        }
        let of = |shapes: &[Shape]| shapes.iter().map(|shape| counts[*shape as usize]).sum::<u32>();
        let open_threes = of(&[Shape::NarrowThree, Shape::OpenThree]);
        let shape = match () {
            () if is_five => Shape::Five,
            () if of(&[Shape::Five]) > 1 => Shape::OpenFour,
            () if of(&[Shape::Five]) == 1 => Shape::Four,
            () if of(&[Shape::OpenFour]) > 1 => Shape::OpenThree,
            () if of(&[Shape::OpenFour]) == 1 => Shape::NarrowThree,
            () if of(&[Shape::Four]) > 0 => Shape::Three,
            () if open_threes > 2 => Shape::WidestTwo,
            () if open_threes == 2 => Shape::WideTwo,
            () if open_threes == 1 => Shape::OpenTwo,
            () if of(&[Shape::Three]) > 0 => Shape::Two,
            () if of(&[Shape::OpenTwo, Shape::WideTwo, Shape::WidestTwo]) > 0 => Shape::OpenOne,
            () if of(&[Shape::Two]) > 0 => Shape::One,
            () => Shape::Nothing,
        };
        self.shapes[at] = shape as u8;
        shape
    }

    /// Whether the mark and its own cells around have five in a row through the mark.
    fn is_five(&self, own: usize, exact: bool) -> bool {
        let before = (0..self.reach).rev().take_while(|cell| own >> cell & 1 == 1).count();
        let after = (self.reach..2 * self.reach).take_while(|cell| own >> cell & 1 == 1).count();
        let row = 1 + before + after;
        if exact { row == 5 } else { row >= 5 }
    }

    /// The shape, as a number, of a side's mark on a cell with these marks around it: the sets of the side and
    /// of the other, with the cells beyond the edge in both.
    #[inline(always)]
    pub(super) fn get(&self, own: u16, other: u16) -> u8 {
        self.shapes[usize::from(own) << (2 * self.reach) | usize::from(other)]
    }
}
