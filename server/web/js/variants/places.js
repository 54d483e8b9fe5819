// Where a cell is on a board that is several boards or layers. The wire knows one rectangle of cells.
// Pure.
// @ts-check

/** The side of a small board. */
const SIDE = 3;

/**
 * The place of a cell, each number counted from 1; null where the rectangle is the board.
 * @param {import("../client/protocol.js").Variant | undefined} variant
 * @param {import("../client/protocol.js").BoardSpec} board
 * @param {number} cell
 * @returns {{board: number, cell: number} | {layer: number, row: number, column: number} | null}
 */
export function placeOf(variant, { width }, cell) {
  const row = Math.floor(cell / width);
  const column = cell % width;
  switch (variant) {
    case "ultimate":
    case "notakto": {
      const inside = (row % SIDE) * SIDE + (column % SIDE);
      const board = Math.floor(row / SIDE) * SIDE + Math.floor(column / SIDE);
      return { board: board + 1, cell: inside + 1 };
    }
    case "qubic":
      return { layer: Math.floor(row / width) + 1, row: (row % width) + 1, column: column + 1 };
    default:
      return null;
  }
}

/**
 * The boards on which something may be played next, counted from 1; none where that is not told.
 * @param {import("../client/protocol.js").RoomSettings} settings
 * @param {import("../client/room.js").Game} game
 */
export function openBoards({ variant, board }, game) {
  const boards = (game.playable?.cells ?? []).map((cell) => {
    const place = placeOf(variant, board, cell);
    return place && "board" in place ? place.board : 0;
  });
  return [...new Set(boards)].filter(Boolean);
}
