// The choices before a game, and the intents that start one. The terminal has the same choices.
// Pure. The forms are in `screens/`.
// @ts-check

import { SETTINGS } from "./generated/settings.js";
import { MAX_SIDE, MIN_SIDE, MIN_SWAP2_SIDE } from "./generated/constants.js";

/** @typedef {import("./protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("./protocol.js").Features} Features */
/** @typedef {import("./protocol.js").Intent} Intent */
/** @typedef {import("./protocol.js").SeatRequest} SeatRequest */
/** @typedef {Partial<import("./protocol.js").RoomSettings>} RoomSettings */
/** @typedef {Record<string, string>} Values the chosen values, by the settings' names */
/** @typedef {"friend" | "quick" | "computer" | "exhibition" | "both"} Form a kind of game */

/**
 * What must hold, so that there is a choice: the host has left a feature on, the board is large
 * enough, or another setting has one of these values.
 *
 * @typedef {{feature: "listing" | "spectators"} | {board: "swap2"}
 *   | {setting: string, values: string[]}} Need
 */

/**
 * A choice before a game. Its label is `field.NAME`, and that of a value `NAME.VALUE`.
 *
 * @typedef {object} Setting
 * @property {string} name
 * @property {string | null} wire the field of the room's settings, if it is one of them
 * @property {"board" | "choice" | "time" | "yes_no"} kind
 * @property {string[]} values the offered values as texts
 * @property {unknown[]} onWire the same values as they are on the wire
 * @property {string} default
 * @property {Form[]} forms the forms that offer it
 * @property {boolean} more whether a form keeps it behind "more options"
 * @property {Need[]} needs
 */

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
  ...Object.fromEntries(SETTINGS.map((setting) => [setting.name, setting.default])),
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

/** @type {SeatRequest} */
const YOU = "you";

/** @param {Form} form @returns {Setting[]} the settings that a form offers, from top to bottom */
export function fieldsOf(form) {
  return SETTINGS.filter(({ forms }) => forms.includes(form));
}

/**
 * Whether there is a choice.
 *
 * @param {Setting} field @param {Values} values @param {Features} features
 */
export function isOffered(field, values, features) {
  return field.needs.every((need) => {
    if ("feature" in need) {
      return features[need.feature];
    }
    return "board" in need
      ? admitsSwap2(parseBoard(values.board))
      : need.values.includes(values[need.setting]);
  });
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
 * @param {Values} values @param {Features} [features]
 * @returns {Intent}
 */
export function friendRoom(values, features) {
  if (!features) return friendRoom(renamed(values), ALL_FEATURES);
  if (values.device === "one") {
    return create({ x: "you", o: "you" }, settings("both", values, features));
  }
  return against("open", settings("friend", values, features), values.mark);
}

/** @param {Values} values @param {Features} [features] @returns {Intent} a room against the computer */
export function computerRoom(values, features) {
  if (!features) return computerRoom(renamed(values), ALL_FEATURES);
  return against(computer(values, ""), settings("computer", values, features), values.mark);
}

/** @param {Values} values @param {Features} [features] @returns {Intent} a room with two computers */
export function computersRoom(values, features) {
  if (!features) return computersRoom(renamed(values), ALL_FEATURES);
  const seats = { x: computer(values, "_x"), o: computer(values, "_o") };
  return create(seats, settings("exhibition", values, features));
}

/** @param {Values} values @returns {Intent} */
export function quickMatch(values) {
  if (values.computer_after === undefined) return quickMatch(renamed(values));
  const board = parseBoard(values.board) ?? undefined;
  const [after] = fieldsOf("quick").filter(({ kind }) => kind === "time").map((field) => wireValue(field, values));
  const fallback = after ? { after_ms: after, strategy: "minimax", strength: "average" } : null;
  return { type: "quick_match", board, computer: /** @type {any} */ (fallback) };
}

/** @param {SeatRequest} opponent @param {RoomSettings} settings @param {string} mark @returns {Intent} */
function against(opponent, settings, mark) {
  const seats = mark === "o" ? { x: opponent, o: YOU } : { x: YOU, o: opponent };
  return create(seats, settings, mark === "random");
}

/**
 * @param {import("./protocol.js").ByMark<SeatRequest>} seats
 * @param {RoomSettings} settings
 * @returns {Intent}
 */
function create(seats, settings, shuffle = false) {
  return { type: "create", settings, seats, shuffle };
}

/** @param {Values} values @param {"" | "_x" | "_o"} side @returns {SeatRequest} */
function computer(values, side) {
  const { [`strategy${side}`]: strategy, [`strength${side}`]: strength } = values;
  return { computer: /** @type {any} */ ({ strategy, strength }) };
}

/**
 * The settings that the form offers. All others are the server's to fill in.
 *
 * @param {Form} form @param {Values} values @param {Features} features
 * @returns {RoomSettings}
 */
function settings(form, values, features) {
  const offered = fieldsOf(form).filter(({ wire }) => wire !== null);
  const chosen = offered.filter((field) => isOffered(field, values, features));
  return Object.fromEntries(chosen.map((field) => [field.wire, wireValue(field, values)]));
}

/** @param {Setting} field @param {Values} values @returns {any} the chosen value, else the default */
function wireValue({ name, kind, values: texts, onWire, default: usual }, values) {
  const at = texts.indexOf(values[name]);
  const board = kind === "board" ? parseBoard(values[name] ?? "") : null;
  return board ?? onWire[at < 0 ? texts.indexOf(usual) : at];
}

// What the old forms use; it goes with them.

/** @param {Values} values @returns {Values} the names that the old forms use, as they are now */
function renamed(values) {
  const { time = "", fallback = "" } = values;
  /** @type {Record<string, string>} */
  const times = { "": "none", 10: "10s", 15: "15s", 30: "30s", 60: "1m", 300: "5m", 86400: "24h" };
  return {
    ...values, move_time: times[time] ?? "none", computer_after: times[fallback] ?? "none",
    strategy_x: values.strategyX, strategy_o: values.strategyO,
    strength_x: values.strengthX, strength_o: values.strengthO,
  };
}

const ALL_FEATURES = Object.freeze({ listing: true, spectators: true, quick_match: true });
