// The state of the page, in one immutable value. Only `core/page.js` makes the next one. Unchanged
// parts stay the same objects, so that views can compare with `===`.
// @ts-check

import { MARKS } from "../client/rules.js";
import { initialSession } from "../client/session.js";

/** @typedef {import("../client/session.js").Session} Session */
/** @typedef {import("../client/session.js").Moment} Moment */
/** @typedef {import("../client/room.js").Game} Game */

/**
 * @typedef {object} Connection
 * @property {"connecting" | "open" | "lost" | "ended"} phase `connecting` until the first welcome,
 *   `lost` while the page reconnects, `ended` when the server forbids to reconnect
 * @property {number | null} code the last close code, or `NO_WEBSOCKET`
 * @property {string} reason the server's text for that code
 */

/**
 * The screen that the player is on. The address bar follows it.
 *
 * @typedef {{screen: "here", cell?: number, against?: "people" | "computer"} | {screen: "quick" | "friend" | "computer" | "computers" | "lobby" | "games" | "leaders" | "party"}
 *   | {screen: "welcome", gone?: boolean} | {screen: "join", typed?: string}
 *   | {screen: "room" | "party" | "screen" | "sheet", code: string} | {screen: "game", game: string}
 *   | {screen: "profile", player: string | null} | {screen: "nowhere", path: string}
 *   | {screen: "puzzle", date?: string}} Route `typed` is the text of a link that has no valid
 *   code, `cell` is the first move of a game on this device and `against` its second player, `gone` says that the screen before was a room to which nothing leads back, `player` is null for
 *   our own profile, `party` without a code is the form that makes one
 */

/**
 * A room as views see it.
 *
 * @typedef {import("../client/room.js").Room & {
 *   names: import("../client/protocol.js").ByMark<string> | null,
 *   gone: Partial<import("../client/protocol.js").ByMark<string>>,
 *   closed: import("../client/protocol.js").CloseReason | null}} Room `names` of two players at one screen, "" for no name: only
 *   this device knows them; `gone`: the names of those who have left since the game began; `closed`: why the
 *   room is closed
 */

/**
 * @typedef {object} Matching a place in the queue of the quick match
 * @property {NonNullable<Session["queue"]>} message the sent message
 * @property {Moment} since
 */

/**
 * A message for the player. Its text is `strings(key, params)`, that of `KEY.INTENT` where there is one, or
 * the server's `text` where there is no such key.
 *
 * @typedef {object} Notice
 * @property {"error" | "info" | "offer"} kind an offer has a button that loads the page again
 * @property {string} key
 * @property {Record<string, string | number>} params
 * @property {string} text
 * @property {string} [intent] the type of a refused intent
 */

/**
 * An announcement of the host, or somebody who asks us to play, until it is read.
 * @typedef {{key: number, text: string, challenge?: import("../client/protocol.js").Challenged}} Announcement
 */

/**
 * Preferences, stored on this device.
 *
 * @typedef {object} Prefs
 * @property {string} lang `""` for the browser's language
 * @property {"paper" | "blackboard" | "napkin" | "contrast"} skin
 * @property {"" | "light" | "dark"} light `""` as the system
 * @property {"off" | "soft" | "on"} sound how loud the sounds of a game are; with it phones vibrate
 * @property {Record<string, Record<string, string>>} forms the last choices, by form and field
 * @property {readonly string[]} putAway the variants whose notes the player has put away
 */

