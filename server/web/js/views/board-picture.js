// A small picture of a board: its grid, and a line of marks as long as the one that wins. Pure but for
// the element.
// @ts-check

import { html } from "../html.js";

/** @typedef {import("../client/protocol.js").BoardSpec} BoardSpec */

/** The longer side of a picture, in the unit of its paths. */
export const PICTURE_SIDE = 48;

/** The part of a cell's side that a mark takes. */
const MARK_PART = 0.62;

/**
 * The cells of the shown line, as columns and rows: the middle of the diagonal, or of a row or column
 * where the line is longer than the shorter side.
 *
 * @param {BoardSpec} board
 * @returns {{column: number, row: number}[]}
 */
export function shownLine({ width, height, line }) {
  const middle = (/** @type {number} */ side) => Math.floor((side - line) / 2);
  const fits = (/** @type {number} */ side) => line <= side;
  const [column, row] = [width, height].map((side) => (fits(side) ? middle(side) : Math.floor(side / 2)));
  return Array.from({ length: line }, (_, at) => ({
    column: fits(width) ? column + at : column,
    row: fits(height) ? row + at : row,
  }));
}

/**
 * The path of the grid's inner lines and the path of the marks.
 *
 * @param {BoardSpec} board
 */
export function pictureOf(board) {
  const { width, height } = board;
  const cell = PICTURE_SIDE / Math.max(width, height);
  const right = round(width * cell);
  const bottom = round(height * cell);
  const inner = (/** @type {number} */ count) => Array.from({ length: count - 1 }, (_, at) => round((at + 1) * cell));
  const grid = [...inner(width).map((x) => `M${x} 0V${bottom}`), ...inner(height).map((y) => `M0 ${y}H${right}`)];
  const reach = round(cell * MARK_PART);
  const marks = shownLine(board).map(({ column, row }) => {
    const [x, y] = [column, row].map((at) => round((at + (1 - MARK_PART) / 2) * cell));
    return `M${x} ${y}l${reach} ${reach}m${-reach} 0l${reach} ${-reach}`;
  });
  // A fine pen for a fine grid.
  return { right, bottom, grid: grid.join(""), marks: marks.join(""), pen: round(Math.min(1, cell / 8)) };
}

/** @param {{board: BoardSpec}} props */
export function BoardPicture({ board }) {
  const { right, bottom, grid, marks, pen } = pictureOf(board);
  return html`<svg class="board-picture" viewBox="-1 -1 ${right + 2} ${bottom + 2}" aria-hidden="true">
    <path class=${`board-picture-grid${pen < 0.5 ? " board-picture-fine" : ""}`} stroke-width=${pen} d=${grid} />
    <path class="board-picture-line" stroke-width=${Math.max(pen * 2, 1)} d=${marks} />
  </svg>`;
}

/** @param {number} value */
const round = (value) => Math.round(value * 100) / 100;
