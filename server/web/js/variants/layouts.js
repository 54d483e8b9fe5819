// Where the cells stand in the variants whose board is not one rectangle: nine boards with gaps, boards in
// pairs, the layers of a cube beside one another or above one another, as one sees them from the side. Pure.
// @ts-check

import { columnName } from "../client/rules.js";
import { lineStroke } from "../room/pen.js";

/** @typedef {import("../room/layout.js").Layout} Layout */
/** @typedef {import("../room/layout.js").Panel} Panel */
/** @typedef {import("../room/pen.js").Point} Point */
/** @typedef {import("../client/protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("../client/protocol.js").WinningLine} WinningLine */
/** @typedef {readonly [Point, Point]} Axes the sides of a cell: along its row, and along its column */
/** @typedef {{panel: number, right: number, down: number}} Place a cell's panel, and its column and row there */
/** @typedef {Layout & {apart: import("../room/layout.js").Apart}} Laid */

/** The most that a cube is turned to a side, in radians, and the turn of one that nobody has touched. */
export const MOST_TURN = 0.6;
export const FIRST_TURN = -0.3;

/** The side of a board of several. */
const BOARD_SIDE = 3;

/** The space for the names of rows and columns, and the one between boards and between layers, in cells. */
const LABEL = 0.56;
const GAP = 0.24;
const WIDE_GAP = 0.5;

/** How much shorter an upright length is in the sight of the cube. */
const TILT = 0.55;

/** How much wider the layers of the cube are drawn, so that there is more to tap. */
const STRETCH = 1.35;

/** The sides of a cell that is seen from above. @type {Axes} */
const UPRIGHT = [{ x: 1, y: 0 }, { x: 0, y: 1 }];

/**
 * @param {import("../client/protocol.js").Variant | undefined} variant
 * @param {BoardSpec} board
 * @returns {Laid | null} null where the board is one rectangle
 */
export function layoutOf(variant, board) {
  if (variant === "qubic") return sheets(board, board.width, 2, WIDE_GAP);
  if (variant === "ultimate") return sheets(board, BOARD_SIDE, BOARD_SIDE, GAP);
  if (variant === "notakto" && board.width > BOARD_SIDE) return sheets(board, BOARD_SIDE, 2, WIDE_GAP);
  return null;
}

/**
 * Square panels in rows. Wide gaps have the names of rows and columns.
 * @param {BoardSpec} board
 * @param {number} side of a panel
 * @param {number} columns
 * @param {number} gap
 * @returns {Laid}
 */
function sheets(board, side, columns, gap) {
  const count = (board.width * board.height) / side ** 2;
  const space = gap === WIDE_GAP ? gap + LABEL : gap;
  const corner = (/** @type {number} */ at) => LABEL + at * (side + space);
  const corners = Array.from({ length: count }, (_, at) => ({ x: corner(at % columns), y: corner(Math.floor(at / columns)) }));
  const width = corner(Math.min(count, columns)) - space + GAP;
  const height = corner(Math.ceil(count / columns)) - space + GAP;
  const heads = (/** @type {number} */ panel) => gap === WIDE_GAP || panel < columns;
  const sides = (/** @type {number} */ panel) => gap === WIDE_GAP || panel % columns === 0;
  return laid(board, side, { width, height, axes: UPRIGHT, corners, heads, sides, pillars: [], tap: 1 });
}

/**
 * The layers of a cube one above the other. The drawing has one size for every turn, a square.
 * @param {BoardSpec} board
 * @param {number} turn
 * @returns {Laid}
 */
export function cubeOf(board, turn) {
  const side = board.width;
  const count = board.height / side;
  const sin = Math.sin(turn);
  const cos = Math.cos(turn);
  /** @type {Axes} */
  const axes = [{ x: cos * STRETCH, y: sin * TILT }, { x: -sin * STRETCH, y: cos * TILT }];
  const step = side * TILT * (Math.sin(MOST_TURN) + Math.cos(MOST_TURN)) + GAP;
  const size = count * step + LABEL;
  const half = beside(axes, { x: 0, y: 0 }, side / 2, side / 2);
  const corners = Array.from({ length: count }, (_, layer) => (
    { x: size / 2 - half.x, y: LABEL / 2 + (layer + 0.5) * step - half.y }
  ));
  const edges = [[0, 0], [side, 0], [0, side], [side, side]];
  const pillars = edges.map(([right, down]) => /** @type {[Point, Point]} */ (
    [corners[0], corners[count - 1]].map((corner) => beside(axes, corner, right, down))
  ));
  const heads = (/** @type {number} */ panel) => panel === 0;
  return laid(board, side, { width: size, height: size, axes, corners, heads, sides: () => true, pillars, tap: TILT });
}

