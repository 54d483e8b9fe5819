// The core of a client: `update` takes what has happened and returns the next session, with what to
// send and what views are told. The terminal has the same core with the same names, and both run the
// stories of `protocol/tests/golden/series`. Pure: no socket, clock, text or randomness.
// @ts-check

import { ANSWER_MS, MAX_UNANSWERED } from "./generated/constants.js";
import { answer } from "./answers.js";
import { mutes } from "./chat.js";
import { whyBlocked } from "./checks.js";
import { ALL_ON } from "./features.js";
import { hook } from "./party-hook.js";
import { askQuestion, isQuestion } from "./questions.js";
import { resume } from "./resume.js";
import { seenBy } from "./room.js";
import { MARKS, isAway } from "./rules.js";
import { ask, forgetRoom, happen, isHere, isResync, isResyncing, sendReturn, sync } from "./step.js";
import { tell } from "./told.js";

/** @typedef {import("./protocol.js").ClientMessage} ClientMessage */
/** @typedef {import("./protocol.js").Intent} Intent */
/** @typedef {import("./protocol.js").ServerMessage} ServerMessage */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("./step.js").Step} Step */

/**
 * A time in milliseconds of the clock of `performance.now()`.
 *
 * @typedef {number} Moment
 */

/** @typedef {{code: string, message: string}} Refusal */

/**
 * @typedef {object} Session
 * @property {number} nextId the id of the next message
 * @property {"connecting" | "open" | "lost" | "ended"} phase `connecting` until the first welcome,
 *   `lost` while the client reconnects, `ended` when the server forbids to reconnect
 * @property {string | null} player our player id
 * @property {import("./protocol.js").Features} features what the server's host allows
 * @property {Room | null} room
 * @property {{id: number, room: string | null, role: "player" | "spectator"} | null} entering the
 *   `create` or `join` whose snapshot has not come; `room` is `null` until the server names it
 * @property {(ClientMessage & {type: "quick_match"}) | null} queue the quick match that was asked
 *   for and has found nobody yet
 * @property {import("./party.js").Party | null} party the party that we follow, beside the room
 * @property {import("./party.js").Following | null} following the `create_party` or `join_party` whose
 *   snapshot has not come; its `party` is `null` until the server names it
 * @property {boolean} watchesLobby
 * @property {Lobby | null} lobby
 * @property {readonly ClientMessage[]} unanswered in order
 * @property {Analysis | null} analysis the hint or review that was asked for and has not come
 * @property {import("./questions.js").Questions} questions the last question of each kind
 * @property {Moment | null} answerDue when the connection counts as dead
 * @property {Moment | null} rejoinAt when to ask again for a room that the server could not read
 */

/** @typedef {Omit<ServerMessage & {type: "lobby"}, "type">} Lobby */
/** @typedef {{message: ClientMessage & {type: "hint" | "review"}, ply: number}} Analysis */

/**
 * @typedef {{type: "welcome", message: ServerMessage & {type: "welcome"}}
 *   | {type: "told", message: ServerMessage}
 *   | {type: "broke" | "ended", code: number | null, reason: string}
 *   | {type: "asked", intent: Intent}
 *   | {type: "wake" | "time"}} Input `told` is any message but the welcome; `wake`: the device has slept
 */

/**
 * `send` and `reconnect` are for the connection. The others tell views what has happened.
 *
 * @typedef {{type: "send", message: ClientMessage} | {type: "reconnect"}
 *   | {type: "welcome", message: ServerMessage & {type: "welcome"}}
 *   | {type: "announcement", text: string}
 *   | {type: "challenged", message: import("./protocol.js").Challenged}
 *   | {type: "declined", name: string}
 *   | {type: "features", before: import("./protocol.js").Features}
 *   | {type: "event", event: import("./protocol.js").RoomEvent}
 *   | {type: "entered" | "refreshed" | "presence" | "hint" | "evaluation" | "review" | "lobby"
 *      | "impossible" | "busy" | "forgotten" | "party" | "party_presence" | "boards"}
 *   | {type: "party_event", event: import("./protocol.js").PartyEvent}
 *   | {type: "party_lost", party: string, refusal: Refusal}
 *   | {type: "is_party", party: string}
 *   | {type: "chat", lines: readonly import("./protocol.js").ChatLine[]}
 *   | {type: "answered", kind: import("./questions.js").QuestionKind}
 *   | {type: "applied", intent: ClientMessage}
 *   | {type: "refused", intent: ClientMessage, refusal: Refusal}
 *   | {type: "room_lost", room: string, refusal: Refusal}
 *   | {type: "unreadable" | "server_error", refusal: Refusal}
 *   | {type: "closed", reason: import("./protocol.js").CloseReason, room: Room}
 *   | {type: "blocked", why: string}
 *   | {type: "lost" | "ended", code: number | null, reason: string}} Output `closed` has
 *   the last state of the room; `chat` has the lines that were not heard before; `forgotten`: drop the
 *   token and connect again; `party`: a party's snapshot came; `is_party`: the code of a `join` is a
 *   party's
 */

/** @param {number} nextId @returns {Session} */
export const initialSession = (nextId) => ({
  nextId,
  phase: "connecting",
  player: null,
  features: ALL_ON,
  room: null,
  entering: null,
  queue: null,
  party: null,
  following: null,
  watchesLobby: false,
  lobby: null,
  unanswered: [],
  analysis: null,
  questions: {},
  answerDue: null,
  rejoinAt: null,
});

/**
 * When to tell the session the time, unless something else happens before.
 *
 * @param {Session} session
 * @returns {Moment | null}
 */
