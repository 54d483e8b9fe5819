// Questions to the server, as the screens see them: the answer to the question of this screen, not to an
// earlier one. Pure.
// @ts-check

import { strings } from "../strings.js";

/** @typedef {import("../core/state.js").State} State */
/** @typedef {import("../client/questions.js").QuestionKind} QuestionKind */
/** @typedef {import("../client/questions.js").Question} Question */

/**
 * The last question of a kind, if it is this one.
 *
 * @param {State} state
 * @param {import("../client/protocol.js").Intent & {type: QuestionKind}} intent
 * @returns {Question | null}
 */
export function questionOf(state, intent) {
  const asked = state.questions[intent.type];
  const keys = new Set([...Object.keys(intent), ...Object.keys(asked?.message ?? {})]);
  keys.delete("id");
  const same = (/** @type {string} */ key) =>
    JSON.stringify(/** @type {any} */ (intent)[key] ?? null) === JSON.stringify(/** @type {any} */ (asked?.message)[key] ?? null);
  return asked && [...keys].every(same) ? asked : null;
}

/**
 * The answer, if it is of the wanted kind.
 *
 * @template {import("../client/protocol.js").Found["kind"]} K
 * @param {Question | null} question @param {K} kind
 * @returns {(import("../client/protocol.js").Found & {kind: K}) | null}
 */
export const foundIn = (question, kind) =>
  question?.found?.kind === kind ? /** @type {any} */ (question.found) : null;

/**
 * Whether the questions of this screen are gone, because the player has become somebody new. A question
 * that could not be asked is not asked again by itself.
 *
 * @param {State} state @param {State} before @param {QuestionKind} kind
 */
export const isGone = (state, before, kind) =>
  state.questions !== before.questions && !state.questions[kind];

/**
 * Why there is no answer, "" without a refusal.
 *
 * @param {Question | null | undefined} question
 */
export function refusalText(question) {
  const { code = "", message = "" } = question?.refusal ?? {};
  const key = [`refused.${code}.question`, `refused.${code}`].find(strings.has);
  return key ? strings(key) : message;
}