/**
 * @typedef {object} Frame
 * @property {number} width
 * @property {number} height
 * @property {Axes} axes
 * @property {Point[]} corners of the panels
 * @property {(panel: number) => boolean} heads whether the columns' names stand above a panel
 * @property {(panel: number) => boolean} sides whether the rows' names stand beside it
 * @property {[Point, Point][]} pillars
 * @property {number} tap
 */

/**
 * @param {BoardSpec} board
 * @param {number} side of a panel
 * @param {Frame} frame
 * @returns {Laid}
 */
function laid(board, side, { width, height, axes, corners, heads, sides, pillars, tap }) {
  const across = board.width / side;
  const placeOf = (/** @type {number} */ cell) => {
    const row = Math.floor(cell / board.width);
    const column = cell % board.width;
    return { panel: Math.floor(row / side) * across + Math.floor(column / side), right: column % side, down: row % side };
  };
  const cornerOf = (/** @type {number} */ cell) => {
    const { panel, right, down } = placeOf(cell);
    return beside(axes, corners[panel], right, down);
  };
  const panels = corners.map((at) => ({ at, width: side, height: side }));
  const middles = (/** @type {WinningLine} */ line) => (line.kind === "boards"
    ? line.boards.map((panel) => beside(axes, corners[panel], side / 2, side / 2))
    : line.cells.map((cell) => beside(axes, cornerOf(cell), 0.5, 0.5)));
  return {
    width,
    height,
    tap,
    transform: (cell) => matrix(axes, cornerOf(cell)),
    apart: {
      place: (cell) => styleOf(axes, cornerOf(cell), width, height),
      stroke: (line, beyond, seed) => through(middles(line), line.kind === "boards" ? beyond * side : beyond, `${seed} ${line.cells.join()}`),
      panels,
      panelOf: (cell) => placeOf(cell).panel,
      transform: ({ at }) => matrix(axes, at),
      labels: panels.flatMap(({ at }, panel) => labels(axes, at, side, (panel % across) * side, Math.floor(panel / across) * side, heads(panel), sides(panel))),
      pillars,
    },
  };
}

/**
 * A point beside a corner.
 * @param {Axes} axes
 * @param {Point} corner
 * @param {number} right cells along the row
 * @param {number} down cells along the column
 * @returns {Point}
 */
function beside([along, across], { x, y }, right, down) {
  return { x: x + right * along.x + down * across.x, y: y + right * along.y + down * across.y };
}

/** @param {Axes} axes @param {Point} corner */
const matrix = ([along, across], { x, y }) => `matrix(${[along.x, along.y, across.x, across.y, x, y].map(round).join(" ")})`;

/** @param {Axes} axes @param {Point} corner @param {number} width @param {number} height */
function styleOf(axes, { x, y }, width, height) {
  const percent = (/** @type {number} */ part, /** @type {number} */ whole) => `${round((100 * part) / whole)}%`;
  const box = `left:${percent(x, width)};top:${percent(y, height)};width:${percent(1, width)};height:${percent(1, height)}`;
  return axes === UPRIGHT ? box : `${box};transform:${matrix(axes, { x: 0, y: 0 }).replaceAll(" ", ",")}`;
}

/**
 * One stroke through points on a line, which reaches beyond its ends; else a way from point to point.
 * @param {Point[]} points
 * @param {number} beyond
 * @param {string} seed
 */
function through(points, beyond, seed) {
  const from = points[0];
  const to = points[points.length - 1];
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const off = (/** @type {Point} */ { x, y }) => Math.abs((x - from.x) * dy - (y - from.y) * dx) / Math.hypot(dx, dy);
  if (points.every((one) => off(one) < 0.1)) {
    const reach = beyond / Math.max(Math.abs(dx), Math.abs(dy));
    const x = dx * reach;
    const y = dy * reach;
    return lineStroke({ x: from.x - x, y: from.y - y }, { x: to.x + x, y: to.y + y }, seed);
  }
  const strokes = points.slice(1).map((next, at) => lineStroke(points[at], next, `${seed} ${at}`));
  return strokes.map((stroke, at) => (at === 0 ? stroke : stroke.slice(stroke.indexOf("C")))).join("");
}

/**
 * The letters above a panel and the numbers beside it.
 * @param {Axes} axes
 * @param {Point} corner
 * @param {number} side
 * @param {number} column the panel's first one
 * @param {number} row
 * @param {boolean} heads
 * @param {boolean} sides
 */
function labels(axes, corner, side, column, row, heads, sides) {
  const each = Array.from({ length: side }, (_, at) => at);
  const above = each.map((at) => ({ text: columnName(column + at + 1), at: beside(axes, corner, at + 0.5, -0.6 * LABEL) }));
  const left = each.map((at) => ({ text: String(row + at + 1), at: beside(axes, corner, -0.6 * LABEL, at + 0.5) }));
  return [...(heads ? above : []), ...(sides ? left : [])];
}

/** @param {number} value */
const round = (value) => Math.round(value * 1000) / 1000;
