// The position on the board: that of the running game, or the one of a finished game that the player
// steps to. Pure.
// @ts-check

import { decidedAfter, inkFor, isMyTurn, isSending, isStopped, markAt, marksAfter, myChoice, nextMark, reviewOf, sentMove, winner, winningLines } from "../client/rules.js";
import { roomSeed } from "./pen.js";

/** @typedef {import("../client/protocol.js").Mark} Mark */
/** @typedef {{cell: number, mark: Mark}} Placed */

/**
 * @typedef {object} Position
 * @property {readonly (Mark | null)[]} marks the mark of each cell
 * @property {number | null} last the cell of the last move
 * @property {Placed | null} sending a move without an answer
 * @property {Placed | null} hinted a hint
 * @property {Placed | null} better a better move than the last one, which the review calls a mistake
 * @property {readonly import("../client/protocol.js").WinningLine[]} lines the winning lines
 * @property {Mark | null} winner whose ink the winning lines have: that of their marks, or the winner's for a line of boards
 * @property {import("../client/protocol.js").ReviewedMove["verdict"] | null} verdict the review of
 *   the last move
 * @property {Mark | null} ghost the mark that the player may place
 * @property {import("../client/protocol.js").Variant} variant
 * @property {readonly number[] | null} playable the cells that may be played next; null where it is every empty one
 * @property {number | null} leaving the cell whose mark goes with the next move
 * @property {number | null} removed the cell whose mark went with the last move
 * @property {readonly import("../client/protocol.js").DecidedBoard[]} decided the boards that are won, full or dead
 * @property {string} seed of the strokes: the room and the game
 */

/**
 * @param {import("../core/state.js").State} state
 * @param {import("../core/state.js").Room} room
 * @param {import("../core/state.js").Game} game
 * @param {number | null} ply the number of shown moves; null without stepping
 * @param {Mark | null} [ink] the mark that the player has chosen, where there is a choice
 * @returns {Position}
 */
export function positionOf(state, room, game, ply, ink = null) {
  const plies = ply ?? game.moves.length;
  const sent = sentMove(state);
  const marks = marksAfter(room.settings.board, game, plies);
  const lines = plies === game.moves.length ? winningLines(game) : [];
  const reviewed = ply ? reviewOf(room)?.moves[ply - 1] : null;
  const better = reviewed?.best ?? null;
  const hinted = room.hint?.cells[0] ?? null;
  const mayPlace =
    ply === null && !room.closed && !isStopped(room) && isMyTurn(room) && !myChoice(room) && !isSending(state);
  return {
    marks,
    last: plies > 0 ? game.moves[plies - 1] : null,
    sending: sent && "cell" in sent ? sent : null,
    hinted: hinted === null ? null : { cell: hinted, mark: room.hint?.placed ?? nextMark(game) },
    better: better === null ? null : { cell: better, mark: reviewed?.best_placed ?? markAt(game.first, plies - 1) },
    lines,
    winner: (lines[0]?.kind !== "boards" && lines[0] && marks[lines[0].cells[0]]) || winner(game),
    verdict: reviewed?.verdict ?? null,
    ghost: mayPlace ? inkFor(game, ink) : null,
    variant: room.settings.variant ?? "line",
    playable: ply === null ? (game.playable?.cells ?? null) : null,
    leaving: ply === null ? (game.playable?.leaving ?? null) : removedAt(game, plies),
    removed: removedAt(game, plies - 1),
    decided: decidedAfter(game, plies),
    seed: roomSeed(room.code, game.number),
  };
}

/** The cell whose mark goes with a move. @param {import("../core/state.js").Game} game @param {number} ply of the move */
const removedAt = ({ effects }, ply) => effects?.find((effect) => effect.ply === ply)?.removed ?? null;
