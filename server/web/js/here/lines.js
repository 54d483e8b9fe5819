// The lines through a cell, for a position that no server told: of the game on this device, and of a puzzle. Pure.
// @ts-check

/** @typedef {import("../client/protocol.js").BoardSpec} BoardSpec */

/** The four directions of a line, in columns and rows, and what the protocol calls them. */
const DIRECTIONS = /** @type {const} */ ([[1, 0, "row"], [0, 1, "column"], [1, 1, "diagonal"], [1, -1, "diagonal"]]);

/**
 * The lines through a cell that are long enough to win.
 *
 * @param {BoardSpec} board @param {readonly (import("../client/protocol.js").Mark | null)[]} marks @param {number} cell
 * @returns {import("../client/protocol.js").WinningLine[]}
 */
export function linesThrough({ width, height, line }, marks, cell) {
  const mark = marks[cell];
  const run = (/** @type {number} */ dx, /** @type {number} */ dy) => {
    const cells = [];
    let x = (cell % width) + dx;
    let y = Math.floor(cell / width) + dy;
    while (x >= 0 && x < width && y >= 0 && y < height && marks[y * width + x] === mark) {
      cells.push(y * width + x);
      [x, y] = [x + dx, y + dy];
    }
    return cells;
  };
  return DIRECTIONS.flatMap(([dx, dy, kind]) => {
    const cells = [...run(-dx, -dy).reverse(), cell, ...run(dx, dy)];
    return cells.length >= line ? [/** @type {any} */ ({ kind, cells })] : [];
  });
}
