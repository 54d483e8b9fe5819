// What the answer to an intent changes: each was tracked when it was sent (`reduce-sent.js`), and
// is answered once. Pure.
// @ts-check

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./protocol.js").ClientMessage} ClientMessage */

/**
 * The state after an intent was applied.
 *
 * @param {State} state
 * @param {number} id
 * @param {string | null} room the room it led to or was about
 * @returns {State}
 */
export function answered(state, id, room) {
  const intent = find(state, id);
  const next = intent ? { ...state, pending: without(state, id) } : state;
  if (intent?.type === "cancel_match") {
    return { ...next, matching: null };
  }
  if (room && state.entering?.id === id) {
    return { ...next, entering: { ...state.entering, room } };
  }
  return next;
}

/**
 * The state after an intent, or a frame that was none, was refused.
 *
 * @param {State} state
 * @param {{id: number | null, code: string, message: string}} refusal
 * @returns {State}
 */
export function refused(state, refusal) {
  const { id } = refusal;
  // A queue that does not take us back after a break is as good as a refused match.
  const queue = state.matching?.message.id === id ? state.matching?.message : null;
  const intent = id === null ? null : (find(state, id) ?? queue);
  if (id !== null && !intent) {
    return state;
  }
  const next = id === null ? state : { ...state, pending: without(state, id) };
  const told = { ...next, notice: notice(refusal) };
  switch (intent?.type) {
    case "play":
      return { ...told, room: next.room && { ...next.room, sent: null } };
    case "choose":
      return { ...told, room: next.room && { ...next.room, chosen: null } };
    case "create":
      return { ...told, entering: null };
    case "quick_match":
      return { ...told, matching: null };
    case "join":
      return joinRefused(next, intent, refusal);
    case "sync":
      return syncRefused(next, intent.room, refusal.code);
    // The room is left on this side already; the lobby's list just does not change.
    case "leave":
    case "watch_lobby":
    case "unwatch_lobby":
      return next;
    default:
      return told;
  }
}

/**
 * @param {State} state @param {ClientMessage & {type: "join"}} intent
 * @param {{code: string, message: string}} refusal
 * @returns {State}
 */
function joinRefused(state, { id, room, role }, refusal) {
  if (state.room?.code === room && state.entering?.id !== id) {
    // Whoever watches and wanted the open seat goes on watching.
    const watches = role === "player" && state.room.you.length === 0;
    if (watches) {
      return { ...state, watching: room, notice: notice(refusal) };
    }
    return refusal.code === "not_stored" ? roomUnreadable(state, state.room) : roomLost(state, room, refusal);
  }
  if (state.entering?.id !== id) {
    return state;
  }
  const { code, message } = refusal;
  const before = state.failed?.room === room ? state.failed.code : null;
  if (code === "seats_taken" && role === "player" && before !== "no_spectators") {
    // `effects.js` asks to watch instead.
    const taken = { kind: /** @type {const} */ ("info"), key: "notice.watching", params: {}, text: "" };
    return { ...state, entering: null, notice: taken };
  }
  const failed = { room, code, text: message };
  const lastRoom = code === "no_such_room" && state.lastRoom === room ? null : state.lastRoom;
  return { ...state, entering: null, failed, lastRoom };
}

/**
 * After a break the server would not let us back in.
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
 * After a break the server cannot read or store the room just now: it is asked again, as by the
 * terminal.
 *
 * @param {State} state @param {import("./state.js").Room} room
 * @returns {State}
 */
function roomUnreadable(state, room) {
  const told = { kind: /** @type {const} */ ("error"), key: "notice.roomUnreadable", params: {}, text: "" };
  return { ...state, notice: told, room: { ...room, desynced: "unreadable" } };
}

/** @param {State} state @param {string} room @param {string} code @returns {State} */
function syncRefused(state, room, code) {
  if (state.room?.code !== room) {
    return state;
  }
  // After any other refusal the next pong tells again that we are behind.
  const desynced = code === "not_in_room" ? /** @type {const} */ ("outside") : /** @type {const} */ ("no");
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
function find(state, id) {
  return state.pending.find(({ message }) => message.id === id)?.message ?? null;
}

/** @param {State} state @param {number} id @returns {State["pending"]} */
function without(state, id) {
  return state.pending.filter(({ message }) => message.id !== id);
}
