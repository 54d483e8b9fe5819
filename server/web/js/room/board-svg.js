// The SVG elements of the board: marks, grid lines, winning lines. Screen readers skip them; the cells
// have names.
// @ts-check

import { svg } from "../dom.js";

/** @typedef {import("../protocol.js").Mark} Mark */
/** @typedef {import("../protocol.js").BoardSpec} BoardSpec */

/** Boards up to this side have no frame, as on paper. */
const OPEN_SIDE = 5;

/** How far a winning line reaches beyond the centres of its end cells, in cells. */
const OVERSHOOT = 0.34;

/** The strokes of the marks, in a square of 24. */
const STROKES = {
  x: ["M6 6 18 18", "M18 6 6 18"],
  o: ["M12 5.5a6.5 6.5 0 1 1-.01 0"],
};

/**
 * A mark. The style sheet animates its strokes by `pathLength`.
 * @param {Mark} mark
 */
export function markIcon(mark) {
  const strokes = STROKES[mark].map((d) => svg("path", { d, pathLength: 1 }));
  const attributes = { viewBox: "0 0 24 24", class: `mark mark-${mark}`, "aria-hidden": "true" };
  return svg("svg", attributes, ...strokes);
}

/**
 * The grid lines, in units of a cell.
 * @param {BoardSpec} board
 */
export function gridLines({ width, height }) {
  const open = Math.max(width, height) <= OPEN_SIDE;
  const d = [];
  for (let x = 1; x < width; x += 1)
    d.push(open ? `M${x} .08V${height - 0.08}` : `M${x} 0V${height}`);
  for (let y = 1; y < height; y += 1)
    d.push(open ? `M.08 ${y}H${width - 0.08}` : `M0 ${y}H${width}`);
  const attributes = {
    viewBox: `0 0 ${width} ${height}`,
    class: open ? "lines lines-open" : "lines",
    "aria-hidden": "true",
  };
  return svg(
    "svg",
    attributes,
    svg("path", { d: d.join(""), "vector-effect": "non-scaling-stroke" }),
  );
}

/**
 * The empty layer for winning lines.
 * @param {BoardSpec} board
 */
export const winningLayer = ({ width, height }) =>
  svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "winning", "aria-hidden": "true" });

/**
 * A winning line from its first cell to its last.
 * @param {BoardSpec} board
 * @param {readonly number[]} cells
 */
export function winningStroke(board, cells) {
  const at = (/** @type {number} */ cell) => ({
    x: (cell % board.width) + 0.5,
    y: Math.floor(cell / board.width) + 0.5,
  });
  const [from, to] = [at(cells[0]), at(cells[cells.length - 1])];
  const [dx, dy] = [Math.sign(to.x - from.x) * OVERSHOOT, Math.sign(to.y - from.y) * OVERSHOOT];
  return svg("line", {
    x1: from.x - dx,
    y1: from.y - dy,
    x2: to.x + dx,
    y2: to.y + dy,
    pathLength: 1,
  });
}
