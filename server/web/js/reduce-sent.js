// The part of the reducer for intents that the page sends. Each intent is pending until it is
// answered, so that it can be sent again after a break. Pure.
// @ts-check

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./protocol.js").ClientMessage} ClientMessage */

/** Intents that leave the notice on the screen. */
const KEEPS_NOTICE = new Set(["join", "sync", "watch_lobby", "unwatch_lobby"]);

/**
 * The state after an intent was given to the connection.
 *
 * @param {State} state
 * @param {ClientMessage} message
 * @param {number} at
 * @returns {State}
 */
export function sent(state, message, at) {
  const here = state.room && "room" in message && message.room === state.room.code;
  const role = here ? roleIn(state.room) : undefined;
  const tracked = message.type === "leave" ? { message, role } : { message };
  // A player who acts has read the notice.
  const notice = KEEPS_NOTICE.has(message.type) ? state.notice : null;
  const next = { ...state, notice, pending: [...state.pending, tracked] };
  switch (message.type) {
    case "play": {
      const { game, ply, cell } = message;
      return here ? inRoom(next, { sent: { game, ply, cell } }) : next;
    }
    case "choose": {
      const { game, choice } = message;
      return here ? inRoom(next, { chosen: { game, choice } }) : next;
    }
    case "create":
      return { ...next, ...entering(message.id, null, "player", false) };
    case "join":
      return here ? next : { ...next, ...joining(state, message) };
    case "quick_match":
      return { ...next, matching: { message, since: at } };
    case "leave":
      return here ? left(next, message.room) : next;
    default:
      return next;
  }
}

/**
 * The state after an intent was not sent because too many are pending.
 *
 * @param {State} state
 * @returns {State}
 */
export function unsent(state) {
  const notice = { kind: /** @type {const} */ ("error"), key: "notice.busy", params: {}, text: "" };
  return { ...state, notice };
}

/**
 * @param {State} state @param {ClientMessage & {type: "join"}} message
 * @returns {Partial<State>}
 */
function joining({ route, failed, notice }, { id, room, role }) {
  const there = route.screen === "room" && route.code === room;
  // The refusal stays until the room is entered: the screen may have nothing else to show.
  const known = failed?.room === room ? failed : null;
  const byLink = there && role === "spectator";
  const told = byLink || notice?.kind === "info" ? notice : null;
  return { ...entering(id, room, role, byLink), failed: known, notice: told };
}

/**
 * @param {number} id @param {string | null} room @param {"player" | "spectator"} role
 * @param {boolean} byLink
 * @returns {Partial<State>}
 */
function entering(id, room, role, byLink) {
  return { entering: { id, room, role, byLink }, failed: null, notice: null };
}

/** @param {State} state @param {string} room @returns {State} */
function left(state, room) {
  const there = state.route.screen === "room" && state.route.code === room;
  return {
    ...state,
    room: null,
    watching: null,
    lastRoom: state.lastRoom === room ? null : state.lastRoom,
    route: there ? { screen: "welcome" } : state.route,
  };
}

/** @param {State} state @param {Partial<import("./state.js").Room>} change @returns {State} */
function inRoom(state, change) {
  return { ...state, room: state.room && { ...state.room, ...change } };
}

/**
 * Our role in a room.
 *
 * @param {import("./state.js").Room | null} room
 * @returns {"player" | "spectator"}
 */
export function roleIn(room) {
  return room && room.you.length > 0 ? "player" : "spectator";
}
