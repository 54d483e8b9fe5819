// The board of the room: it shows the running game, or the move of a finished game that the player
// steps to. Before the first game the invitation stands here.
// @ts-check

import { h, toggle } from "../dom.js";
import * as rules from "../rules.js";
import { ZoomableBoard } from "./zoomable-board.js";
import { reviewOf } from "./review.js";

/** @typedef {import("../strings.js").Strings} Strings */
/** @typedef {import("../state.js").Room} Room */

/**
 * @param {{strings: Strings, play: (cell: number) => void,
 *   mayPlay: (cell: number) => boolean}} options `mayPlay` shows the reason where it is false
 */
export function createBoardPanel(options) {
  const element = h("div", { class: "room-board" });
  /** @type {ZoomableBoard | null} */
  let board = null;
  let size = "";

  return {
    element,
    focus: () => board?.focus(),
    destroy: () => board?.destroy(),
    /**
     * @param {Room} room
     * @param {number | null} ply the number of shown moves; null without stepping
     * @param {ReturnType<typeof rules.sentMove>} sent
     */
    update(room, ply, sent) {
      const { settings, game } = room;
      const { width, height, line } = settings.board;
      const wanted = `${width} ${height} ${line}`;
      if (!board || wanted !== size) {
        board?.destroy();
        board = new ZoomableBoard(settings.board, options);
        element.replaceChildren(board.element);
        size = wanted;
      }
      if (game) board.update(positionOf(room, game, ply, sent), game.moves.length);
      toggle(board.element, game !== null);
    },
  };
}

/**
 * @param {Room} room
 * @param {import("../state.js").Game} game
 * @param {number | null} ply
 * @param {ReturnType<typeof rules.sentMove>} sent
 * @returns {import("./zoomable-board.js").Shown}
 */
function positionOf(room, game, ply, sent) {
  const plies = ply ?? game.moves.length;
  const next = rules.nextMark(game);
  const mayPlace =
    ply === null &&
    !room.closed &&
    rules.isMyTurn(room) &&
    !rules.myChoice(room) &&
    !sent;
  const whole = plies === game.moves.length;
  return {
    marks: rules.marksAfter(room.settings.board, game, plies),
    last: plies > 0 ? game.moves[plies - 1] : null,
    sending: sent && "cell" in sent ? { cell: sent.cell, mark: next } : null,
    hinted: room.hint?.cells ?? [],
    lines: whole ? rules.winningLines(game) : [],
    verdict: ply ? (reviewOf(room)?.moves[ply - 1]?.verdict ?? null) : null,
    ghost: mayPlace ? next : null,
  };
}
