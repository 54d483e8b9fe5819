// The part of the core for questions about kept games and people. It keeps the last question of each
// kind with its answer; a newer one replaces it. Pure.
// @ts-check

import { happen } from "./step.js";

/** @typedef {import("./step.js").Step} Step */
/** @typedef {import("./protocol.js").ClientMessage} ClientMessage */
/** @typedef {"history" | "game" | "review_game" | "profile" | "leaderboard" | "puzzle" | "export" | "here"} QuestionKind */

/**
 * @typedef {object} Question without an answer while both `found` and `refusal` are null
 * @property {ClientMessage & {type: QuestionKind}} message
 * @property {import("./protocol.js").Found | null} found
 * @property {import("./session.js").Refusal | null} refusal
 */

/** @typedef {Readonly<Partial<Record<QuestionKind, Question>>>} Questions */

const KINDS = new Set(["history", "game", "review_game", "profile", "leaderboard", "puzzle", "export", "here"]);

/** @param {ClientMessage} message @returns {message is ClientMessage & {type: QuestionKind}} */
export const isQuestion = (message) => KINDS.has(message.type);

/** @param {Step} step @param {ClientMessage & {type: QuestionKind}} message */
export function askQuestion({ session }, message) {
  const { questions, unanswered } = session;
  const old = questions[message.type]?.message;
  session.unanswered = unanswered.filter((one) => one !== old);
  session.questions = { ...questions, [message.type]: { message, found: null, refusal: null } };
}

/**
 * @param {Step} step @param {ClientMessage} intent that was answered @param {Partial<Question>} answer
 * @returns {boolean} whether it is a question
 */
export function answerQuestion(step, intent, answer) {
  const { session } = step;
  if (!isQuestion(intent)) {
    return false;
  }
  const question = session.questions[intent.type];
  if (question?.message === intent) {
    session.questions = { ...session.questions, [intent.type]: { ...question, ...answer } };
    happen(step, { type: "answered", kind: intent.type });
  }
  return true;
}
