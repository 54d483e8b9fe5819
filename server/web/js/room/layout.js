// Where the cells of a board stand in its drawing, in units of a cell. A board is a rectangle; the boards and
// layers of some variants stand apart, and a cube is seen from the side (`variants/layouts.js`). Pure.
// @ts-check

/** @typedef {import("../protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("./pen.js").Point} Point */

/**
 * A board or layer of its own.
 *
 * @typedef {object} Panel
 * @property {Point} at its corner
 * @property {number} width in cells
 * @property {number} height
 */

/**
 * @typedef {object} Layout
 * @property {number} width of the drawing
 * @property {number} height
 * @property {(cell: number) => Point} at the corner of a cell
 * @property {readonly [Point, Point]} axes the sides of a cell: along its row, and along its column
 * @property {number} tap the shorter way through a cell
 * @property {readonly Panel[] | null} panels null where the board is one rectangle
 * @property {(cell: number) => number} panelOf
 * @property {readonly {text: string, at: Point}[]} labels the names of columns and rows
 * @property {readonly [Point, Point][]} pillars the edges of a cube between its layers
 */

/** The most that a cube is turned to a side, in radians, and the turn of one that nobody has touched. */
export const MOST_TURN = 0.6;
export const FIRST_TURN = -0.3;

/** The sides of a cell that is seen from above. @type {Layout["axes"]} */
export const UPRIGHT = [{ x: 1, y: 0 }, { x: 0, y: 1 }];

/**
 * The board as the rectangle that it is.
 * @param {BoardSpec} board
 * @returns {Layout}
 */
export const flat = ({ width, height }) => ({
  width,
  height,
  at: (cell) => ({ x: cell % width, y: Math.floor(cell / width) }),
  axes: UPRIGHT,
  tap: 1,
  panels: null,
  panelOf: () => 0,
  labels: [],
  pillars: [],
});

/**
 * A point beside a corner.
 * @param {Layout["axes"]} axes
 * @param {Point} corner
 * @param {number} right cells along the row
 * @param {number} down cells along the column
 * @returns {Point}
 */
export function beside([along, across], { x, y }, right, down) {
  return { x: x + right * along.x + down * across.x, y: y + right * along.y + down * across.y };
}

/** @param {Layout} layout @param {number} cell @returns {Point} the middle of a cell */
export const middleOf = (layout, cell) => beside(layout.axes, layout.at(cell), 0.5, 0.5);

/** The transform of what is drawn from a corner on, in cells. @param {Layout} layout @param {Point} corner */
export const transformOf = ({ axes: [along, across] }, { x, y }) =>
  `matrix(${[along.x, along.y, across.x, across.y, x, y].map(round).join(" ")})`;

/**
 * The style that puts a cell's button in its place; null where the rows of the grid do.
 * @param {Layout} layout
 * @param {number} cell
 */
export function styleOf(layout, cell) {
  if (!layout.panels) return null;
  const { width, height, axes: [along, across] } = layout;
  const { x, y } = layout.at(cell);
  const percent = (/** @type {number} */ part, /** @type {number} */ whole) => `${round((100 * part) / whole)}%`;
  const box = `left:${percent(x, width)};top:${percent(y, height)};width:${percent(1, width)};height:${percent(1, height)}`;
  const turned = layout.axes === UPRIGHT ? "" : `;transform:matrix(${[along.x, along.y, across.x, across.y].map(round).join()},0,0)`;
  return box + turned;
}

/**
 * The points of the stroke through a line: two where it is straight, reaching beyond its ends, else all.
 * @param {Layout} layout
 * @param {import("../protocol.js").WinningLine} line
 * @param {number} beyond the middles of the end cells
 * @returns {Point[]}
 */
export function pointsOf(layout, line, beyond) {
  const { panels } = layout;
  const middles = line.kind === "boards" && panels
    ? line.boards.map((board) => beside(layout.axes, panels[board].at, panels[board].width / 2, panels[board].height / 2))
    : line.cells.map((cell) => middleOf(layout, cell));
  const [from, to] = [middles[0], middles[middles.length - 1]];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const off = (/** @type {Point} */ { x, y }) => Math.abs((x - from.x) * dy - (y - from.y) * dx) / Math.hypot(dx, dy);
  if (middles.some((one) => off(one) > 0.1)) return middles;
  const reach = (beyond * (line.kind === "boards" ? 3 : 1)) / Math.max(Math.abs(dx), Math.abs(dy));
  return [
    { x: from.x - dx * reach, y: from.y - dy * reach },
    { x: to.x + dx * reach, y: to.y + dy * reach },
  ];
}

/** @param {number} value */
const round = (value) => Math.round(value * 1000) / 1000;
