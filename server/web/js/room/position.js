// The position on the board: that of the running game, or the one of a finished game that the player
// steps to. Pure.
// @ts-check

import {
  isMyTurn,
  isSending,
  markAt,
  marksAfter,
  myChoice,
  nextMark,
  reviewOf,
  sentMove,
  winner,
  winningLines,
} from "../rules.js";
import { roomSeed } from "./pen.js";

/** @typedef {import("../protocol.js").Mark} Mark */
/** @typedef {{cell: number, mark: Mark}} Placed */

/**
 * @typedef {object} Position
 * @property {readonly (Mark | null)[]} marks the mark of each cell
 * @property {number | null} last the cell of the last move
 * @property {Placed | null} sending a move without an answer
 * @property {Placed | null} hinted a hint
 * @property {Placed | null} better a better move than the last one, which the review calls a mistake
 * @property {readonly import("../protocol.js").WinningLine[]} lines the winning lines
 * @property {Mark | null} winner whose ink the winning lines have
 * @property {import("../protocol.js").ReviewedMove["verdict"] | null} verdict the review of
 *   the last move
 * @property {Mark | null} ghost the mark that the player may place
 * @property {string} seed of the strokes: the room and the game
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
  const reviewed = ply ? reviewOf(room)?.moves[ply - 1] : null;
  const [better, hinted] = [reviewed?.best ?? null, room.hint?.cells[0] ?? null];
  const mayPlace =
    ply === null && !room.closed && isMyTurn(room) && !myChoice(room) && !isSending(state);
  return {
    marks: marksAfter(room.settings.board, game, plies),
    last: plies > 0 ? game.moves[plies - 1] : null,
    sending: sent && "cell" in sent ? { cell: sent.cell, mark } : null,
    hinted: hinted === null ? null : { cell: hinted, mark },
    better: better === null ? null : { cell: better, mark: markAt(game.first, plies - 1) },
    lines: plies === game.moves.length ? winningLines(game) : [],
    winner: winner(game),
    verdict: reviewed?.verdict ?? null,
    ghost: mayPlace ? mark : null,
    seed: roomSeed(room.code, game.number),
  };
}
