// The choices before a game, and the intents that start one. The terminal has the same choices.
// Pure. The forms are in `screens/`.
// @ts-check

import { MAX_SIDE, MIN_SIDE, MIN_SWAP2_SIDE } from "./protocol.js";

/** @typedef {import("./protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("./protocol.js").Intent} Intent */
/** @typedef {import("./protocol.js").SeatRequest} SeatRequest */
/** @typedef {Record<string, string>} Values the chosen values, by field */

/** The offered boards: width, height, line. Players can type any other. */
export const BOARDS = Object.freeze([
  "3x3x3", "4x4x4", "5x5x4", "7x6x4", "9x9x5", "13x13x5", "15x15x5", "19x19x5",
]);

export const MARKS = Object.freeze(["x", "o", "random"]);
export const FIRSTS = Object.freeze(["alternate", "x", "o", "random", "loser"]);
export const STRATEGIES = Object.freeze(["minimax", "heuristic", "perfect", "rules"]);
export const STRENGTHS = Object.freeze(["very_weak", "weak", "average", "strong", "very_strong"]);

/** Seconds for a move; `""` for no limit. */
export const MOVE_TIMES = Object.freeze(["", "10", "30", "60", "300", "86400"]);

/** Seconds after which a quick match becomes a game against the computer; `""` for never. */
export const FALLBACKS = Object.freeze(["15", "30", "60", ""]);

const DEFAULTS = Object.freeze({
  device: "two",
  board: "3x3x3",
  mark: "x",
  first: "alternate",
  opening: "free",
  time: "",
  listed: "no",
  spectators: "yes",
  hints: "yes",
  evaluation: "no",
  strategy: "minimax",
  strength: "average",
  strengthX: "average",
  strengthO: "average",
  strategyX: "minimax",
  strategyO: "minimax",
  fallback: "15",
});

/**
 * The first values of a form: the player's last choices, else the defaults.
 *
 * @param {import("./state.js").Prefs} prefs
 * @param {string} form
 * @param {Values} [own] the form's own defaults
 * @returns {Values}
 */
export function savedChoices(prefs, form, own = {}) {
  return { ...DEFAULTS, ...own, ...prefs.forms[form] };
}

/**
 * @param {string} text such as `15x15x5`
 * @returns {BoardSpec | null} `null` for an impossible board
 */
export function parseBoard(text) {
  const [width, height, line] = text.split("x").map(Number);
  const side = (/** @type {number} */ n) => Number.isInteger(n) && n >= MIN_SIDE && n <= MAX_SIDE;
  const fits = Number.isInteger(line) && line >= MIN_SIDE && line <= Math.max(width, height);
  return side(width) && side(height) && fits ? { width, height, line } : null;
}

/** @param {BoardSpec | null} board @returns {boolean} whether swap2 is allowed on it */
export function admitsSwap2(board) {
  return board !== null && Math.min(board.width, board.height) >= MIN_SWAP2_SIDE;
}

/** @param {string} strategy @returns {boolean} whether it has different strengths */
export function hasStrengths(strategy) {
  return strategy === "minimax" || strategy === "heuristic";
}

/**
 * A room for a friend on another device, or for two players at this screen.
 *
 * @param {Values} values
 * @returns {Intent}
 */
export function friendRoom(values) {
  if (values.device === "one") {
    return { type: "create", settings: settings(values), seats: { x: "you", o: "you" } };
  }
  return against("open", values);
}

/** @param {Values} values @returns {Intent} a room against the computer */
export function computerRoom(values) {
  return against(computer(values.strategy, values.strength), values);
}

/** @param {Values} values @returns {Intent} a room with two computers */
export function computersRoom(values) {
  const x = computer(values.strategyX, values.strengthX);
  const o = computer(values.strategyO, values.strengthO);
  return { type: "create", settings: settings(values), seats: { x, o } };
}

/** @param {Values} values @returns {Intent} */
export function quickMatch(values) {
  const board = parseBoard(values.board) ?? undefined;
  const after = Number(values.fallback) * 1_000;
  const fallback = { after_ms: after, strategy: "minimax", strength: "average" };
  const computerAfter = after > 0 ? /** @type {any} */ (fallback) : null;
  return { type: "quick_match", board, computer: computerAfter };
}

/** @param {SeatRequest} opponent @param {Values} values @returns {Intent} */
function against(opponent, values) {
  /** @type {import("./protocol.js").ByMark<SeatRequest>} */
  const seats = values.mark === "o" ? { x: opponent, o: "you" } : { x: "you", o: opponent };
  return { type: "create", settings: settings(values), seats, shuffle: values.mark === "random" };
}

/** @param {string} strategy @param {string} strength @returns {SeatRequest} */
function computer(strategy, strength) {
  return { computer: /** @type {any} */ ({ strategy, strength }) };
}

/** @param {Values} values @returns {Partial<import("./protocol.js").RoomSettings>} */
function settings(values) {
  const board = parseBoard(values.board) ?? { width: 3, height: 3, line: 3 };
  const opening = admitsSwap2(board) ? values.opening : "free";
  return {
    board,
    first: /** @type {any} */ (values.first),
    opening: /** @type {any} */ (opening),
    move_time_ms: values.time === "" ? null : Number(values.time) * 1_000,
    listed: values.listed === "yes",
    spectators: values.spectators === "yes",
    hints: values.hints === "yes",
    evaluation: values.evaluation === "yes",
  };
}