export function deadline({ answerDue, rejoinAt }) {
  return answerDue === null || rejoinAt === null ? (answerDue ?? rejoinAt) : Math.min(answerDue, rejoinAt);
}

/**
 * @param {Session} before
 * @param {Input} input
 * @param {Moment} at
 * @returns {[Session, Output[]]} the same session where nothing changed
 */
export function update(before, input, at) {
  /** @type {Step} */
  const step = { session: { ...before }, outputs: [], at, answered: false };
  take(step, input);
  const { session, outputs } = step;
  if (outputs.some(({ type }) => type === "forgotten")) {
    Object.assign(session, initialSession(session.nextId));
  }
  if (isPast(session)) {
    session.analysis = null;
  }
  const fresh = step.answered || before.unanswered.length === 0;
  const waits = session.phase === "open" && session.unanswered.length > 0;
  session.answerDue = waits ? (fresh ? at + ANSWER_MS : session.answerDue) : null;
  const keys = /** @type {(keyof Session)[]} */ (Object.keys(session));
  return [keys.every((key) => session[key] === before[key]) ? before : session, outputs];
}

/** @param {Step} step @param {Input} input */
function take(step, input) {
  switch (input.type) {
    case "welcome":
      return welcomed(step, input.message);
    case "told":
      return answer(step, input.message) || tell(step, input.message);
    case "broke":
      return broke(step, input);
    case "ended":
      Object.assign(step.session, { phase: "ended", rejoinAt: null });
      return happen(step, { type: "ended", code: input.code, reason: input.reason });
    case "asked":
      return asked(step, input.intent);
    case "wake":
      return wake(step);
    default:
      return time(step);
  }
}

/** @param {Step} step @param {ServerMessage & {type: "welcome"}} message */
function welcomed(step, message) {
  const { session } = step;
  const { player, features } = message;
  Object.assign(session, { phase: "open", player, features: { ...ALL_ON, ...features } });
  if (session.room) {
    // The player may have been forgotten, and is somebody new.
    session.room = seenBy(session.room, player);
  }
  happen(step, { type: "welcome", message });
  resume(step);
}

/** @param {Step} step @param {Input & {type: "broke" | "ended"}} input */
function broke(step, { code, reason }) {
  const { session } = step;
  Object.assign(session, { phase: "lost", rejoinAt: null });
  // The board may change before the player is back, so nobody waits for a hint.
  session.unanswered = session.unanswered.filter(({ type }) => type !== "hint");
  if (session.analysis?.message.type === "hint") {
    session.analysis = null;
  }
  if (session.room?.chat.told) {
    session.room = { ...session.room, chat: { ...session.room.chat, told: false } };
  }
  happen(step, { type: "lost", code, reason });
}

/** The clock may have stood still while the device slept: what counts down is asked for again. @param {Step} step */
function wake(step) {
  const { room, phase } = step.session;
  if (phase !== "open") {
    return;
  }
  if (room && (room.moveDeadline !== null || MARKS.some((mark) => isAway(room, mark)))) {
    sync(step, room.code);
  }
  hook.core?.wake(step);
}

/** @param {Step} step */
function time(step) {
  const { session, at } = step;
  if (session.answerDue !== null && at >= session.answerDue) {
    session.answerDue = null;
    step.outputs.push({ type: "reconnect" });
  }
  if (session.rejoinAt !== null && at >= session.rejoinAt) {
    session.rejoinAt = null;
    if (session.phase === "open" && !isResyncing(session)) {
      sendReturn(step);
    }
  }
}

/** @param {Step} step @param {Intent} intent */
function asked(step, intent) {
  const { session } = step;
  const own = session.unanswered.filter((message) => !isResync(session, message) && !hook.core?.isResync(session, message));
  if (own.length >= MAX_UNANSWERED) {
    return happen(step, { type: "busy" });
  }
  const why = whyBlocked(session, intent) ?? hook.core?.whyBlocked(session, intent);
  if (why) {
    return happen(step, { type: "blocked", why });
  }
  begin(step, ask(step, intent));
}

/**
 * The change that an intent makes before its answer.
 *
 * @param {Step} step @param {ClientMessage} message
 */
function begin(step, message) {
  const { session } = step;
  switch (message.type) {
    case "create":
    case "challenge":
      session.entering = { id: message.id, room: null, role: "player" };
      break;
    case "join":
      if (!isHere(session, message.room)) {
        session.entering = { id: message.id, room: message.room, role: message.role };
      }
      break;
    case "leave":
      if (isHere(session, message.room)) {
        forgetRoom(step);
      } else {
        session.entering = null;
      }
      break;
    case "quick_match":
      session.queue = message;
      break;
    case "watch_lobby":
      session.watchesLobby = true;
      break;
    case "unwatch_lobby":
      Object.assign(session, { watchesLobby: false, lobby: null });
      break;
    case "hint":
    case "review":
      session.analysis = { message, ply: session.room?.game?.moves.length ?? 0 };
      break;
    case "mute":
      mutes(step, message.player, message.mute ?? true);
      break;
    default:
      if (isQuestion(message)) {
        askQuestion(step, message);
      } else {
        hook.core?.begin(step, message);
      }
  }
}

/** @param {Session} session @returns {boolean} whether we wait for a hint for an earlier position */
function isPast({ analysis, room }) {
  if (analysis?.message.type !== "hint") {
    return false;
  }
  const game = room?.game;
  return !game || game.result !== null || game.number !== analysis.message.game
    || game.moves.length !== analysis.ply;
}
