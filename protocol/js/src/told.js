// The part of the core for what the server tells without being asked, and after its answers.
// @ts-check

import { heard } from "./chat.js";
import { switched } from "./features.js";
import { hook } from "./party-hook.js";
import { MARKS } from "./rules.js";
import { isNews, isSamePresence, presenceFrom, tookHint } from "./presence.js";
import { applyEvent, isAt, roomFromSnapshot } from "./room.js";
import { endWait, forgetRoom, happen, isHere, isResyncing, isUnanswered, sendReturn, sync } from "./step.js";

/** @typedef {import("./step.js").Step} Step */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("./protocol.js").ServerMessage} ServerMessage */
/** @typedef {import("./protocol.js").Snapshot} Snapshot */

/** @param {Step} step @param {ServerMessage} message */
export function tell(step, message) {
  switch (message.type) {
    case "snapshot":
      return snapshot(step, message);
    case "event":
      return event(step, message);
    case "presence":
      return presence(step, message.room, message);
    case "pong":
      return pong(step, message);
    case "hint":
    case "evaluation":
    case "review":
      return analysis(step, message);
    case "lobby":
      return lobby(step, message);
    case "chat":
      return heard(step, message);
    case "announcement":
      return announcement(step, message);
    case "challenged":
      return happen(step, { type: "challenged", message });
    case "declined":
      return happen(step, { type: "declined", name: message.name });
    case "features":
      return switched(step, message.features);
    default:
      hook.core?.tell(step, message);
  }
}

/** An announcement for a place where we are not is dropped. @param {Step} step @param {ServerMessage & {type: "announcement"}} message */
function announcement(step, { text, room, party }) {
  const { session } = step;
  const isElsewhere = (room && !isHere(session, room)) || (party && session.party?.state.code !== party);
  if (!isElsewhere) {
    happen(step, { type: "announcement", text });
  }
}

/** @param {Step} step @param {Snapshot} message */
function snapshot(step, message) {
  const { session, at } = step;
  const { settings: { party } } = message;
  // The server leads us to the table of our game.
  const left = isLeft(session, message.room);
  const led = !left && party ? party.party === session.party?.state.code : false;
  const awaited = !left && isAwaited(session, message);
  const old = isHere(session, message.room) ? session.room : null;
  if (!old && !awaited && !led) {
    return;
  }
  const fresh = roomFromSnapshot(message, at, session.player);
  if (!fresh) {
    return happen(step, { type: "impossible" });
  }
  if (!old) {
    forgetRoom(step);
  }
  session.room = old ? { ...withAnalysis(fresh, old), chat: old.chat } : fresh;
  if (awaited) {
    session.entering = null;
  }
  if (old && !awaited) {
    return happen(step, { type: "refreshed" });
  }
  // The server ends the wait of whoever enters a room.
  endWait(step);
  happen(step, { type: "entered" });
}

/** The resume comes back to a room to leave it, and its snapshot comes first. @param {Session} session @param {string} room */
const isLeft = ({ unanswered }, room) =>
  unanswered.some((message) => message.type === "leave" && message.room === room);

/** @param {Session} session @param {Snapshot} message @returns {boolean} */
function isAwaited(session, { room, settings }) {
  const { entering, queue } = session;
  const unknown = queue !== null || (entering !== null && entering.room === null);
  return entering?.room === room || (unknown && !isHere(session, room) && !settings.party);
}

/**
 * Keeps the analyses that are still about the board.
 *
 * @param {Room} fresh @param {Room} old
 * @returns {Room}
 */
function withAnalysis(fresh, { hint, evaluation, review }) {
  return {
    ...fresh,
    hint: hint && isAt(fresh, hint) ? hint : null,
    evaluation: evaluation && isAt(fresh, evaluation) ? evaluation : null,
    review,
  };
}

/** @param {Step} step @param {ServerMessage & {type: "event"}} message */
function event(step, { room: code, v, event }) {
  const { session, at } = step;
  const { room } = session;
  // A snapshot may have overtaken the event.
  if (room?.code !== code || v <= room.v) {
    return;
  }
  const next = v === room.v + 1 ? applyEvent(room, event, at, session.player) : null;
  if (!next) {
    return sync(step, code);
  }
  if (event.kind === "closed") {
    forgetRoom(step);
    return happen(step, { type: "closed", reason: event.reason, room: next });
  }
  session.room = next;
  happen(step, { type: "event", event });
}

/**
 * Takes over the presence of the room.
 *
 * @param {Step} step @param {string} code @param {import("./protocol.js").Presence} told
 */
function presence(step, code, told) {
  const { session, at } = step;
  const { room } = session;
  const now = presenceFrom(told, at);
  if (room?.code !== code || isSamePresence(room.presence, now)) {
    return;
  }
  const hinted = MARKS.find((mark) => tookHint(room.presence, now, mark)) ?? room.hinted;
  session.room = { ...room, presence: now, hinted };
  if (isNews(room.presence, now)) {
    happen(step, { type: "presence" });
  }
}

/**
 * Compares the server's version of the room with ours. Only this finds a lost last event.
 *
 * @param {Step} step @param {ServerMessage & {type: "pong"}} message
 */
function pong(step, message) {
  const { session } = step;
  const { room, entering } = session;
  hook.core?.pong(step, message.party_v ?? null);
  if (entering) {
    const arrived = entering.room !== null && message.room === entering.room;
    return arrived && !isUnanswered(session, entering.id) ? sync(step, message.room ?? "") : undefined;
  }
  if (!room) {
    return;
  }
  if (message.room !== room.code) {
    return isResyncing(session) ? undefined : sendReturn(step);
  }
  if (message.v !== room.v) {
    return sync(step, room.code);
  }
  if (message.presence) {
    presence(step, room.code, message.presence);
  }
}

/** @param {Step} step @param {ServerMessage & {type: "hint" | "evaluation" | "review"}} message */
function analysis(step, message) {
  const { session } = step;
  const { room } = session;
  const { type } = message;
  if (room?.code !== message.room || (type !== "review" && !isAt(room, message))) {
    return;
  }
  session.room = { ...room, [type]: message };
  if (session.analysis?.message.type === type) {
    session.analysis = null;
  }
  happen(step, { type });
}

/** @param {Step} step @param {ServerMessage & {type: "lobby"}} message */
function lobby(step, { waiting, playing, more }) {
  if (step.session.watchesLobby) {
    step.session.lobby = { waiting, playing, more };
    happen(step, { type: "lobby" });
  }
}
