// The choices before a game, and the intents that start one. The terminal has the same choices.
// Pure. The forms are in `views/`.
// @ts-check

import { MAX_SIDE, MIN_SIDE, MIN_SWAP2_SIDE } from "./client/generated/constants.js";
import { SETTINGS } from "./generated/settings.js";
import { VARIANTS } from "./client/generated/variants.js";
import { GOMOKU_LIKE, STRENGTHS, hasStrengths, levelOf, playedAs, strengthsOf } from "./strengths.js";

/** @typedef {import("./client/protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("./client/protocol.js").Features} Features */
/** @typedef {import("./client/protocol.js").Intent} Intent */
/** @typedef {import("./client/protocol.js").SeatRequest} SeatRequest */
/** @typedef {import("./client/protocol.js").Strength} Strength */
/** @typedef {Partial<import("./client/protocol.js").RoomSettings>} RoomSettings */
/** @typedef {Record<string, string>} Values the chosen values, by the settings' names */
/** @typedef {"friend" | "quick" | "computer" | "exhibition" | "both"} Form a kind of game */

/**
 * A condition for the choice to exist: the host has left a feature on, the board is large
 * enough, the computer may comment, or another setting has one of these values.
 *
 * @typedef {{feature: "listing" | "spectators" | "chat"} | {board: "swap2" | "comments"}
 *   | {setting: string, values: string[]}} Need
 */

/**
 * A choice before a game. Its label is `field.NAME`, and that of a value `NAME.VALUE`.
 *
 * @typedef {object} Setting
 * @property {string} name
 * @property {string | null} wire the field of the room's settings, if it is one of them
 * @property {"board" | "choice" | "time" | "yes_no" | "name"} kind
 * @property {string[]} values the offered values as texts
 * @property {unknown[]} onWire the same values as they are on the wire
 * @property {string} default
 * @property {Partial<Record<Form, string>>} [own] the defaults of forms that have another one
 * @property {Form[]} forms the forms that offer it
 * @property {boolean} more whether a form keeps it behind "more options"
 * @property {Need[]} needs
 */

/** Two friends may share the screen of the page. Only this device knows their names. */
const AT_ONE_SCREEN = {
  wire: null, values: [], onWire: [], default: "", more: false, needs: [],
};

/** @type {readonly Setting[]} */
const ALL = Object.freeze([
  { ...AT_ONE_SCREEN, name: "device", kind: "choice", values: ["two", "one"], default: "two",
    forms: ["friend", "both"] },
  { ...AT_ONE_SCREEN, name: "nameX", kind: "name", forms: ["both"] },
  { ...AT_ONE_SCREEN, name: "nameO", kind: "name", forms: ["both"] },
  ...SETTINGS,
]);

const DEFAULTS = Object.fromEntries(ALL.map((setting) => [setting.name, setting.default]));

/**
 * The defaults of one form, where they are others. A stranger may be long in coming: the page does
 * not let anybody wait in vain.
 *
 * @param {Form} form @returns {Values}
 */
function ownDefaults(form) {
  const others = ALL.flatMap(({ name, own }) => (own?.[form] ? [[name, own[form]]] : []));
  return { ...Object.fromEntries(others), ...(form === "quick" && { computer_after: "15s" }) };
}

/** Hints between people are chosen anew for each room. */
const NO_HINTS = "no";

/**
 * The first values of a form: the player's last choices, else the defaults.
 *
 * @param {import("./core/state.js").Prefs} prefs
 * @param {string} screen the form's screen
 * @param {Values} [own] defaults of this visit
 * @returns {Values}
 */
export function savedChoices(prefs, screen, own = {}) {
  return { ...DEFAULTS, ...ownDefaults(formOf(screen, {})), ...own, ...prefs.forms[screen], ...(screen === "friend" ? { hints: NO_HINTS } : {}) };
}

/** @param {string} screen @param {Values} values @returns {Form} the kind of game of a form's screen */
export function formOf(screen, values) {
  if (screen === "computers") return "exhibition";
  return screen === "friend" && values.device === "one" ? "both" : /** @type {Form} */ (screen);
}

/** @param {Form} form @returns {Setting[]} the settings that a form offers, from top to bottom */
export function fieldsOf(form) {
  return ALL.filter(({ forms }) => forms.includes(form));
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
    if ("setting" in need) {
      return need.values.includes(values[need.setting]);
    }
    return need.board === "swap2" ? admitsSwap2(parseBoard(values.board)) : mayComment(values);
  });
}

/**
 * Whether a form shows a setting. A strength keeps its place where the strategy has only one, and so does what takes
 * a weaker computer.
 *
 * @param {Setting} field @param {Values} values @param {Features} features
 */
export function isShown(field, values, features) {
  return isStrength(field) || isTooStrong(field, values) || isOffered(field, values, features);
}

/** The strongest computer that may say why it makes a move. */
export const MOST_TALKATIVE = "average";

/** Whether the setting is only there for a weaker computer. @param {Setting} field @param {Values} values */
export const isTooStrong = ({ name }, values) =>
  name === "comments" && !mayComment(values) && mayComment({ ...values, strength: MOST_TALKATIVE });

/**
 * The boards that a form offers, the default first: those of the setting, or those of another variant.
 *
 * @param {Setting} field @param {Values} values @returns {readonly string[]}
 */
export const boardsOf = (field, { variant = "line" }) =>
  variant === "line" ? field.values : (VARIANTS[variant]?.boards ?? field.values);

/** Whether a variant is played on any board. @param {Values} values */
export const takesAnyBoard = ({ variant = "line" }) => VARIANTS[variant]?.any ?? false;

/**
 * The values with another one. A variant comes with one of its boards.
 *
 * @param {readonly Setting[]} fields of the form @param {Values} values @param {string} name @param {string} value
 * @returns {Values}
 */
