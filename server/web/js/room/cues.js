// The sounds of a change of the room. Pure. `sound.js` plays them.
// @ts-check

import { MARKS, isMyTurn, isOver, markPlaced, other, sentMove, winner } from "../client/rules.js";

/** @typedef {import("../client/rules.js").InRoom} InRoom */
/** @typedef {import("../client/rules.js").Room} Room */

/**
 * `x` and `o` are the pen that draws the mark.
 * @typedef {"x" | "o" | "came" | "turn" | "win" | "loss" | "draw"} Cue
 */

/**
 * The sounds of a change, in their order.
 * @param {InRoom | null} before
 * @param {InRoom} after
 * @returns {Cue[]} none for a room that was just entered
 */
export function cuesOf(before, after) {
  const was = before?.room;
  const is = after.room;
  if (!before || !was || !is || was.code !== is.code) return [];
  const known = was.game?.number === is.game?.number;
  /** @type {Cue[]} */
  const cues = [];
  const drawn = known ? marksOn(before) : 0;
  const shown = marksOn(after);
  if (is.game && shown > drawn) cues.push(markShown(after, is.game, shown - 1));
  if (MARKS.some((mark) => came(was, is, mark))) cues.push("came");
  if (isOver(is) && !(known && isOver(was))) cues.push(resultOf(is));
  if (turns(was, is)) cues.push("turn");
  return cues;
}

/** The marks on the board, with the one on its way. @param {InRoom} state */
function marksOn(state) {
  const sent = sentMove(state);
  return (state.room?.game?.moves.length ?? 0) + (sent && "cell" in sent ? 1 : 0);
}

/** The mark of a move that may be on its way. @param {InRoom} state @param {import("../client/room.js").Game} game @param {number} ply */
function markShown(state, game, ply) {
  const sent = ply === game.moves.length ? sentMove(state) : null;
  return sent && "mark" in sent ? sent.mark : markPlaced(game, ply);
}

/** Whether somebody else has taken an open seat. @param {Room} was @param {Room} is @param {"x" | "o"} mark */
const came = (was, is, mark) =>
  was.seats[mark].kind === "open" && is.seats[mark].kind === "human" && !is.you.includes(mark);

/**
 * How a game ended for the viewer. A viewer of both sides or none is glad for the winner.
 * @param {Room} room
 */
function resultOf({ game, you }) {
  const won = winner(game);
  if (!won) return "draw";
  return you.length === 1 && you[0] !== won ? "loss" : "win";
}

/**
 * Whether it is newly the viewer's turn against a person. A computer answers while one looks at it.
 * @param {Room} was
 * @param {Room} is
 */
function turns(was, is) {
  if (!isMyTurn(is) || is.you.length === 2 || is.seats[other(is.you[0])].kind === "computer") return false;
  const same = was.game?.number === is.game?.number && isMyTurn(was);
  // The own move and its answer may come at once.
  const moves = (is.game?.moves.length ?? 0) - (was.game?.moves.length ?? 0);
  return !same || moves > 1;
}