/**
 * The core's state, and the page's own.
 * @typedef {Omit<Session, "room"> & PageState} State
 *
 * @typedef {object} PageState
 * @property {Session} session the core's state as a whole
 * @property {Connection} connection
 * @property {{since: Moment, told: string} | null} offline since when there is no connection, and which
 *   notice has told that; null while there is one
 * @property {{player: string, name: string} | null} me
 * @property {import("../client/protocol.js").ServerInfo | null} server
 * @property {import("../client/protocol.js").Limits | null} limits
 * @property {Room | null} room also a closed one, until the player leaves its screen
 * @property {{cell: number} | null} firstMove the move that waits for the room that we enter
 * @property {{player: string, name: string, until: Moment} | null} asked who is asked to come to the room that we entered last
 * @property {readonly import("./rooms.js").KnownRoom[]} rooms the rooms in which we may have a seat, also of earlier visits: the last one, then the running games with people
 * @property {{room: string, code: string, text: string} | null} failed the room that refused us,
 *   with the refusal's code
 * @property {string | null} watching the room whose board is shown also where a seat is open: the player chose to
 *   watch it, or has seen its game
 * @property {Matching | null} matching
 * @property {{code: string, until: Moment, used: boolean} | null} pass that links another device
 * @property {Notice | null} notice
 * @property {readonly Announcement[]} announcements of the server's host, the newest last
 * @property {Route} route
 * @property {Prefs} prefs
 */

/** The menu. @type {Route} */
export const HOME = Object.freeze({ screen: "welcome" });

/** The menu after a room that was left or has ended. @type {Route} */
export const AFTER_ROOM = Object.freeze({ screen: "welcome", gone: true });

/** So many announcements are shown at once. */
export const MOST_ANNOUNCED = 3;

/** The loudnesses, in the order of the button. @type {readonly Prefs["sound"][]} */
export const SOUNDS = Object.freeze(["off", "soft", "on"]);

/** @type {Prefs} */
export const DEFAULT_PREFS = Object.freeze({ lang: "", skin: "paper", light: "", sound: "off", forms: {}, putAway: [] });

/**
 * @param {Route} [route]
 * @param {Prefs} [prefs]
 * @param {State["rooms"]} [rooms]
 * @param {number} [nextId] the id of the first message
 * @returns {State}
 */
export function initialState(
  route = HOME,
  prefs = DEFAULT_PREFS,
  rooms = [],
  nextId = 1,
) {
  const session = initialSession(nextId);
  return {
    ...session,
    session,
    connection: { phase: "connecting", code: null, reason: "" },
    offline: { since: 0, told: "" },
    me: null,
    server: null,
    limits: null,
    room: null,
    firstMove: null,
    asked: null,
    rooms,
    failed: null,
    watching: null,
    matching: null,
    pass: null,
    notice: null,
    announcements: [],
    route,
    prefs,
  };
}

/** @param {Route} one @param {Route} another @returns {boolean} */
export const isSameRoute = (one, another) => keyOf(one) === keyOf(another);

/** @param {Route} route @returns {string} another one for another screen, room, game or player */
export const keyOf = (route) => {
  const { screen, code, game, player, path, date } = /** @type {any} */ (route);
  return [screen, code, game, player, path, date].join(" ").trim();
};

/**
 * Whether the page enters the room of its address, and the player has not chosen a role yet.
 *
 * @param {State} state
 */
export const followsLink = ({ route, entering }) =>
  route.screen === "room" && entering?.room === route.code && entering.role === "spectator";

/**
 * Two players at one screen have the names that they typed in the form.
 *
 * @param {import("../client/room.js").Room} room
 * @param {Prefs} prefs
 * @param {Room | null} before
 * @returns {Room}
 */
export function roomView(room, { forms }, before) {
  const { nameX: x = "", nameO: o = "" } = forms.friend ?? {};
  return { ...room, names: room.you.length === 2 ? { x, o } : null, gone: goneFrom(room, before), closed: null };
}

/** @param {import("../client/room.js").Room} room @param {Room | null} before */
function goneFrom(room, before) {
  const isSame = before?.code === room.code && before.game?.number === room.game?.number;
  const gone = isSame ? { ...before.gone } : {};
  for (const mark of MARKS) {
    const seat = before?.seats[mark];
    if (isSame && seat?.kind === "human" && room.seats[mark].kind === "open") gone[mark] = seat.name;
  }
  return gone;
}
