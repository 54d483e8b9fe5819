// The page's reducer: `reduce(state, action)` returns the next state. Pure.
// What the page then sends is in `effects.js`, the events of a room are in `room-reducer.js`, what
// passes there is in `room-presence.js`.
// @ts-check

import { isSamePresence, presenceFrom } from "./room-presence.js";
import { roomReducer, roomFromSnapshot } from "./room-reducer.js";
import { answered, refused } from "./reduce-answers.js";
import { sent, unsent } from "./reduce-sent.js";
import { ALL_ON } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Route} Route */
/** @typedef {import("./protocol.js").ServerMessage} ServerMessage */
/** @typedef {import("./protocol.js").Snapshot} Snapshot */

/**
 * Everything that can happen to the page. `at` is the time of `performance.now()`.
 *
 * @typedef {{type: "server", message: ServerMessage, at: number}
 *   | {type: "connection", phase: import("./state.js").Connection["phase"], code: number | null,
 *      reason: string}
 *   | {type: "sent", message: import("./protocol.js").ClientMessage, at: number}
 *   | {type: "unsent", message: import("./protocol.js").Intent}
 *   | {type: "route", route: Route}
 *   | {type: "watch", room: string}
 *   | {type: "notice", notice: import("./state.js").Notice}
 *   | {type: "dismiss"}
 *   | {type: "prefs", prefs: Partial<import("./state.js").Prefs>}
 *   | {type: "retry"}
 *   | {type: "wake"}} Action
 */

/**
 * @param {State} state
 * @param {Action} action
 * @returns {State} the same object where nothing changed
 */
export function reduce(state, action) {
  switch (action.type) {
    case "server":
      return server(state, action.message, action.at);
    case "connection":
      return connection(state, action);
    case "sent":
      return sent(state, action.message, action.at);
    case "unsent":
      return unsent(state);
    case "route":
      return goTo(state, action.route);
    case "watch":
      return { ...state, watching: action.room };
    case "notice":
      return { ...state, notice: action.notice };
    case "dismiss":
      return state.notice ? { ...state, notice: null } : state;
    case "prefs":
      return { ...state, prefs: { ...state.prefs, ...action.prefs } };
    case "retry":
      return retry(state);
    default:
      return state;
  }
}

/** @param {State} state @param {ServerMessage} message @param {number} at @returns {State} */
function server(state, message, at) {
  switch (message.type) {
    case "welcome":
      return welcome(state, message);
    case "ok":
      return answered(state, message.id, message.room ?? null);
    case "refused":
      return refused(state, message);
    case "snapshot":
      return snapshot(state, message, at);
    case "event":
      return event(state, message, at);
    case "presence":
      return presence(state, message.room, message, at);
    case "hint":
    case "evaluation":
      return isNow(state, message) ? inRoom(state, message.room, { [message.type]: message }) : state;
    case "review":
      return inRoom(state, message.room, { review: message });
    case "lobby": {
      const { waiting, playing, more } = message;
      return { ...state, lobby: { waiting, playing, more } };
    }
    case "pass":
      return { ...state, pass: { code: message.code, until: at + message.expires_in_ms } };
    case "pong":
      return pong(state, message, at);
    default:
      return state;
  }
}

/** @param {State} state @param {ServerMessage & {type: "welcome"}} message @returns {State} */
function welcome(state, message) {
  const { player, name, server: info, limits, features } = message;
  return {
    ...state,
    connection: { phase: "open", code: null, reason: "" },
    me: { player, name },
    server: info,
    limits,
    features: { ...ALL_ON, ...features },
  };
}

/**
 * @param {State} state @param {Action & {type: "connection"}} action
 * @returns {State}
 */
function connection(state, { phase, code, reason }) {
  const next = { ...state, connection: { phase, code, reason } };
  return state.room ? inRoom(next, state.room.code, { desynced: "no" }) : next;
}

/** @param {State} state @param {Snapshot} message @param {number} at @returns {State} */
function snapshot(state, message, at) {
  const old = state.room?.code === message.room ? state.room : null;
  const { entering, matching } = state;
  const expected = entering && (entering.room ?? message.room) === message.room;
  const awaited = Boolean(expected || (matching && !old));
  if (!old && !awaited) {
    return state;
  }
  const fresh = roomFromSnapshot(message, at, state.me?.player ?? null);
  if (!fresh) {
    return { ...state, notice: impossibleSnapshot() };
  }
  const room = withNames(old ? withLocalState(fresh, old) : fresh, state.prefs);
  const notice = state.notice?.key === "notice.roomUnreadable" ? null : state.notice;
  const next = withLastRoom({ ...state, room, notice });
  return awaited ? entered(next, room) : next;
}

/**
 * Makes an entered room the page's route.
 *
 * @param {State} state
 * @param {import("./state.js").Room} room
 * @returns {State}
 */
function entered(state, room) {
  const { code, seats, you } = room;
  const byLink = state.entering?.byLink ?? false;
  const open = seats.x.kind === "open" || seats.o.kind === "open";
  const watches = you.length === 0 && !(byLink && open);
  const told = byLink || state.notice?.kind === "info" ? state.notice : null;
  const taken = /** @type {const} */ ({ kind: "info", key: "notice.watching", params: {}, text: "" });
  return {
    ...state,
    entering: null,
    matching: null,
    failed: null,
    watching: watches ? code : null,
    notice: watches && byLink ? (told ?? taken) : told,
    route: sameRoute(state.route, { screen: "room", code }),
  };
}

