// The tools of the core for one input: send, tell views, repair the room. A step holds its own
// copy of the session; what the session refers to is never changed.
// @ts-check

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./protocol.js").ClientMessage} ClientMessage */
/** @typedef {import("./protocol.js").Intent} Intent */

/**
 * @typedef {object} Step
 * @property {Session} session
 * @property {import("./session.js").Output[]} outputs
 * @property {import("./session.js").Moment} at
 * @property {boolean} answered whether the time for the next answer starts again
 */

/** @param {Step} step @param {import("./session.js").Output} output */
export function happen(step, output) {
  step.outputs.push(output);
}

/** @param {Step} step @param {Intent} intent @returns {ClientMessage} with an id */
export function withId({ session }, intent) {
  const id = session.nextId;
  session.nextId += 1;
  return { ...intent, id };
}

/**
 * Sends an intent whose answer matters. Without a connection the resume sends it.
 *
 * @template {Intent} T
 * @param {Step} step @param {T} intent
 * @returns {T & {id: number}}
 */
export function ask(step, intent) {
  const message = /** @type {T & {id: number}} */ (withId(step, intent));
  step.session.unanswered = [...step.session.unanswered, message];
  if (step.session.phase === "open") {
    happen(step, { type: "send", message });
  }
  return message;
}

/** @param {Session} session @param {string | null} room @returns {boolean} */
export const isHere = (session, room) => session.room !== null && session.room.code === room;

/** @param {Session} session @param {number} id @returns {boolean} */
export const isUnanswered = ({ unanswered }, id) => unanswered.some((message) => message.id === id);

/**
 * Whether a message asks for the snapshot of the room that we are in. A *return* is a `join` as
 * spectator: a player gets the seat back, and a player who has lost it takes none.
 *
 * @param {Session} session @param {ClientMessage} message
 */
export const isReturn = (session, message) =>
  message.type === "join" && message.role === "spectator" && isHere(session, message.room);

/** @param {Session} session @param {ClientMessage} message */
export const isResync = (session, message) => message.type === "sync" || isReturn(session, message);

/** @param {Session} session @returns {boolean} whether a new snapshot of the room is on its way */
export const isResyncing = (session) =>
  session.unanswered.some((message) => isResync(session, message));

/** @param {Step} step */
export function sendReturn(step) {
  const { room } = step.session;
  if (room) {
    ask(step, { type: "join", room: room.code, role: "spectator" });
  }
}

/** @param {Step} step @param {string} room the room whose snapshot we want */
export function sync(step, room) {
  if (!isResyncing(step.session)) {
    ask(step, { type: "sync", room });
  }
}

/** Ends the wait for a quick match, unless another one was asked for since. @param {Step} step */
export function endWait({ session }) {
  session.queue = session.queue && isUnanswered(session, session.queue.id) ? session.queue : null;
}

/** @param {Step} step */
export function forgetRoom({ session }) {
  session.unanswered = session.unanswered.filter((message) => !isResync(session, message));
  Object.assign(session, { room: null, analysis: null, rejoinAt: null });
}
