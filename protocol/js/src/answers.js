// The part of the core for answers. The server answers each intent once.
// @ts-check

import { REJOIN_MS } from "./generated/constants.js";
import { hook } from "./party-hook.js";
import { answerQuestion } from "./questions.js";
import { endWait, forgetRoom, happen, isHere, isReturn, sendReturn } from "./step.js";

/** @typedef {import("./step.js").Step} Step */
/** @typedef {import("./protocol.js").ServerMessage} ServerMessage */
/** @typedef {import("./protocol.js").ClientMessage} ClientMessage */

/** @param {Step} step @param {ServerMessage} message @returns {boolean} whether it is an answer */
export function answer(step, message) {
  if (message.type === "ok") {
    applied(step, message.id, message.room ?? null, message.party ?? null);
  } else if (message.type === "refused") {
    refused(step, message);
  } else if (message.type === "found") {
    const intent = answered(step, message.id);
    if (intent) {
      answerQuestion(step, intent, { found: message.found });
    }
  } else {
    // Each pong tells the version of the room too, mostly for the pings of the connection.
    if (message.type === "pong") answered(step, message.id);
    return false;
  }
  return true;
}

/**
 * @param {Step} step @param {number} id
 * @returns {ClientMessage | null} the intent, which is answered now
 */
function answered(step, id) {
  const { session } = step;
  const intent = session.unanswered.find((message) => message.id === id) ?? null;
  if (intent) {
    session.unanswered = session.unanswered.filter((message) => message !== intent);
    step.answered = true;
  }
  return intent;
}

/**
 * @param {Step} step @param {number} id @param {string | null} room the room that we enter
 * @param {string | null} party the party that we follow
 */
function applied(step, id, room, party) {
  const { session } = step;
  const intent = answered(step, id);
  if (!intent) {
    return;
  }
  if (intent.type === "forget") {
    return happen(step, { type: "forgotten" });
  }
  if (session.entering?.id === id) {
    session.entering = { ...session.entering, room: room ?? session.entering.room };
  } else if (intent.type === "cancel_match" || (intent.type === "quick_match" && room)) {
    endWait(step);
    session.entering = room ? { id, room, role: "player" } : session.entering;
  }
  hook.core?.applied(step, intent, party);
  happen(step, { type: "applied", intent });
}

/** @param {Step} step @param {ServerMessage & {type: "refused"}} message */
function refused(step, { id, code, message }) {
  const { session } = step;
  const refusal = { code, message };
  if (id === null) {
    if (code !== "already_greeted") {
      happen(step, { type: "server_error", refusal });
    }
    return;
  }
  // After a break the queue is asked for again although its first answer was `ok`.
  const intent = answered(step, id) ?? (session.queue?.id === id ? session.queue : null);
  if (!intent) {
    return;
  }
  if (answerQuestion(step, intent, { refusal }) || hook.core?.refused(step, intent, refusal)) {
    return;
  }
  if (session.entering?.id === id) {
    session.entering = null;
  } else if (session.queue?.id === id) {
    session.queue = null;
  } else if (isReturn(session, intent)) {
    return returnRefused(step, refusal);
  } else if (intent.type === "sync") {
    // After another refusal the next pong shows again that we are behind.
    const out = code === "not_in_room" && isHere(session, intent.room) && !session.entering;
    return out ? sendReturn(step) : undefined;
  } else if (intent.type === "leave" && code === "not_in_room") {
    return;
  } else if (session.analysis?.message.id === id) {
    session.analysis = null;
  }
  const isParty = code === "party_code" && intent.type === "join";
  happen(step, isParty ? { type: "is_party", party: intent.room } : { type: "refused", intent, refusal });
}

/** @param {Step} step @param {import("./session.js").Refusal} refusal */
function returnRefused(step, refusal) {
  const { session, at } = step;
  if (refusal.code === "not_stored" || refusal.code === "stopping") {
    session.rejoinAt = at + REJOIN_MS;
    return happen(step, { type: "unreadable", refusal });
  }
  const room = session.room?.code ?? "";
  forgetRoom(step);
  happen(step, { type: "room_lost", room, refusal });
}