/**
 * Keeps what only this page knows (hints, moves on their way) when a new snapshot arrives.
 *
 * @param {import("./state.js").Room} fresh
 * @param {import("./state.js").Room} old
 * @returns {import("./state.js").Room}
 */
function withLocalState(fresh, old) {
  const same = fresh.game?.number === old.game?.number;
  const now = same && fresh.game?.moves.length === old.game?.moves.length && !fresh.game?.result;
  const { hint, evaluation, sent: move, chosen } = now ? old : fresh;
  return { ...fresh, hint, evaluation, sent: move, chosen, review: same ? old.review : null };
}

/**
 * @param {State} state @param {ServerMessage & {type: "event"}} message @param {number} at
 * @returns {State}
 */
function event(state, message, at) {
  const { room } = state;
  // A snapshot may have overtaken the event.
  if (!room || room.code !== message.room || message.v <= room.v) {
    return state;
  }
  const next = message.v === room.v + 1
    ? roomReducer(room, message.event, at, state.me?.player ?? null)
    : null;
  if (!next) {
    return markDesynced(state, "behind");
  }
  const prefs = next.names === room.names ? state.prefs : withNewNames(state.prefs, next.names);
  return withLastRoom({ ...state, room: next, prefs });
}

/**
 * Two players at one screen have the names that they typed in the form.
 *
 * @param {import("./state.js").Room} room @param {import("./state.js").Prefs} prefs
 * @returns {import("./state.js").Room}
 */
function withNames(room, { forms }) {
  const { nameX = "", nameO = "" } = forms.friend ?? {};
  return room.you.length === 2 ? { ...room, names: { x: nameX, o: nameO } } : room;
}

/**
 * Stores the names of two players at one screen after they swapped sides, for a reload.
 *
 * @param {import("./state.js").Prefs} prefs @param {import("./state.js").Room["names"]} names
 * @returns {import("./state.js").Prefs}
 */
function withNewNames(prefs, names) {
  const friend = { ...prefs.forms.friend, nameX: names?.x ?? "", nameO: names?.o ?? "" };
  return { ...prefs, forms: { ...prefs.forms, friend } };
}

/** @param {State} state @returns {State} with the room that the next visit offers to return to */
function withLastRoom(state) {
  const { room, lastRoom } = state;
  if (!room) {
    return state;
  }
  const seated = room.you.length > 0 && !room.closed;
  const kept = lastRoom === room.code ? null : lastRoom;
  return { ...state, lastRoom: seated ? room.code : kept };
}

/**
 * Takes over what passes in the room.
 *
 * @param {State} state @param {string} code @param {import("./protocol.js").Presence} told
 * @param {number} at
 * @returns {State}
 */
function presence(state, code, told, at) {
  const now = presenceFrom(told, at);
  const known = state.room && isSamePresence(state.room.presence, now);
  return known ? state : inRoom(state, code, { presence: now });
}

/**
 * Compares the room's version with ours. Only this finds a lost last event. The pong's presence
 * replaces a lost one.
 *
 * @param {State} state @param {ServerMessage & {type: "pong"}} message @param {number} at
 * @returns {State}
 */
function pong(state, message, at) {
  const { room } = state;
  if (!room || room.closed || state.entering) {
    return state;
  }
  if (message.room !== room.code) {
    return markDesynced(state, "outside");
  }
  const next = message.presence ? presence(state, room.code, message.presence, at) : state;
  return message.v === room.v ? next : markDesynced(next, "behind");
}

/** @param {State} state @param {"behind" | "outside"} how @returns {State} */
function markDesynced(state, how) {
  const { room } = state;
  return room?.desynced === "no" ? { ...state, room: { ...room, desynced: how } } : state;
}

/** Enters the room again that the server could not read. @param {State} state @returns {State} */
function retry(state) {
  const { room } = state;
  return room?.desynced === "unreadable" ? { ...state, room: { ...room, desynced: "outside" } } : state;
}

/**
 * @param {State} state @param {{room: string, game: number, ply: number}} message
 * @returns {boolean} whether the message is about the position on the board
 */
function isNow({ room }, message) {
  const game = room?.code === message.room ? room.game : null;
  const here = game?.number === message.game && game.moves.length === message.ply;
  return here && !game?.result;
}

/**
 * @param {State} state @param {string} code @param {Partial<import("./state.js").Room>} change
 * @returns {State}
 */
function inRoom(state, code, change) {
  return state.room?.code === code ? { ...state, room: { ...state.room, ...change } } : state;
}

/** @param {State} state @param {Route} route @returns {State} */
function goTo(state, route) {
  if (sameRoute(state.route, route) === state.route) {
    return state;
  }
  const code = route.screen === "room" ? route.code : null;
  const { room, entering } = state;
  return {
    ...state,
    route,
    notice: null,
    failed: null,
    lobby: null,
    watching: null,
    // The page forgets a closed room when the player leaves its screen.
    room: room?.closed && room.code !== code ? null : room,
    entering: entering?.byLink && entering.room !== code ? null : entering,
  };
}

/**
 * The old route object where both routes are equal, so that views can compare with `===`.
 *
 * @param {Route} before @param {Route} after
 * @returns {Route}
 */
function sameRoute(before, after) {
  const codes = [before, after].map((route) => (route.screen === "room" ? route.code : ""));
  return before.screen === after.screen && codes[0] === codes[1] ? before : after;
}

/** @returns {import("./state.js").Notice} */
function impossibleSnapshot() {
  return { kind: "error", key: "notice.impossible", params: {}, text: "" };
}
