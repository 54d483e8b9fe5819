// The position on the board: that of the running game, or the one of a finished game that the player
// steps to. Pure.
// @ts-check

import { isMyTurn, isSending, marksAfter, myChoice, nextMark, sentMove, winningLines } from "../rules.js";
import { reviewOf } from "./review.js";

/** @typedef {import("../protocol.js").Mark} Mark */

/**
 * @typedef {object} Position
 * @property {readonly (Mark | null)[]} marks the mark of each cell
 * @property {number | null} last the cell of the last move
 * @property {{cell: number, mark: Mark} | null} sending a move without an answer
 * @property {readonly number[]} hinted the cells of a hint
 * @property {readonly import("../protocol.js").WinningLine[]} lines the winning lines
 * @property {import("../protocol.js").ReviewedMove["verdict"] | null} verdict the review of
 *   the last move
 * @property {Mark | null} ghost the mark that the player may place
 */

/**
 * @param {import("../core/state.js").State} state
 * @param {import("../core/state.js").Room} room
 * @param {import("../core/state.js").Game} game
 * @param {number | null} ply the number of shown moves; null without stepping
 * @returns {Position}
 */
export function positionOf(state, room, game, ply) {
  const plies = ply ?? game.moves.length;
  const [mark, sent] = [nextMark(game), sentMove(state)];
  const mayPlace =
    ply === null && !room.closed && isMyTurn(room) && !myChoice(room) && !isSending(state);
  return {
    marks: marksAfter(room.settings.board, game, plies),
    last: plies > 0 ? game.moves[plies - 1] : null,
    sending: sent && "cell" in sent ? { cell: sent.cell, mark } : null,
    hinted: room.hint?.cells ?? [],
    lines: plies === game.moves.length ? winningLines(game) : [],
    verdict: ply ? (reviewOf(room)?.moves[ply - 1]?.verdict ?? null) : null,
    ghost: mayPlace ? mark : null,
  };
}
