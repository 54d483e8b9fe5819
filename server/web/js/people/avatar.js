// The avatar of a player, drawn from the id: the same for everybody, on the page and in the terminal. Five
// rows of five cells, of which the right half mirrors the left one. Two bits of the id are a cell: nothing,
// a stroke to one side, to the other side, or a ring; in the middle column the strokes stand and lie.
// @ts-check

import { html } from "../html.js";
import { lineStroke } from "../room/pen.js";

/** @typedef {" " | "/" | "\\" | "|" | "-" | "o"} Sign */

/** The cells of a row; the left half and the middle come from the id. */
const [SIDE, HALF] = [5, 3];

/** The side of a cell in the drawing. */
const CELL = 8;

/** The signs of two bits. @type {readonly Sign[]} */
const SIGNS = [" ", "/", "\\", "o"];

/** The signs of the middle column. @type {Partial<Record<Sign, Sign>>} */
const MIDDLE = { "/": "|", "\\": "-" };

/** The signs of the right half. @type {Partial<Record<Sign, Sign>>} */
const MIRRORED = { "/": "\\", "\\": "/" };

/** The ends of the strokes, as parts of a cell. @type {Partial<Record<Sign, number[]>>} */
const ENDS = {
  "/": [0.85, 0.15, 0.15, 0.85],
  "\\": [0.15, 0.15, 0.85, 0.85],
  "|": [0.5, 0.05, 0.5, 0.95],
  "-": [0.05, 0.5, 0.95, 0.5],
};

/**
 * The signs of an avatar, row by row.
 *
 * @param {string} player the id, 16 hexadecimal digits
 * @returns {Sign[][]}
 */
export function avatarSigns(player) {
  const bits = Number.parseInt(player.slice(-8), 16);
  const sign = (/** @type {number} */ row, /** @type {number} */ column) => {
    const mirrored = column >= HALF;
    const at = row * HALF + (mirrored ? SIDE - 1 - column : column);
    const drawn = SIGNS[(bits >>> (2 * at)) & 3];
    if (column === HALF - 1) return MIDDLE[drawn] ?? drawn;
    return (mirrored && MIRRORED[drawn]) || drawn;
  };
  return Array.from({ length: SIDE }, (_, row) => Array.from({ length: SIDE }, (_, column) => sign(row, column)));
}

/** The drawing: strokes in the ink of X, rings in the ink of O. Screen readers skip it. @param {{player: string}} props */
export function Avatar({ player }) {
  const [strokes, rings] = [[""], [""]];
  avatarSigns(player).forEach((row, y) => row.forEach((sign, x) => {
    const ends = ENDS[sign];
    const at = (/** @type {number} */ part, /** @type {number} */ from) => (from + part) * CELL;
    if (sign === "o") rings.push(`M${at(0.5, x)} ${at(0.2, y)}a2.4 2.4 0 1 0 .01 0`);
    if (!ends) return;
    const [from, to] = [{ x: at(ends[0], x), y: at(ends[1], y) }, { x: at(ends[2], x), y: at(ends[3], y) }];
    strokes.push(lineStroke(from, to, `${player} ${x} ${y}`));
  }));
  const side = SIDE * CELL;
  return html`<svg class="avatar" viewBox="0 0 ${side} ${side}" aria-hidden="true">
    <path class="mark-x" d=${strokes.join("")} /><path class="mark-o" d=${rings.join("")} />
  </svg>`;
}
