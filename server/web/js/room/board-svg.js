// The drawings of the board: marks, grid lines, winning lines. Screen readers skip them; the cells have
// names.
// @ts-check

import { html } from "../html.js";

/** @typedef {import("../protocol.js").BoardSpec} BoardSpec */

/** Boards up to this side have no frame, as on paper. */
const OPEN_SIDE = 5;

/** How far a winning line reaches beyond the centres of its end cells, in cells. */
const OVERSHOOT = 0.34;

/** The strokes of the marks, in a square of 24. The style sheet animates them by `pathLength`. */
const STROKES = {
  x: ["M6 6 18 18", "M18 6 6 18"],
  o: ["M12 5.5a6.5 6.5 0 1 1-.01 0"],
};

/** @param {{mark: import("../protocol.js").Mark}} props */
export const MarkIcon = ({ mark }) => html`
  <svg viewBox="0 0 24 24" class="mark mark-${mark}" aria-hidden="true">
    ${STROKES[mark].map((d) => html`<path d=${d} pathLength="1" />`)}
  </svg>
`;

/** The grid lines, in units of a cell. @param {{board: BoardSpec}} props */
export function GridLines({ board: { width, height } }) {
  const open = Math.max(width, height) <= OPEN_SIDE;
  const [from, inset] = open ? [".08", 0.08] : ["0", 0];
  let d = "";
  for (let x = 1; x < width; x += 1) d += `M${x} ${from}V${height - inset}`;
  for (let y = 1; y < height; y += 1) d += `M${from} ${y}H${width - inset}`;
  return html`
    <svg viewBox="0 0 ${width} ${height}" class=${open ? "lines lines-open" : "lines"} aria-hidden="true">
      <path d=${d} vector-effect="non-scaling-stroke" />
    </svg>
  `;
}

/** @param {{board: BoardSpec, lines: readonly import("../protocol.js").WinningLine[]}} props */
export const WinningLines = ({ board, lines }) => html`
  <svg viewBox="0 0 ${board.width} ${board.height}" class="winning" aria-hidden="true">
    ${lines.map(({ cells }) => html`<line key=${cells.join()} ...${ends(board, cells)} pathLength="1" />`)}
  </svg>
`;

/**
 * The ends of the stroke through a line's cells.
 * @param {BoardSpec} board
 * @param {readonly number[]} cells
 */
function ends({ width }, cells) {
  const at = (/** @type {number} */ cell) => ({ x: (cell % width) + 0.5, y: Math.floor(cell / width) + 0.5 });
  const [from, to] = [at(cells[0]), at(cells[cells.length - 1])];
  const [dx, dy] = [Math.sign(to.x - from.x) * OVERSHOOT, Math.sign(to.y - from.y) * OVERSHOOT];
  return { x1: from.x - dx, y1: from.y - dy, x2: to.x + dx, y2: to.y + dy };
}
