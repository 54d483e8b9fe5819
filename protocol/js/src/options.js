// The names of what may be given. The server ignores what it does not know, so that a wrong name is an error here.
// @ts-check

/** @typedef {import("./protocol.js").Intent} Intent */

/**
 * The fields of an intent.
 *
 * @template {Intent["type"]} T
 * @typedef {Record<Exclude<keyof (Intent & {type: T}), "type">, 1>} Fields
 */

/** @type {Record<keyof import("./client.js").ConnectOptions, 1>} */
const CONNECT = { name: 1, face: 1, password: 1, store: 1, WebSocket: 1 };

/** @type {Record<keyof import("./protocol.js").RoomSettings, 1>} */
const ROOM = {
  board: 1, variant: 1, majority: 1, first: 1, opening: 1, move_time_ms: 1, listed: 1, spectators: 1, early_draw: 1,
  hints: 1, evaluation: 1, chat: 1, adapts: 1, comments: 1, party: 1,
};

/** @type {Record<keyof import("./protocol.js").PartySettings, 1>} */
const PARTY = {
  board: 1, variant: 1, majority: 1, format: 1, move_time_ms: 1, opening: 1, rounds: 1, tables: 1, first_to: 1, chat: 1,
  fill: 1,
};

/** @type {{create: Fields<"create">, quick_match: Fields<"quick_match">, create_party: Fields<"create_party">}} */
const INTENTS = {
  create: { settings: 1, seats: 1, shuffle: 1 },
  quick_match: { board: 1, variant: 1, move_time_ms: 1, computer: 1 },
  create_party: { name: 1, settings: 1, plays: 1 },
};

/** @param {string} what @param {object} given @param {Record<string, 1>} known */
function only(what, given, known) {
  const wrong = Object.keys(given).find((name) => !(name in known));
  if (wrong) throw new TypeError(`${what} has no ${wrong}, but ${Object.keys(known).join(", ")}`);
}

/** @param {import("./client.js").ConnectOptions} options */
export const checkOptions = (options) => only("connect()", options, CONNECT);

/** @param {Intent} intent */
export function checkIntent({ type, ...fields }) {
  if (!(type in INTENTS)) return;
  only(type, fields, INTENTS[/** @type {keyof typeof INTENTS} */ (type)]);
  const { settings } = /** @type {{settings?: object}} */ (fields);
  only("settings", settings ?? {}, type === "create" ? ROOM : PARTY);
}
