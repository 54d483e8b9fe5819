//! Pen strokes, a little irregular as a hand draws them: the same strokes from the same seed as on the
//! page (`web/js/room/pen.js`), so that a link's picture shows what the page will show. Pure.

use tiny_skia::PathBuilder;

use noughts_protocol::Mark;

/// The side of the square in which a mark is drawn.
pub(super) const MARK_SIDE: f32 = 24.0;

/// A circle is four cubic curves: the length of a handle, for a radius of 1.
const HANDLE: f64 = 0.5523;

/// The radius of a nought.
const NOUGHT: f64 = 6.5;

/// How far a stroke may bow to a side, as a part of its length; and a grid line, as a part of a cell.
const BOW: f64 = 1.0 / 30.0;
const GRID_BOW: f64 = 0.045;

/// A point, in the unit of the caller.
pub(super) type Point = (f64, f64);

/// The strokes of a mark, in a square of [`MARK_SIDE`].
pub(super) fn mark(path: &mut PathBuilder, mark: Mark, seed: &str) {
    let mut wobble = Wobbler::new(seed);
    if mark == Mark::O {
        return circle(path, &mut wobble);
    }
    for (from, to) in [((6.0, 6.0), (18.0, 18.0)), ((18.0, 5.6), (6.0, 18.2))] {
        let [from, to] = [from, to].map(|(x, y)| (x + wobble.within(1.1), y + wobble.within(1.1)));
        stroke(path, from, to, &mut wobble, BOW);
    }
}

/// A stroke between two points.
pub(super) fn line(path: &mut PathBuilder, from: Point, to: Point, seed: &str) {
    stroke(path, from, to, &mut Wobbler::new(seed), BOW);
}

/// The inner lines of a grid, in cells. They end `inset` before the board's edge.
pub(super) fn grid(path: &mut PathBuilder, (columns, rows): (u8, u8), inset: f64, seed: &str) {
    let mut wobble = Wobbler::new(seed);
    let width = f64::from(columns);
    let height = f64::from(rows);
    let upright = (1..columns).map(|at| (f64::from(at), height, true));
    let lying = (1..rows).map(|at| (f64::from(at), width, false));
    for (at, length, is_upright) in upright.chain(lying) {
        let mut end = |end: f64| {
            let across = at + wobble.within(0.025);
            let along = end + wobble.within(inset / 2.0);
            if is_upright { (across, along) } else { (along, across) }
        };
        let from = end(inset);
        let to = end(length - inset);
        stroke(path, from, to, &mut wobble, GRID_BOW / length);
    }
}

/// A stroke with two bows, each at most `most` of its length.
fn stroke(path: &mut PathBuilder, from: Point, to: Point, wobble: &mut Wobbler, most: f64) {
    let dx = to.0 - from.0;
    let dy = to.1 - from.1;
    let mut at = |part: f64| {
        let bow = wobble.within(most);
        (dy.mul_add(-bow, dx.mul_add(part, from.0)), dx.mul_add(bow, dy.mul_add(part, from.1)))
    };
    let first = at(1.0 / 3.0);
    let second = at(2.0 / 3.0);
    path.move_to(from.0 as f32, from.1 as f32);
    curve(path, first, second, to);
}

/// A circle that begins at the top, goes to the left and ends a little beyond its beginning.
fn circle(path: &mut PathBuilder, wobble: &mut Wobbler) {
    let cx = 12.0 + wobble.within(0.5);
    let cy = 12.0 + wobble.within(0.5);
    let spread = NOUGHT / 13.0;
    let rx = NOUGHT + wobble.within(spread);
    let ry = NOUGHT + 0.2 + wobble.within(spread);
    let (sin, cos) = (wobble.within(0.25) - 0.35).sin_cos();
    let at = |x: f64, y: f64| {
        let px = x * rx;
        let py = y * ry;
        (py.mul_add(-sin, px.mul_add(cos, cx)), py.mul_add(cos, px.mul_add(sin, cy)))
    };
    let h = HANDLE;
    let gap = wobble.within(0.1);
    let from = at(0.12, -1.0 + gap);
    path.move_to(from.0 as f32, from.1 as f32);
    curve(path, at(-h, -1.04), at(-1.0, -h), at(-1.0, 0.0));
    curve(path, at(-1.0, h), at(-h, 1.0), at(0.0, 1.0));
    curve(path, at(h, 1.0), at(1.0, h), at(1.0, 0.0));
    curve(path, at(1.0, -h), at(h, -1.0), at(-0.16, -0.96 - gap));
}

fn curve(path: &mut PathBuilder, first: Point, second: Point, to: Point) {
    let [first, second, to] = [first, second, to].map(|(x, y)| (x as f32, y as f32));
    path.cubic_to(first.0, first.1, second.0, second.1, to.0, to.1);
}

/// Gives the same numbers for the same seed: FNV-1a of the seed, then mulberry32, as on the page.
struct Wobbler(u32);

impl Wobbler {
    fn new(seed: &str) -> Self {
        let hash = |state: u32, letter: char| (state ^ u32::from(letter)).wrapping_mul(16_777_619);
        Self(seed.chars().fold(2_166_136_261, hash))
    }

    /// A number from `-size` to `size`.
    fn within(&mut self, size: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x6d2b_79f5);
        let state = self.0;
        let mut t = (state ^ (state >> 15)).wrapping_mul(state | 1);
        t ^= t.wrapping_add((t ^ (t >> 7)).wrapping_mul(t | 61));
        (f64::from(t ^ (t >> 14)) / f64::from(1_u32 << 31) - 1.0) * size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page's `markStrokes("x", "KQRZX 1 4")` and `markStrokes("o", ...)` give these paths.
    const X: &str = "M6.14 5.57C10.13 9.87 14.69 13.61 18.56 18.02\
                     M18.26 6.27C14.49 10.68 9.93 14.28 5.82 18.35";
    const O: &str = "M11 4.7C6.66 6.02 4.58 9.97 5.53 13.55S10.19 19.25 13.79 18.29\
                     S19.54 13.64 18.59 10.06S13.94 4.36 9.47 6.27";

    /// The points of a path in the form of SVG: those of `S` are the last two of three.
    fn numbers(path: &str) -> Vec<f32> {
        let parts = path.split(|c: char| c.is_ascii_uppercase() || c == ' ');
        parts.filter(|part| !part.is_empty()).map(|part| part.parse().unwrap()).collect()
    }

    #[test]
    fn the_strokes_are_those_of_the_page() {
        for (drawn, expected) in [(Mark::X, X), (Mark::O, O)] {
            let mut path = PathBuilder::new();
            mark(&mut path, drawn, "KQRZX 1 4");
            let mut points = path.finish().unwrap().points().to_vec();
            if drawn == Mark::O {
                // The first handle of a smooth curve is not written.
                for smooth in [10, 7, 4] {
                    points.remove(smooth);
                }
            }
            let expected = numbers(expected);
            assert_eq!(points.len() * 2, expected.len(), "{drawn}");
            for (point, wanted) in points.iter().zip(expected.chunks(2)) {
                let off = (point.x - wanted[0]).abs().max((point.y - wanted[1]).abs());
                assert!(off < 0.006, "{drawn}: {point:?} {wanted:?}");
            }
        }
    }
}
