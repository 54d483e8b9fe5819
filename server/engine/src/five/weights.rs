//! The values of shapes and threats. The benchmark `fit` finds those of the evaluation; those for the order of moves
//! are chosen by hand.

use std::sync::LazyLock;

use super::shape::{COMBINATIONS, SHAPES, Shape, THREATS, threats};

/// The classes of a side's threats if it is to move, and if it waits: see [`super::grid::Grid::threat_class`].
pub(super) const CLASSES: [usize; 2] = [36, 72];
/// The first weight of a pair of classes. Before it, each combination of shapes has two.
pub(super) const PAIRS: usize = 2 * COMBINATIONS;
/// The weights of the static evaluation.
pub const WEIGHTS: usize = PAIRS + CLASSES[0] * CLASSES[1];
/// The weights in their order, two bytes each, the lower one first.
const FITTED: &[u8; 2 * WEIGHTS] = include_bytes!("weights.bin");

/// The tables by code.
#[derive(Debug)]
pub(super) struct Values {
    /// The value of an empty place for the evaluation: by the shapes of the side to move, and by those of the side that
    /// waits. 100 is a small advantage of the side to move.
    pub(super) places: Vec<[i16; 2]>,
    /// The value of the threats of both sides together, by the pair of their classes.
    pub(super) pairs: Vec<i16>,
    /// The worth of a mark for the side that makes it, and the loss of the other side.
    pub(super) attack: Vec<i32>,
    pub(super) defence: Vec<i32>,
}

/// The weight of the shapes of a place: of the side to move, or of the side that waits.
pub(super) fn of_place(code: u16, waits: bool) -> usize {
    2 * Shape::combination(code) + usize::from(waits)
}

/// Per shape: the order of moves that make it, and of those that prevent it.
const SHAPE_ORDER: [[i32; 2]; SHAPES] = [
    [0, 0],
    [1, 1],
    [6, 4],
    [8, 6],
    [18, 14],
    [24, 18],
    [28, 20],
    [26, 14],
    [60, 40],
    [70, 45],
    [80, 42],
    [300, 200],
    [9000, 5000],
];
const THREAT_ORDER: [[i32; 2]; THREATS] =
    [[0, 0], [20, 10], [35, 25], [250, 150], [20, 5], [60, 30], [700, 350], [2000, 1000], [0, 0]];

static VALUES: LazyLock<Values> = LazyLock::new(|| {
    let all = |value: &dyn Fn([Shape; 4], usize) -> i32| -> Vec<i32> {
        (0..=u16::MAX)
            .map(|code| value(Shape::of_code(code), threats()[usize::from(code)].into()))
            .collect()
    };
    let order = |turn: usize| {
        all(&|of_place, threat| {
            let each = of_place.iter().map(|shape| SHAPE_ORDER[*shape as usize][turn]);
            each.sum::<i32>() + THREAT_ORDER[threat][turn]
        })
    };
    let (weights, _) = FITTED.as_chunks::<2>();
    let weight = |index: usize| i16::from_le_bytes(weights[index]);
    let places =
        (0..=u16::MAX).map(|code| [false, true].map(|waits| weight(of_place(code, waits))));
    Values {
        places: places.collect(),
        pairs: (PAIRS..WEIGHTS).map(weight).collect(),
        attack: order(0),
        defence: order(1),
    }
});

impl Values {
    /// Adds what an empty place with these shapes is worth, for its side to move and for the side that waits.
    #[inline(always)]
    pub(super) fn add(&self, totals: &mut [i32; 2], code: u16, times: i32) {
        for (total, value) in totals.iter_mut().zip(self.places[usize::from(code)]) {
            *total += times * i32::from(value);
        }
    }
}

/// The tables.
pub(super) fn values() -> &'static Values {
    &VALUES
}
