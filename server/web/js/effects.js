// What the page sends by itself after an action: it rejoins the room after a break, sends `sync`
// after a gap, and watches the lobby while the lobby is on the screen. Pure.
// @ts-check

import { roleIn } from "./reduce-sent.js";
import { MARKS, isAway } from "./rules.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./reduce.js").Action} Action */
/** @typedef {import("./protocol.js").Intent} Intent */
/** @typedef {import("./protocol.js").ClientMessage} ClientMessage */

/**
 * A message to send. One with an `id` is a repetition. One that is not `tracked` does not become
 * pending: it is pending already, or the page ignores its answer.
 *
 * @typedef {{message: Intent | ClientMessage, tracked: boolean}} Send
 */

/**
 * What to send because `action` led from `before` to `after`, in order.
 *
 * @param {State} before
 * @param {State} after
 * @param {Action} action
 * @returns {Send[]}
 */
export function effects(before, after, action) {
  if (action.type === "server" && action.message.type === "welcome") {
    return [...resume(after), ...requestRoute(after)];
  }
  return [...leaveRoute(before, after), ...resync(before, after, action), ...enterRoute(before, after)];
}

/**
 * What to send after `welcome`, in this order: pending intents up to the last `leave`, the room,
 * the quick match, the other pending intents.
 *
 * @param {State} state
 * @returns {Send[]}
 */
function resume({ room, entering, matching, pending }) {
  const isPending = (/** @type {number} */ id) => pending.some(({ message }) => message.id === id);
  const left = pending.map(({ message }) => message.type).lastIndexOf("leave") + 1;
  const sends = pending.slice(0, left).flatMap(repeat);
  if (room && !room.closed) {
    sends.push(intent({ type: "join", room: room.code, role: roleIn(room) }));
  }
  if (matching && !isPending(matching.message.id)) {
    sends.push(repeated(matching.message));
  }
  sends.push(...pending.slice(left).flatMap(repeat));
  if (entering?.room && !isPending(entering.id)) {
    sends.push(intent({ type: "join", room: entering.room, role: entering.role }));
  }
  return sends;
}

/** @param {State["pending"][number]} pending @returns {Send[]} */
function repeat({ message, role }) {
  // Only a member of a room can leave it.
  return message.type === "leave"
    ? [repeated({ type: "join", room: message.room, role: role ?? "spectator" }), repeated(message)]
    : [repeated(message)];
}

/**
 * What the route needs from the server.
 *
 * @param {State} state
 * @returns {Send[]}
 */
function requestRoute({ route, room, entering, failed, connection, pending }) {
  if (connection.phase !== "open") {
    return [];
  }
  if (route.screen === "lobby") {
    const asked = pending.some(({ message }) => message.type === "watch_lobby");
    return asked ? [] : [intent({ type: "watch_lobby" })];
  }
  if (route.screen !== "room" || entering || [room?.code, failed?.room].includes(route.code)) {
    return [];
  }
  // A player with a seat gets it back although the role is `spectator`.
  return [intent({ type: "join", room: route.code, role: "spectator" })];
}

/** @param {State} before @param {State} after @returns {Send[]} */
function enterRoute(before, after) {
  return before.route === after.route ? [] : requestRoute(after);
}

/**
 * What leaving a route cancels.
 *
 * @param {State} before @param {State} after
 * @returns {Send[]}
 */
function leaveRoute(before, after) {
  const { route, room, entering } = before;
  if (route === after.route) {
    return [];
  }
  /** @type {Send[]} */
  const sends = [];
  const cancelled = after.pending.some(({ message }) => message.type === "cancel_match");
  if (route.screen === "quick" && after.matching && !cancelled) {
    sends.push(intent({ type: "cancel_match" }));
  }
  if (route.screen === "lobby") {
    sends.push(intent({ type: "unwatch_lobby" }));
  }
  const watched = room && after.room === room && room.you.length === 0 && !room.closed;
  if (watched && route.screen === "room" && route.code === room.code) {
    sends.push(intent({ type: "leave", room: room.code }));
  } else if (entering?.byLink && entering.room && !after.entering) {
    sends.push(intent({ type: "leave", room: entering.room }));
  }
  return sends;
}

/**
 * What brings our copy of the room up to date.
 *
 * @param {State} before @param {State} after @param {Action} action
 * @returns {Send[]}
 */
function resync(before, after, action) {
  const { room } = after;
  if (action.type === "server" && action.message.type === "refused") {
    const { id, code } = action.message;
    const join = before.entering?.id === id && !after.entering && !after.failed;
    if (join && code === "seats_taken" && before.entering?.room) {
      return [intent({ type: "join", room: before.entering.room, role: "spectator" })];
    }
  }
  if (!room || room.closed) {
    return [];
  }
  const turned = room.desynced !== (before.room?.desynced ?? "no");
  if (turned && room.desynced === "outside") {
    return [intent({ type: "join", room: room.code, role: roleIn(room) })];
  }
  // The page's clock may stop while the device sleeps.
  const slept = action.type === "wake" && after.connection.phase === "open" && hasCountdown(room);
  if (slept || (turned && room.desynced === "behind")) {
    return [intent({ type: "sync", room: room.code })];
  }
  return [];
}

/** @param {import("./state.js").Room} room @returns {boolean} */
function hasCountdown(room) {
  return room.moveDeadline !== null || MARKS.some((mark) => isAway(room, mark));
}

/** @param {Intent} message @returns {Send} */
function intent(message) {
  return { message, tracked: true };
}

/** @param {Intent | ClientMessage} message @returns {Send} */
function repeated(message) {
  return { message, tracked: false };
}
