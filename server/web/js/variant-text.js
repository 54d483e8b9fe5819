// Texts about the rules that a game is played by: the name of a variant, and of a board in it. Pure.
// @ts-check

import { VARIANTS } from "./client/generated/variants.js";
import { strings } from "./strings.js";

/** @typedef {import("./client/protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("./client/protocol.js").Variant} Variant */

/** Whether all boards of a variant are the same, by a part of their text. @param {Variant} variant @param {(board: string) => string} part */
const isOne = (variant, part) => new Set(VARIANTS[variant]?.boards.map(part)).size === 1;

/** Whether a variant is told by its name alone. @param {Variant} variant */
const hasOneBoard = (variant) => isOne(variant, (board) => board);

/** Whether the length of a line goes without saying: it is always the same, or the side of a cube. @param {Variant} variant */
const hasOneLine = (variant) => variant === "qubic" || isOne(variant, (board) => board.split("x")[2]);

/** Whether a mark tells nobody's side, because both place the same ones. @param {Variant} [variant] */
export const sharesMarks = (variant) => ["wild", "wild_misere", "notakto"].includes(variant ?? "");

/** The name; empty before the texts about variants are there. @param {Variant} [variant] */
export function variantName(variant = "line") {
  const key = `variant.${variant}`;
  return strings.has(key) ? strings(key) : "";
}

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
  hasOneLine(variant) ? "" : strings("board.inARow", { line });

/**
 * The variant and the size of the board: "3 × 3", "Gravity, 7 × 6", "Ultimate".
 * @param {{board: BoardSpec, variant?: Variant}} game
 */
export function gameText({ board, variant = "line" }) {
  const name = variant === "line" ? "" : variantName(variant);
  const size = hasOneBoard(variant) ? "" : sizeText(board, variant);
  return [name, size].filter(Boolean).join(", ");
}

/**
 * The rules in short: "3 × 3, 3 in a row", "Gravity, 7 × 6, 4 in a row", "Ultimate".
 * @param {{board: BoardSpec, variant?: Variant}} game
 */
export const rulesText = (game) => [gameText(game), lineText(game.board, game.variant)].filter(Boolean).join(", ");
