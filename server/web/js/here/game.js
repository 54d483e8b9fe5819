// A game on this device alone: two people take turns, or one plays the small player. Pure.
// @ts-check

import { markAt } from "../client/rules.js";
import { marksOf, outcome, smallMove } from "./rules.js";

/** @typedef {import("../client/protocol.js").Mark} Mark */
/** @typedef {keyof typeof BOARDS} BoardName */

/** The boards, from a minute to a quarter of an hour. */
export const BOARDS = Object.freeze({
  "3x3": { width: 3, height: 3, line: 3 },
  "5x5": { width: 5, height: 5, line: 4 },
  "9x9": { width: 9, height: 9, line: 5 },
});

/**
 * @typedef {object} Here
 * @property {"people" | "computer"} against the computer is the small player, and plays O
 * @property {BoardName} board
 * @property {readonly number[]} moves X begins
 * @property {{x: number, o: number}} score
 */

/** @type {Here} */
const FIRST = Object.freeze({ against: "people", board: "3x3", moves: [], score: { x: 0, o: 0 } });

/** The valid part of a stored game. @param {Record<string, any> | null} stored @returns {Here} */
export function read(stored) {
  const board = /** @type {BoardName} */ (Object.hasOwn(BOARDS, stored?.board) ? stored?.board : FIRST.board);
  const { x, o } = stored?.score ?? {};
  const score = Number.isInteger(x) && Number.isInteger(o) ? { x, o } : FIRST.score;
  const here = { against: stored?.against === "computer" ? /** @type {const} */ ("computer") : FIRST.against, board, score };
  const moves = Array.isArray(stored?.moves) ? stored.moves : [];
  return moves.reduce((game, cell) => mayPlay(game, cell) ? { ...game, moves: [...game.moves, cell] } : game, { ...here, moves: [] });
}

/** @param {Here} here */
export const specOf = ({ board }) => BOARDS[board];

/** @param {Here} here */
export const outcomeOf = (here) => outcome(specOf(here), here.moves);

/** @param {Here} here */
export const turnOf = ({ moves }) => markAt("x", moves.length);

/** Whether the small player is to move. @param {Here} here */
export const isThinking = (here) => here.against === "computer" && outcomeOf(here) === null && turnOf(here) === "o";

/** @param {Here} here @param {unknown} cell */
const mayPlay = (here, cell) =>
  Number.isInteger(cell) && outcomeOf(here) === null && marksOf(specOf(here), here.moves)[Number(cell)] === null;

/** The game after a move; a win counts. The same game where the move is none. @param {Here} here @param {number} cell @returns {Here} */
export function play(here, cell) {
  if (!mayPlay(here, cell)) return here;
  const next = { ...here, moves: [...here.moves, cell] };
  const won = outcomeOf(next);
  return won === "x" || won === "o" ? { ...next, score: { ...here.score, [won]: here.score[won] + 1 } } : next;
}

/** The small player's move. @param {Here} here @param {() => number} random @returns {Here} */
export const answer = (here, random) => (isThinking(here) ? play(here, smallMove(specOf(here), here.moves, random)) : here);

/** Takes the player's last move back, and the small player's after it. A game that is over stays. @param {Here} here @returns {Here} */
export function takeBack(here) {
  if (outcomeOf(here) !== null) return here;
  const count = here.against === "computer" && here.moves.length > 1 && !isThinking(here) ? 2 : 1;
  return { ...here, moves: here.moves.slice(0, -count) };
}

/** Another game. @param {Here} here @returns {Here} */
export const again = (here) => ({ ...here, moves: [] });

/** Other rules: a new game, and a new score. @param {Here} here @param {Partial<Here>} change @returns {Here} */
export const withRules = (here, change) => ({ ...here, ...change, moves: [], score: FIRST.score });
