// The part of the reducer for answers to intents. The server answers each intent once. Pure.
// @ts-check

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./protocol.js").ClientMessage} ClientMessage */

/**
 * The state after an intent was applied.
 *
 * @param {State} state
 * @param {number} id
 * @param {string | null} room the room that the answer names
 * @returns {State}
 */
export function answered(state, id, room) {
  const intent = pendingIntent(state, id);
  const next = intent ? { ...state, pending: withoutPending(state, id) } : state;
  if (intent?.type === "cancel_match") {
    return { ...next, matching: null };
  }
  if (room && state.entering?.id === id) {
    return { ...next, entering: { ...state.entering, room } };
  }
  return next;
}

/**
 * The state after a refusal of an intent, or of a frame that is no intent (`id` is null).
 *
 * @param {State} state
 * @param {{id: number | null, code: string, message: string}} refusal
 * @returns {State}
 */
export function refused(state, refusal) {
  const { id } = refusal;
  // After a break the quick match is sent again although its first answer was `ok`.
  const queue = state.matching?.message.id === id ? state.matching?.message : null;
  const intent = id === null ? null : (pendingIntent(state, id) ?? queue);
  if (id !== null && !intent) {
    return state;
  }
  const next = id === null ? state : { ...state, pending: withoutPending(state, id) };
  const refusedNow = { ...next, notice: notice(refusal) };
  switch (intent?.type) {
    case "play":
      return { ...refusedNow, room: next.room && { ...next.room, sent: null } };
    case "choose":
      return { ...refusedNow, room: next.room && { ...next.room, chosen: null } };
    case "create":
      return { ...refusedNow, entering: null };
    case "quick_match":
      return { ...refusedNow, matching: null };
    case "join":
      return joinRefused(next, intent, refusal);
    case "sync":
      return syncRefused(next, intent.room, refusal.code);
    // The page has left the room already, and the lobby's list stays as it is.
    case "leave":
    case "watch_lobby":
    case "unwatch_lobby":
      return next;
    default:
      return refusedNow;
  }
}

/**
 * @param {State} state @param {ClientMessage & {type: "join"}} intent
 * @param {{code: string, message: string}} refusal
 * @returns {State}
 */
function joinRefused(state, { id, room, role }, refusal) {
  if (state.room?.code === room && state.entering?.id !== id) {
    // A spectator who did not get the open seat keeps watching.
    const watches = role === "player" && state.room.you.length === 0;
    if (watches) {
      return { ...state, watching: room, notice: notice(refusal) };
    }
    return refusal.code === "not_stored"
      ? roomUnreadable(state, state.room)
      : roomLost(state, room, refusal);
  }
  if (state.entering?.id !== id) {
    return state;
  }
  const { code, message } = refusal;
  const before = state.failed?.room === room ? state.failed.code : null;
  if (code === "seats_taken" && role === "player" && before !== "no_spectators") {
    // `effects.js` joins as a spectator instead.
    const taken = { kind: /** @type {const} */ ("info"), key: "notice.watching", params: {}, text: "" };
    return { ...state, entering: null, notice: taken };
  }
  const failed = { room, code, text: message };
  const lastRoom = code === "no_such_room" && state.lastRoom === room ? null : state.lastRoom;
  return { ...state, entering: null, failed, lastRoom };
}

/**
 * The server refused to let us back into the room after a break.
 *
 * @param {State} state @param {string} room @param {{code: string, message: string}} refusal
 * @returns {State}
 */
function roomLost(state, room, refusal) {
  const there = state.route.screen === "room" && state.route.code === room;
  const gone = refusal.code === "no_such_room";
  const key = gone ? "notice.roomLost" : `refused.${refusal.code}`;
  return {
    ...state,
    room: null,
    lastRoom: gone && state.lastRoom === room ? null : state.lastRoom,
    notice: { kind: "error", key, params: { room }, text: refusal.message },
    route: there ? { screen: "welcome" } : state.route,
  };
}

/**
 * The server cannot read or store the room right now. The page asks again, as the terminal does.
 *
 * @param {State} state @param {import("./state.js").Room} room
 * @returns {State}
 */
function roomUnreadable(state, room) {
  /** @type {import("./state.js").Notice} */
  const notice = { kind: "error", key: "notice.roomUnreadable", params: {}, text: "" };
  return { ...state, notice, room: { ...room, desynced: "unreadable" } };
}

/** @param {State} state @param {string} room @param {string} code @returns {State} */
function syncRefused(state, room, code) {
  if (state.room?.code !== room) {
    return state;
  }
  // After any other refusal the next pong shows again that we are behind.
  /** @type {import("./state.js").Room["desynced"]} */
  const desynced = code === "not_in_room" ? "outside" : "no";
  return { ...state, room: { ...state.room, desynced } };
}

/**
 * @param {{code: string, message: string}} refusal
 * @returns {import("./state.js").Notice}
 */
function notice({ code, message }) {
  return { kind: "error", key: `refused.${code}`, params: {}, text: message };
}

/** @param {State} state @param {number} id @returns {ClientMessage | null} */
function pendingIntent(state, id) {
  return state.pending.find(({ message }) => message.id === id)?.message ?? null;
}

/** @param {State} state @param {number} id @returns {State["pending"]} */
function withoutPending(state, id) {
  return state.pending.filter(({ message }) => message.id !== id);
}
