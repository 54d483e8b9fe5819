// The part of the page's reducer for what the core tells: the route after a room was entered or lost,
// notices, names. Pure.
// @ts-check

import { hasTwoPeople } from "../client/rules.js";
import { isKnown, without } from "./rooms.js";
import { AFTER_ROOM, MOST_ANNOUNCED, followsLink, isSameRoute, roomView } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Notice} Notice */
/** @typedef {import("../client/protocol.js").ClientMessage} ClientMessage */
/** @typedef {import("../client/session.js").Refusal} Refusal */
/** @typedef {import("../client/session.js").Output} Output */

/** @param {string} key @param {Notice["params"]} [params] @returns {Notice} */
export const info = (key, params = {}) => ({ kind: "info", key, params, text: "" });

/** @param {string} key @returns {Notice} */
export const error = (key) => ({ ...info(key), kind: "error" });

/** @param {Refusal} refusal @returns {Notice} */
export const refusal = ({ code, message }) => ({ ...error(`refused.${code}`), text: message });

/** The same with the refused intent: it may have a text of its own. @param {Refusal} told @param {string} intent @returns {Notice} */
const refusalOf = (told, intent) => ({ ...refusal(told), intent });

export const WATCHING = info("notice.watching");

const FORGOTTEN = info("notice.forgotten");

/** The notices of happenings that have no more to say. @type {Record<string, string>} */
const ERRORS = {
  unreadable: "notice.roomUnreadable",
  impossible: "notice.impossible",
  busy: "notice.busy",
};

/**
 * The change that a happening makes.
 *
 * @param {State} state with the session after it
 * @param {Output} output
 * @param {State} before
 * @returns {Partial<State>}
 */
export function told(state, output, before) {
  switch (output.type) {
    case "welcome": {
      const { player, name, server, limits } = output.message;
      const connection = { phase: /** @type {const} */ ("open"), code: null, reason: "" };
      const notice = before.me && before.me.player !== player ? FORGOTTEN : state.notice;
      return { connection, me: { player, name }, server, limits, notice };
    }
    case "lost":
    case "ended":
      return { connection: { phase: output.type, code: output.code, reason: reasonOf(state, output) } };
    case "announcement":
      return { announcements: announced(state.announcements, output.text) };
    case "challenged":
      return { announcements: announced(state.announcements, "", output.message) };
    case "declined":
      return { notice: info("notice.declined", { name: output.name }) };
    case "features":
      return switchedOff(state, before, output.before);
    case "entered":
      return entered(state, before);
    case "refreshed":
      return state.notice?.key === "notice.roomUnreadable" ? { notice: null } : {};
    case "event":
      return output.event.kind === "chosen" ? renamed(state, before, output.event.choice) : {};
    case "closed":
      // A closed room stays on its screen.
      return { room: { ...roomView(output.room, state.prefs, state.room), closed: output.reason } };
    case "refused":
      return refused(state, before, output);
    case "room_lost":
      return roomLost(state, before, output);
    case "forgotten":
      return {
        connection: { phase: "connecting", code: null, reason: "" }, me: null, room: null, rooms: [],
        failed: null, watching: null, pass: null, notice: FORGOTTEN,
      };
    case "blocked":
      return { notice: error(`refused.${output.why === "chat_off" ? "chat_off" : "not_now"}`) };
    case "is_party":
      return { route: { screen: "party", code: output.party }, failed: null };
    case "party_lost":
      return { notice: refusalOf(output.refusal, "join_party") };
    case "server_error":
      return { notice: refusal(output.refusal) };
    default:
      return output.type in ERRORS ? { notice: error(ERRORS[output.type]) } : {};
  }
}

/** The server's last message to somebody who is banned: for how long, and why. */
const BANNED = "refused.banned";

/** @param {State} state @param {Output & {type: "lost" | "ended"}} output */
const reasonOf = ({ notice }, { reason }) => (notice?.key === BANNED ? notice.text : reason);

/**
 * @param {State["announcements"]} before @param {string} text @param {import("../client/protocol.js").Challenged} [challenge]
 * @returns {State["announcements"]}
 */
const announced = (before, text, challenge) =>
  [...before, { key: (before.at(-1)?.key ?? 0) + 1, text, challenge }].slice(-MOST_ANNOUNCED);

