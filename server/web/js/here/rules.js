// The rules of `line`, and a small player: what this device plays by itself, without a server. The server's tests
// hold both to the true ones by `tests/page/here.json`. Pure.
// @ts-check

import { cellCount, markAt } from "../client/rules.js";
import { linesThrough } from "./lines.js";

/** @typedef {import("../client/protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("../client/protocol.js").Mark} Mark */
/** @typedef {(Mark | null)[]} Marks */

/** The marks after these moves; X begins. @param {BoardSpec} board @param {readonly number[]} moves @returns {Marks} */
export function marksOf(board, moves) {
  const marks = /** @type {Marks} */ (new Array(cellCount(board)).fill(null));
  moves.forEach((cell, ply) => {
    marks[cell] = markAt("x", ply);
  });
  return marks;
}

/** How the game stands. @param {BoardSpec} board @param {readonly number[]} moves @returns {Mark | "draw" | null} */
export function outcome(board, moves) {
  const last = moves.at(-1);
  if (last === undefined) return null;
  const marks = marksOf(board, moves);
  if (linesThrough(board, marks, last).length > 0) return marks[last];
  return marks.includes(null) ? null : "draw";
}

/** @param {Marks} marks */
const emptyCells = (marks) => marks.flatMap((mark, cell) => (mark === null ? [cell] : []));

/**
 * The cells that win at once; else those that the other side would win on; else none.
 *
 * @param {BoardSpec} board @param {readonly number[]} moves
 */
export function pressing(board, moves) {
  const marks = marksOf(board, moves);
  const wins = (/** @type {Mark} */ mark) =>
    emptyCells(marks).filter((cell) => linesThrough(board, Object.assign([...marks], { [cell]: mark }), cell).length > 0);
  const own = markAt("x", moves.length);
  const other = markAt("x", moves.length + 1);
  const taken = wins(own);
  const blocked = wins(other);
  return taken.length > 0 ? taken : blocked;
}

/**
 * The small player's move: a win, else a block, else a cell beside a mark.
 *
 * @param {BoardSpec} board
 * @param {readonly number[]} moves
 * @param {() => number} random gives a number from 0 to below 1
 */
export function smallMove(board, moves, random) {
  const marks = marksOf(board, moves);
  const { width } = board;
  const isNear = (/** @type {number} */ cell) => moves.some((move) =>
    Math.abs((move % width) - (cell % width)) <= 1 && Math.abs(Math.floor(move / width) - Math.floor(cell / width)) <= 1);
  const empty = emptyCells(marks);
  const near = empty.filter(isNear);
  const choice = [pressing(board, moves), near, empty].find((cells) => cells.length > 0) ?? [];
  return choice[Math.floor(random() * choice.length)];
}
