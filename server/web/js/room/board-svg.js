// The drawings of the board and of buttons: marks, grid lines, star points, winning lines, icons. Screen readers skip
// them; cells and buttons have names.
// @ts-check

import { html } from "../html.js";
import { gridStrokes, lineStroke, markStrokes } from "./pen.js";

/** @typedef {import("../client/protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("../client/protocol.js").Mark} Mark */
/** @typedef {import("./layout.js").Layout} Layout */

/** Boards up to this side have no frame, as on paper. */
export const OPEN_SIDE = 5;

/** Boards up to this side have lines drawn by a pen. Closer lines look better straight. */
const PEN_SIDE = 9;

/** How far a winning line reaches beyond the centres of its end cells, in cells. The wide one has round ends. */
const OVERSHOOT = { over: 0.38, under: 0.18 };

/** The rows and columns of the star points, counted from 0, by the length of a side, as on a go board. */
const STARS = /** @type {Record<number, number[]>} */ ({
  9: [2, 4, 6],
  13: [3, 6, 9],
  15: [3, 7, 11],
  19: [3, 9, 15],
});

/**
 * A mark. The style sheet animates its strokes by `pathLength`.
 * @param {{mark: Mark, seed?: string}} props
 */
export const MarkIcon = ({ mark, seed = mark }) => html`
  <svg viewBox="0 0 24 24" class="mark mark-${mark}" aria-hidden="true">
    ${markStrokes(mark, seed).map((d) => html`<path d=${d} pathLength="1" />`)}
  </svg>
`;

/** The drawing of a button. @param {{d: string}} props */
export const Icon = ({ d }) => html`<svg viewBox="0 0 24 24" class="bar-icon" aria-hidden="true"><path d=${d} /></svg>`;

/**
 * A button with a drawing alone: its name is for a screen reader, and under a pointer.
 * @param {{d: string, name: string, kind?: string, children?: any, [attribute: string]: any}} props
 */
export const IconButton = ({ d, name, kind = "button-bare", children, ...attributes }) => html`<button
  type="button"
  class=${kind}
  aria-label=${name}
  title=${name}
  ...${attributes}
>
  <${Icon} d=${d} />${children}
</button>`;

/**
 * The star points of a board, as cells. A board has them if both of its sides do.
 * @param {BoardSpec} board
 */
export const starPoints = ({ width, height }) =>
  (STARS[height] ?? []).flatMap((row) => (STARS[width] ?? []).map((column) => row * width + column));

/**
 * The grid lines, and the star points on empty cells, in units of a cell.
 * @param {{board: BoardSpec, marks: readonly (Mark | null)[], seed: string}} props
 */
export function GridLines({ board, marks, seed }) {
  const { width, height } = board;
  const open = Math.max(width, height) <= OPEN_SIDE;
  const free = starPoints(board).filter((cell) => !marks[cell]);
  const stars = free.map((cell) => `M${centre(board, cell).x} ${centre(board, cell).y}h0`);
  return html`
    <svg viewBox="0 0 ${width} ${height}" class=${open ? "lines lines-open" : "lines"} aria-hidden="true">
      <path d=${innerLines(board, seed)} vector-effect="non-scaling-stroke" />
      ${stars.length > 0 && html`<path class="stars" d=${stars.join("")} />`}
    </svg>
  `;
}

/** The lines between the cells: a hand draws a few, a ruler many. @param {BoardSpec} board @param {string} seed */
export function innerLines(board, seed) {
  const { width, height } = board;
  const side = Math.max(width, height);
  if (side <= PEN_SIDE) return gridStrokes(board, side <= OPEN_SIDE ? 0.08 : 0, seed);
  let d = "";
  for (let x = 1; x < width; x += 1) d += `M${x} 0V${height}`;
  for (let y = 1; y < height; y += 1) d += `M0 ${y}H${width}`;
  return d;
}

/**
 * The winning lines in the winner's ink: wide and faint under the marks, thin and dark over them.
 * @param {{board: BoardSpec, layout: Layout, position: import("./position.js").Position, layer: "under" | "over"}} props
 */
export const WinningLines = ({ board, layout, position: { lines, winner, seed }, layer }) => html`
  <svg
    viewBox="0 0 ${layout.width} ${layout.height}"
    class="winning winning-${layer} mark-${winner}"
    aria-hidden="true"
  >
    ${lines.map((line) => {
      const d = strokeThrough(board, layout, line, OVERSHOOT[layer], seed);
      return html`<path key=${d} d=${d} pathLength="1" data-kind=${line.kind} />`;
    })}
  </svg>
`;

/**
 * The stroke through a line.
 * @param {BoardSpec} board
 * @param {Layout} layout
 * @param {import("../client/protocol.js").WinningLine} line
 * @param {number} beyond the centres of the end cells
 * @param {string} seed
 */
export function strokeThrough(board, { apart }, line, beyond, seed) {
  if (apart) return apart.stroke(line, beyond, seed);
  const { cells } = line;
  const from = centre(board, cells[0]);
  const to = centre(board, cells[cells.length - 1]);
  const dx = Math.sign(to.x - from.x) * beyond;
  const dy = Math.sign(to.y - from.y) * beyond;
  return lineStroke({ x: from.x - dx, y: from.y - dy }, { x: to.x + dx, y: to.y + dy }, `${seed} ${cells.join()}`);
}

/** @param {BoardSpec} board @param {number} cell */
const centre = ({ width }, cell) => ({ x: (cell % width) + 0.5, y: Math.floor(cell / width) + 0.5 });
