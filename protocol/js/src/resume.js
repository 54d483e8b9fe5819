// The part of the core that sends after each welcome what the break has cut off.
// @ts-check

import { hook } from "./party-hook.js";
import { ask, happen, isResync, isUnanswered, sendReturn, withId } from "./step.js";

/** @typedef {import("./step.js").Step} Step */
/** @typedef {import("./protocol.js").ClientMessage} ClientMessage */

/** @param {Step} step */
export function resume(step) {
  const { session } = step;
  step.answered = true;
  const { core } = hook;
  session.unanswered = session.unanswered.filter((message) =>
    !isResync(session, message) && !core?.isResync(session, message));
  const ofParties = session.unanswered.filter((message) => core?.owns(message));
  const repeated = session.unanswered.filter((message) => !core?.owns(message));
  const left = repeated.map(({ type }) => type).lastIndexOf("leave") + 1;
  repeatLeaves(step, repeated.slice(0, left));
  sendReturn(step);
  if (session.watchesLobby && !repeated.some(({ type }) => type === "watch_lobby")) {
    ask(step, { type: "watch_lobby" });
  }
  const { queue, entering, analysis } = session;
  if (queue && !isUnanswered(session, queue.id)) {
    happen(step, { type: "send", message: queue });
  }
  repeated.slice(left).forEach((message) => happen(step, { type: "send", message }));
  if (entering?.room && !isUnanswered(session, entering.id)) {
    const { id } = ask(step, { type: "join", room: entering.room, role: entering.role });
    session.entering = { ...entering, id };
  }
  if (analysis?.message.type === "review" && !isUnanswered(session, analysis.message.id)) {
    const { id: _, ...review } = analysis.message;
    session.analysis = { ...analysis, message: ask(step, review) };
  }
  // After the room: the server leads a player whose game runs out of another one.
  core?.resume(step, ofParties);
}

/**
 * Only a member of a room can leave it, or do there what was asked for before.
 *
 * @param {Step} step @param {readonly ClientMessage[]} messages up to the last `leave`
 */
function repeatLeaves(step, messages) {
  let from = 0;
  messages.forEach((left, place) => {
    if (left.type === "leave") {
      const join = withId(step, { type: "join", room: left.room, role: "spectator" });
      const before = messages.slice(from, place + 1);
      [join, ...before].forEach((message) => happen(step, { type: "send", message }));
      from = place + 1;
    }
  });
}
