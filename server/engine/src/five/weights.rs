//! What shapes and threats are worth: the numbers, and the tables by code that are made of them.

use std::sync::LazyLock;

use super::shape::{SHAPES, Shape, THREATS, threats};

/// The tables by code.
#[derive(Debug)]
pub(super) struct Values {
    /// What a shape of an empty place adds to the evaluation: for its side to move, and for the side that waits.
    pub(super) shapes: [[i32; 2]; 16],
    /// What a threat adds.
    pub(super) threats: [[i32; 2]; THREATS],
    /// What a mark promises the side that makes it, and what it takes from the other side.
    pub(super) attack: Vec<i32>,
    pub(super) defence: Vec<i32>,
    /// What the move itself is worth.
    pub(super) to_move: i32,
}

/// Per shape of a place and direction: its value for the side to move, and for the side that waits. 100 is a small
/// advantage.
const SHAPE_VALUES: [[i32; 2]; SHAPES] = [
    [2, 2],
    [-2, -2],
    [-2, -2],
    [3, 3],
    [0, 0],
    [0, 1],
    [14, 9],
    [8, 9],
    [51, 19],
    [41, 8],
    [36, 31],
    [0, 0],
    [0, 0],
];
/// Per threat of a place, as [`SHAPE_VALUES`].
const THREAT_VALUES: [[i32; 2]; THREATS] =
    [[-1, -1], [-11, 8], [72, 21], [164, 11], [8, 8], [62, 48], [290, 84], [600, 250], [0, 0]];
const TO_MOVE: i32 = 4;
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
    let mut shapes = [[0; 2]; 16];
    shapes[..SHAPES].copy_from_slice(&SHAPE_VALUES);
    Values { shapes, threats: THREAT_VALUES, attack: order(0), defence: order(1), to_move: TO_MOVE }
});

impl Values {
    /// What an empty place with these shapes and this threat adds.
    pub(super) fn of(&self, code: u16, threat: u8) -> [i32; 2] {
        let mut sum = self.threats[usize::from(threat) % THREATS];
        for direction in 0..4 {
            let value = self.shapes[usize::from(code >> (4 * direction) & 0xf)];
            sum[0] += value[0];
            sum[1] += value[1];
        }
        sum
    }
}

/// The tables.
pub(super) fn values() -> &'static Values {
    &VALUES
}
