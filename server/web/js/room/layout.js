// Where the cells of a board stand in its drawing, in units of a cell. Here is the board that is one rectangle;
// boards and layers that stand apart are in `variants/layouts.js`. Pure.
// @ts-check

/** @typedef {import("./pen.js").Point} Point */

/**
 * @typedef {object} Layout
 * @property {number} width of the drawing
 * @property {number} height
 * @property {number} tap the shorter way through a cell
 * @property {(cell: number) => string} transform of what is drawn in a cell
 * @property {Apart | null} apart null where the board is one rectangle
 */

/**
 * Boards or layers that stand apart.
 *
 * @typedef {object} Apart
 * @property {(cell: number) => string} place the style that puts a cell's button in its place
 * @property {(line: import("../client/protocol.js").WinningLine, beyond: number, seed: string) => string} stroke through a line
 * @property {readonly Panel[]} panels
 * @property {(cell: number) => number} panelOf
 * @property {(panel: Panel) => string} transform of what is drawn on a panel
 * @property {readonly {text: string, at: Point}[]} labels the names of columns and rows
 * @property {readonly [Point, Point][]} pillars the edges of a cube between its layers; none beside one another
 */

/** @typedef {{at: Point, width: number, height: number}} Panel a board or layer with its corner, in cells */

/** @param {import("../client/protocol.js").BoardSpec} board @returns {Layout} */
export const flat = ({ width, height }) => ({
  width,
  height,
  tap: 1,
  transform: (cell) => `translate(${cell % width} ${Math.floor(cell / width)})`,
  apart: null,
});
