// Texts about the rules that a game is played by: the name of a variant, and of a board in it. Pure.
// @ts-check

import { strings } from "./strings.js";

/** @typedef {import("./protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("./protocol.js").Variant} Variant */

/** The variants that are told by their name alone: they have one board. */
const ONE_BOARD = ["ultimate", "order"];

/** The variants whose line has always the same length, or that of the board. */
const ONE_LINE = ["notakto", "qubic", "exact"];

/** @param {Variant} [variant] */
export const variantName = (variant = "line") => strings(`variant.${variant}`);

/**
 * The size of a board as people see it: "7 × 6", "4 × 4 × 4", "3 boards".
 * @param {BoardSpec} board
 * @param {Variant} [variant]
 */
export function sizeText(board, variant) {
  const { width, height } = board;
  if (variant === "qubic") return strings("board.cube", { side: width });
  if (variant !== "notakto") return strings("board.size", { width, height });
  const count = width / height;
  return strings(count === 1 ? "board.one" : "board.several", { count });
}

/**
 * The length of a line, where it differs from game to game: "4 in a row", else "".
 * @param {BoardSpec} board
 * @param {Variant} [variant]
 */
export const lineText = ({ line }, variant = "line") =>
  [...ONE_BOARD, ...ONE_LINE].includes(variant) ? "" : strings("board.inARow", { line });

/**
 * The variant and the size of the board: "3 × 3", "Gravity, 7 × 6", "Ultimate".
 * @param {{board: BoardSpec, variant?: Variant}} game
 */
export function gameText({ board, variant = "line" }) {
  const name = variant === "line" ? "" : variantName(variant);
  const size = ONE_BOARD.includes(variant) ? "" : sizeText(board, variant);
  return [name, size].filter(Boolean).join(", ");
}

/**
 * The rules in short: "3 × 3, 3 in a row", "Gravity, 7 × 6, 4 in a row", "Ultimate".
 * @param {{board: BoardSpec, variant?: Variant}} game
 */
export const rulesText = (game) => [gameText(game), lineText(game.board, game.variant)].filter(Boolean).join(", ");
