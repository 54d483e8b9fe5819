// The variant in which a line wins, like `protocol/src/rules/line.rs`: which cells are legal. The
// server tells results and winning lines. Pure.
// @ts-check

/**
 * Why no mark may be placed on a cell, as one of the server's refusal codes, or null.
 *
 * @param {import("../protocol.js").BoardSpec} board
 * @param {readonly number[]} moves the cells played so far
 * @param {number} cell
 * @returns {null | "no_such_cell" | "cell_taken"}
 */
export function check({ width, height }, moves, cell) {
  if (!Number.isInteger(cell) || cell < 0 || cell >= width * height) {
    return "no_such_cell";
  }
  return moves.includes(cell) ? "cell_taken" : null;
}
