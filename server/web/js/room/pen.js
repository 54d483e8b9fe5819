// Pen strokes: the paths of marks and lines, a little irregular as a hand draws them. The same seed
// gives the same stroke, so everybody in a room sees one drawing. Pure: it knows paths, no elements.
// @ts-check

/** @typedef {import("../client/protocol.js").Mark} Mark */
/** @typedef {{x: number, y: number}} Point */

/** The side of the square in which a mark is drawn. */
export const MARK_SIDE = 24;

/** A circle is four cubic curves: the length of a handle, for a radius of 1. */
const HANDLE = 0.5523;

/** The radius of a nought. */
const NOUGHT = 6.5;

/** How far a stroke may bow to a side, as a part of its length. */
const BOW = 1 / 30;

/** How far a grid line may bow, as a part of a cell. */
const GRID_BOW = 0.045;

/** The seed of the strokes of a game. @param {string} code of the room @param {number} game */
export const roomSeed = (code, game) => `${code} ${game}`;

/** The seed of a mark. @param {string} seed of the game @param {number} cell */
export const markSeed = (seed, cell) => `${seed} ${cell}`;

/**
 * The strokes of a mark, in the order in which a hand draws them.
 * @param {Mark} mark
 * @param {string} seed
 * @returns {string[]} the `d` of paths in a square of `MARK_SIDE`
 */
export function markStrokes(mark, seed) {
  const wobble = wobbler(seed);
  if (mark === "o") return [circle(wobble, NOUGHT)];
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

/**
 * The inner lines of a grid, in units of a cell, as one path.
 * @param {{width: number, height: number}} board
 * @param {number} inset how far the lines end before the board's edge
 * @param {string} seed
 */
export function gridStrokes({ width, height }, inset, seed) {
  const wobble = wobbler(seed);
  const line = (/** @type {number} */ at, /** @type {number} */ length, /** @type {boolean} */ upright) => {
    const [from, to] = [inset, length - inset].map((end) => {
      const across = at + wobble(0.025);
      const along = end + wobble(inset / 2);
      return upright ? { x: across, y: along } : { x: along, y: across };
    });
    return stroke(from, to, wobble, GRID_BOW / length);
  };
  const columns = Array.from({ length: width - 1 }, (_, at) => line(at + 1, height, true));
  const rows = Array.from({ length: height - 1 }, (_, at) => line(at + 1, width, false));
  return [...columns, ...rows].join("");
}

/**
 * A stroke with two bows.
 * @param {Point} from
 * @param {Point} to
 * @param {(size: number) => number} wobble
 * @param {number} [most] the widest bow, as a part of the length
 */
function stroke(from, to, wobble, most = BOW) {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const at = (/** @type {number} */ part) => {
    const bow = wobble(most);
    return `${round(from.x + dx * part - dy * bow)} ${round(from.y + dy * part + dx * bow)}`;
  };
  return `M${round(from.x)} ${round(from.y)}C${at(1 / 3)} ${at(2 / 3)} ${round(to.x)} ${round(to.y)}`;
}

/**
 * A circle that begins at the top, goes to the left and ends a little beyond its beginning.
 * @param {(size: number) => number} wobble
 * @param {number} radius
 */
function circle(wobble, radius) {
  const cx = 12 + wobble(0.5);
  const cy = 12 + wobble(0.5);
  const rx = radius + wobble(radius / 13);
  const ry = radius + 0.2 + wobble(radius / 13);
  const tilt = wobble(0.25) - 0.35;
  const at = (/** @type {number} */ x, /** @type {number} */ y) => {
    const px = x * rx;
    const py = y * ry;
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