/**
 * Tells what the host has taken from the screen: the talk of the room, or the wait for an opponent.
 *
 * @param {State} state @param {State} before @param {State["features"]} was
 * @returns {Partial<State>}
 */
function switchedOff({ session: { room, features } }, { matching }, was) {
  const talked = room && room.settings.chat !== "off" && was.chat && !features.chat;
  const waited = matching && was.quick_match && !features.quick_match;
  return talked || waited ? { notice: info("refused.switched_off") } : {};
}

/**
 * The entered room is the page's route, unless the start page asked for our seat in it. An open seat of a link's
 * room is offered first.
 *
 * @param {State} state @param {State} before
 * @returns {Partial<State>}
 */
function entered(state, before) {
  const { session: { room }, notice, route } = state;
  if (!room || (before.route.screen === "welcome" && before.entering?.role === "spectator" && isKnown(before.rooms, room.code))) {
    return {};
  }
  const { code } = room;
  const byLink = followsLink(before);
  const kept = byLink || notice?.kind === "info" ? notice : null;
  // The games of a party are there to be watched.
  const isTaken = byLink && room.you.length === 0 && hasTwoPeople(room) && !room.settings.party;
  const there = { screen: /** @type {const} */ ("room"), code };
  return {
    failed: null,
    watching: byLink ? state.watching : code,
    notice: kept ?? (isTaken ? WATCHING : null),
    route: isSameRoute(route, there) ? route : there,
  };
}

/**
 * Two players at one screen have the same id, so the seats do not tell about an exchange. Their names
 * are stored with the form, for a reload.
 *
 * @param {State} state @param {State} before
 * @param {import("../client/protocol.js").OpeningChoice} choice
 * @returns {Partial<State>}
 */
function renamed({ session: { room }, prefs }, before, choice) {
  const by = before.session.room?.game?.opening?.by;
  if (room?.you.length !== 2 || choice === "add" || choice === by) {
    return {};
  }
  const { nameX = "", nameO = "" } = prefs.forms.friend ?? {};
  const friend = { ...prefs.forms.friend, nameX: nameO, nameO: nameX };
  const next = { ...prefs, forms: { ...prefs.forms, friend } };
  return { prefs: next, room: roomView(room, next, before.room) };
}

/**
 * @param {State} state @param {State} before @param {Output & {type: "refused"}} output
 * @returns {Partial<State>}
 */
function refused(state, before, { intent, refusal: told }) {
  const { type } = intent;
  // The lobby's lists stay as they are.
  if (type === "watch_lobby" || type === "unwatch_lobby") {
    return {};
  }
  if (type !== "join" || before.entering?.id !== intent.id) {
    // A spectator who did not get the open seat keeps watching.
    const watching = type === "join" ? intent.room : state.watching;
    return { notice: refusalOf(told, type), watching };
  }
  if (mayWatch(before, { intent, refusal: told })) {
    return { notice: WATCHING };
  }
  const { room } = intent;
  const rooms = told.code === "no_such_room" ? without(state.rooms, room) : state.rooms;
  return { failed: { room, code: told.code, text: told.message }, rooms };
}

/**
 * The room whose seats are both taken, and where the player watches instead.
 *
 * @param {State} before @param {{intent: ClientMessage, refusal: Refusal}} refused
 * @returns {string | null}
 */
export function mayWatch({ entering, failed }, { intent, refusal: { code } }) {
  if (intent.type !== "join" || entering?.id !== intent.id || code !== "seats_taken") {
    return null;
  }
  const closed = failed?.room === intent.room && failed.code === "no_spectators";
  return intent.role === "player" && !closed ? intent.room : null;
}

/**
 * @param {State} state @param {State} before @param {Output & {type: "room_lost"}} output
 * @returns {Partial<State>}
 */
function roomLost({ route, rooms }, before, { room, refusal: told }) {
  const gone = told.code === "no_such_room";
  const notice = gone ? { ...error("notice.roomLost"), params: { room } } : refusal(told);
  return {
    notice,
    rooms: gone ? rooms : before.rooms,
    route: isSameRoute(route, { screen: "room", code: room }) ? AFTER_ROOM : route,
  };
}
