// Where the cells stand in the variants whose board is not one rectangle: nine boards with gaps, boards in
// pairs, the layers of a cube beside one another or above one another, as one sees them from the side. Pure.
// @ts-check

import { columnName } from "../rules.js";
import { FIRST_TURN, MOST_TURN, UPRIGHT, beside } from "../room/layout.js";

/** @typedef {import("../room/layout.js").Layout} Layout */
/** @typedef {import("../room/layout.js").Panel} Panel */
/** @typedef {import("../room/pen.js").Point} Point */
/** @typedef {import("../protocol.js").BoardSpec} BoardSpec */
/** @typedef {{cube?: boolean, turn?: number}} View `turn` of the cube, in radians */

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

/**
 * @param {import("../protocol.js").Variant} variant
 * @param {BoardSpec} board
 * @param {View} [view] of a cube
 * @returns {Layout | null} null where the board is one rectangle
 */
export function layoutOf(variant, board, { cube = false, turn = FIRST_TURN } = {}) {
  if (variant === "qubic") return cube ? seen(board, turn) : sheets(board, board.width, 2, WIDE_GAP);
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
 * @returns {Layout}
 */
function sheets(board, side, columns, gap) {
  const { count, place } = panelsOf(board, side);
  const space = gap === WIDE_GAP ? gap + LABEL : gap;
  const panels = Array.from({ length: count }, (_, at) => ({
    at: { x: LABEL + (at % columns) * (side + space), y: LABEL + Math.floor(at / columns) * (side + space) },
    width: side,
    height: side,
  }));
  const [across, down] = [Math.min(count, columns), Math.ceil(count / columns)];
  const { at, panelOf } = within(panels, place, UPRIGHT);
  const heads = (/** @type {number} */ panel) => gap === WIDE_GAP || panel < columns;
  const sides = (/** @type {number} */ panel) => gap === WIDE_GAP || panel % columns === 0;
  return {
    width: LABEL + across * side + (across - 1) * space + GAP,
    height: LABEL + down * side + (down - 1) * space + GAP,
    at,
    axes: UPRIGHT,
    tap: 1,
    panels,
    panelOf,
    labels: labels(board, side, panels, UPRIGHT, heads, sides),
    pillars: [],
  };
}

/**
 * The layers of a cube one above the other. The drawing has one size for every turn, a square.
 * @param {BoardSpec} board
 * @param {number} turn
 * @returns {Layout}
 */
function seen(board, turn) {
  const side = board.width;
  const { count, place } = panelsOf(board, side);
  const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
  /** @type {Layout["axes"]} */
  const axes = [{ x: cos * STRETCH, y: sin * TILT }, { x: -sin * STRETCH, y: cos * TILT }];
  const most = side * TILT * (Math.sin(MOST_TURN) + Math.cos(MOST_TURN));
  const step = most + GAP;
  const size = count * step + LABEL;
  const half = beside(axes, { x: 0, y: 0 }, side / 2, side / 2);
  const panels = Array.from({ length: count }, (_, layer) => ({
    at: { x: size / 2 - half.x, y: LABEL / 2 + (layer + 0.5) * step - half.y },
    width: side,
    height: side,
  }));
  const { at, panelOf } = within(panels, place, axes);
  const corners = [[0, 0], [side, 0], [0, side], [side, side]];
  const corner = (/** @type {Panel} */ panel, /** @type {number[]} */ [x, y]) => beside(axes, panel.at, x, y);
  return {
    width: size,
    height: size,
    at,
    axes,
    tap: TILT,
    panels,
    panelOf,
    labels: labels(board, side, panels, axes, (panel) => panel === 0, () => true),
    pillars: corners.map((one) => [corner(panels[0], one), corner(panels[count - 1], one)]),
  };
}

/**
 * How many panels a board has, and the place of a cell in them.
 * @param {BoardSpec} board
 * @param {number} side
 */
function panelsOf({ width, height }, side) {
  const across = width / side;
  const place = (/** @type {number} */ cell) => {
    const [row, column] = [Math.floor(cell / width), cell % width];
    return { panel: Math.floor(row / side) * across + Math.floor(column / side), right: column % side, down: row % side };
  };
  return { count: across * (height / side), place };
}

/**
 * @param {Panel[]} panels
 * @param {ReturnType<typeof panelsOf>["place"]} place
 * @param {Layout["axes"]} axes
 */
const within = (panels, place, axes) => ({
  at: (/** @type {number} */ cell) => {
    const { panel, right, down } = place(cell);
    return beside(axes, panels[panel].at, right, down);
  },
  panelOf: (/** @type {number} */ cell) => place(cell).panel,
});

/**
 * The letters above some panels and the numbers beside some.
 * @param {BoardSpec} board
 * @param {number} side
 * @param {Panel[]} panels
 * @param {Layout["axes"]} axes
 * @param {(panel: number) => boolean} heads
 * @param {(panel: number) => boolean} sides
 */
function labels({ width }, side, panels, axes, heads, sides) {
  const across = width / side;
  return panels.flatMap(({ at }, panel) => {
    const [column, row] = [(panel % across) * side, Math.floor(panel / across) * side];
    const each = Array.from({ length: side }, (_, one) => one);
    const above = each.map((one) => ({ text: columnName(column + one + 1), at: beside(axes, at, one + 0.5, -0.6 * LABEL) }));
    const left = each.map((one) => ({ text: String(row + one + 1), at: beside(axes, at, -0.6 * LABEL, one + 0.5) }));
    return [...(heads(panel) ? above : []), ...(sides(panel) ? left : [])];
  });
}