export function withChoice(fields, values, name, value) {
  const chosen = { ...values, [name]: value };
  const field = name === "variant" && fields.find(({ kind }) => kind === "board");
  if (!field) return chosen;
  const boards = boardsOf(field, chosen);
  return boards.includes(values.board) ? chosen : { ...chosen, board: boards[0] };
}

/** Whether it stands below the strength of the computer. @param {Setting} field */
export const isOfStrength = ({ name }) => name === "adapts" || name === "comments";

/** @param {Setting} field whether it is behind "more options"; what stands below the strength is not */
export const isFolded = (field) => field.more && !isOfStrength(field);

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
function admitsSwap2(board) {
  return board !== null && Math.min(board.width, board.height) >= MIN_SWAP2_SIDE;
}

/** Whether the game opens with swap2. @param {Values} values */
export const isSwap2 = ({ board, opening, variant = "line" }) =>
  opening === "swap2" && GOMOKU_LIKE.includes(variant) && admitsSwap2(parseBoard(board));

const STRENGTH = /** @type {Setting} */ (ALL.find(({ name }) => name === "strength"));

/** Whether a computer may say why it makes a move: on 3 × 3, and where it is at most average. @param {Values} values */
function mayComment(values) {
  const { board, variant = "line", strategy } = values;
  const isWeak = hasStrengths(strategy) && levelOf(valueOf(STRENGTH, values)) <= levelOf(MOST_TALKATIVE);
  return (variant === "line" && board === "3x3x3") || (GOMOKU_LIKE.includes(variant) && isWeak);
}

/** The rating that everybody begins with, and how far apart two strengths are. */
const MIDDLE_RATING = 1500;
const RATING_STEP = 175;

/** The strength that is about as strong as a person; null while that is uncertain by more than one. @param {import("./client/protocol.js").Rating} rating */
export function strengthNear({ rating, deviation }) {
  if (deviation > RATING_STEP) return null;
  const level = Math.round(5 + (rating - MIDDLE_RATING) / RATING_STEP);
  return STRENGTHS[Math.min(Math.max(level, 1), STRENGTHS.length) - 1];
}

/**
 * The intent that starts a game: a quick match or a room.
 *
 * @param {Form} form @param {Values} values @param {Features} features
 * @returns {Intent}
 */
export function startOf(form, values, features) {
  const chosen = settings(form, values, features);
  switch (form) {
    case "quick":
      return quickMatch(values);
    case "both":
      return { type: "create", settings: chosen, seats: { x: "you", o: "you" } };
    case "exhibition": {
      const seats = { x: computer(values, "_x"), o: computer(values, "_o") };
      return { type: "create", settings: chosen, seats };
    }
    default: {
      const other = form === "friend" ? "open" : computer(values, "");
      /** @type {import("./client/protocol.js").ByMark<SeatRequest>} */
      const seats = values.mark === "o" ? { x: other, o: "you" } : { x: "you", o: other };
      return { type: "create", settings: chosen, seats, shuffle: values.mark === "random" };
    }
  }
}

/** @param {Values} values @returns {Intent} */
function quickMatch(values) {
  const wire = Object.fromEntries(fieldsOf("quick").map((field) => [field.name, wireValue(field, values)]));
  const { board, variant, computer_after: after } = wire;
  const { strategy, strength } = DEFAULTS;
  const computer = after ? { after_ms: after, strategy, strength } : null;
  return { type: "quick_match", board, variant, computer: /** @type {any} */ (computer) };
}

/** @param {Values} values @param {"" | "_x" | "_o"} side @returns {SeatRequest} */
function computer(values, side) {
  const { [`strategy${side}`]: strategy } = values;
  const field = ALL.find(({ name }) => name === `strength${side}`) ?? STRENGTH;
  const strength = valueOf(field, values);
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

/**
 * The settings of a game that one person is asked for: those that the form for a friend had last. Nobody else is told.
 *
 * @param {{prefs: import("./core/state.js").Prefs, features: Features}} state
 * @returns {RoomSettings}
 */
export const askedSettings = ({ prefs, features }) =>
  ({ ...settings("friend", savedChoices(prefs, "friend"), features), listed: false });

/** Fills the empty places of a party: nobody, or minimax at a strength. */
const FILL = "fill";

/** Whether it is the strength of a computer. @param {Setting} field */
const isStrength = ({ name }) => name === FILL || name.startsWith("strength");

/**
 * The strengths to choose from: a board and a strategy do not have every one.
 *
 * @param {Setting} field @param {Values} values
 */
const strengthsFor = ({ name }, { board, variant, ...values }) =>
  strengthsOf({ board: parseBoard(board), variant }, name === FILL ? "minimax" : values[name.replace("strength", "strategy")]);

/** @param {Setting} field @param {Values} values @returns {readonly string[]} the values to choose from */
export const valuesOf = (field, values) =>
  isStrength(field) ? [...field.values.filter((one) => !levelOf(one)), ...strengthsFor(field, values)] : field.values;

/** @param {Setting} field @param {Values} values @returns {string} an offered value, else the default */
export function valueOf(field, values) {
  const { name, kind, values: offered, default: usual } = field;
  if (isStrength(field)) {
    const known = STRENGTHS.find((one) => one === values[name]) ?? usual;
    return levelOf(known) ? playedAs(strengthsFor(field, values), known) : known;
  }
  const isFree = kind === "board" || kind === "name";
  return isFree || offered.includes(values[name]) ? values[name] : usual;
}

/** @param {Setting} field @param {Values} values @returns {any} the chosen value */
function wireValue(field, values) {
  const value = valueOf(field, values);
  return field.kind === "board" ? parseBoard(value) : field.onWire[field.values.indexOf(value)];
}
