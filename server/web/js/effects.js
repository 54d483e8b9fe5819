// What the page says to the server by itself, because of what came or where the person went:
// back into the room after a break, `sync` on a gap, the lobby while it is looked at. Pure.
// @ts-check

import { roleIn } from "./reduce-sent.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./reduce.js").Action} Action */
/** @typedef {import("./protocol.js").Intent} Intent */
/** @typedef {import("./protocol.js").ClientMessage} ClientMessage */

/**
 * Something to send. What has an `id` already is a repetition; what is not `tracked` is not among
 * the pending intents (a repetition is there already) and its answer is of no interest.
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
    return [...resume(after), ...arrive(after)];
  }
  return [...depart(before, after), ...resync(before, after, action), ...arriving(before, after)];
}

/**
 * What to say after `hello`: up to the last leaving that was not answered, back to the room, the
 * queue, then the rest of what is without an answer.
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
    sends.push(again(matching.message));
  }
  sends.push(...pending.slice(left).flatMap(repeat));
  if (entering?.room && !isPending(entering.id)) {
    sends.push(intent({ type: "join", room: entering.room, role: entering.role }));
  }
  return sends;
}

/** @param {State["pending"][number]} pending @returns {Send[]} */
function repeat({ message, role }) {
  // One leaves only a room that one is in.
  return message.type === "leave"
    ? [again({ type: "join", room: message.room, role: role ?? "spectator" }), again(message)]
    : [again(message)];
}

/**
 * What the place where the person is asks for.
 *
 * @param {State} state
 * @returns {Send[]}
 */
function arrive({ route, room, entering, failed, connection, pending }) {
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
  // Whoever has a seat there is back in it also as a spectator.
  return [intent({ type: "join", room: route.code, role: "spectator" })];
}

/** @param {State} before @param {State} after @returns {Send[]} */
function arriving(before, after) {
  return before.route === after.route ? [] : arrive(after);
}

/**
 * What leaving a place takes back.
 *
 * @param {State} before @param {State} after
 * @returns {Send[]}
 */
function depart(before, after) {
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
 * What repairs our view of the room.
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
  // The page's clock may have stood still while the device slept.
  const slept = action.type === "wake" && after.connection.phase === "open" && counts(room);
  if (slept || (turned && room.desynced === "behind")) {
    return [intent({ type: "sync", room: room.code })];
  }
  return [];
}

/** @param {import("./state.js").Room} room @returns {boolean} whether a countdown runs */
function counts({ moveDeadline, claimAt }) {
  return [moveDeadline, claimAt.x, claimAt.o].some((moment) => moment !== null);
}

/** @param {Intent} message @returns {Send} */
function intent(message) {
  return { message, tracked: true };
}

/** @param {Intent | ClientMessage} message @returns {Send} */
function again(message) {
  return { message, tracked: false };
}
