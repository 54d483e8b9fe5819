// Pen strokes: the paths of marks and lines, a little irregular as a hand draws them. The same seed
// gives the same stroke, so everybody in a room sees one drawing. Pure: it knows paths, no elements.
// @ts-check

/** @typedef {import("../protocol.js").Mark} Mark */
/** @typedef {{x: number, y: number}} Point */

/** The side of the square in which a mark is drawn. */
export const MARK_SIDE = 24;

/** The circle of a nought, of four cubic curves: the length of a handle, for a radius of 1. */
const HANDLE = 0.5523;

/** The seed of a mark in a room. @param {string} code @param {number} game @param {number} cell */
export const markSeed = (code, game, cell) => `${code} ${game} ${cell}`;

/**
 * The strokes of a mark, in the order in which a hand draws them.
 * @param {Mark} mark
 * @param {string} seed
 * @returns {string[]} the `d` of paths in a square of `MARK_SIDE`
 */
export function markStrokes(mark, seed) {
  const wobble = wobbler(seed);
  if (mark === "o") return [nought(wobble)];
  const corner = (/** @type {number} */ x, /** @type {number} */ y) => ({ x: x + wobble(1.1), y: y + wobble(1.1) });
  return [stroke(corner(6, 6), corner(18, 18), wobble), stroke(corner(18, 5.6), corner(6, 18.2), wobble)];
}

/**
 * A stroke between two points, in the unit of the points.
 * @param {Point} from
 * @param {Point} to
 * @param {string} seed
 */
export const lineStroke = (from, to, seed) => stroke(from, to, wobbler(seed));

/** @param {Point} from @param {Point} to @param {(size: number) => number} wobble */
function stroke(from, to, wobble) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  // Two bows to different sides, each up to a thirtieth of the length.
  const at = (/** @type {number} */ part) => {
    const bow = wobble(1 / 30);
    return `${round(from.x + dx * part - dy * bow)} ${round(from.y + dy * part + dx * bow)}`;
  };
  return `M${round(from.x)} ${round(from.y)}C${at(1 / 3)} ${at(2 / 3)} ${round(to.x)} ${round(to.y)}`;
}

/** A circle that begins at the top, goes to the left and ends a little beyond its beginning. @param {(size: number) => number} wobble */
function nought(wobble) {
  const [cx, cy] = [12 + wobble(0.5), 12 + wobble(0.5)];
  const [rx, ry] = [6.5 + wobble(0.5), 6.7 + wobble(0.5)];
  const tilt = wobble(0.25) - 0.35;
  const at = (/** @type {number} */ x, /** @type {number} */ y) => {
    const [px, py] = [x * rx, y * ry];
    return `${round(cx + px * Math.cos(tilt) - py * Math.sin(tilt))} ${round(cy + px * Math.sin(tilt) + py * Math.cos(tilt))}`;
  };
  const h = HANDLE;
  const gap = wobble(0.1);
  return (
    `M${at(0.12, -1 + gap)}C${at(-h, -1.04)} ${at(-1, -h)} ${at(-1, 0)}S${at(-h, 1)} ${at(0, 1)}` +
    `S${at(1, h)} ${at(1, 0)}S${at(h, -1)} ${at(-0.16, -0.96 - gap)}`
  );
}

/**
 * A function that gives numbers from `-size` to `size`, the same ones for the same seed.
 * @param {string} seed
 */
function wobbler(seed) {
  // FNV-1a of the seed, then mulberry32: both are short, and 32 bits are enough for a drawing.
  let state = 2166136261;
  for (const letter of seed) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16777619);
  return (/** @type {number} */ size) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1) * size;
  };
}

/** @param {number} value */
const round = (value) => Math.round(value * 100) / 100;
