// Tally marks: a number of one to five as pen strokes, the fifth through the other four. Pure.
// @ts-check

import { lineStroke } from "../room/pen.js";

/** The distance of two strokes, and the height of the drawing. */
const STEP = 8;
const HEIGHT = 24;

/** The middle of the drawing. */
const MIDDLE = 24;

/**
 * @param {number} count 1 to 5
 * @returns {string} the `d` of a path in a rectangle of 48 by 24
 */
export function tally(count) {
  const upright = Math.min(count, 4);
  const first = MIDDLE - ((upright - 1) * STEP) / 2;
  const strokes = Array.from({ length: upright }, (_, at) => {
    const x = first + at * STEP;
    return lineStroke({ x: x + 1, y: 4 }, { x: x - 1, y: HEIGHT - 4 }, `tally ${count} ${at}`);
  });
  const through = lineStroke({ x: first - 7, y: HEIGHT - 7 }, { x: first + 3 * STEP + 7, y: 7 }, "tally");
  return [...strokes, ...(count === 5 ? [through] : [])].join("");
}
