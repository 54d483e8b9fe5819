// Why the rules of a variant allow no mark on a cell now, and what can be done instead. Pure.
// @ts-check

import { strings } from "../strings.js";
import { openBoards, placeOf } from "./places.js";

/** @typedef {import("../core/state.js").Room} Room */

/**
 * The last part of the text's key, and the numbers of the board to play in and of the cell's own one.
 * @param {Room} room
 * @param {string} why
 * @param {number} cell
 */
export function whyOf({ game, settings }, why, cell) {
  const open = game ? openBoards(settings, game) : [];
  const place = placeOf(settings.variant, settings.board, cell);
  const leaves = why === "cell_taken" && game?.playable?.leaving === cell;
  const isNamed = why === "not_playable" && settings.variant === "ultimate" && open.length === 1;
  const own = `${why}.${settings.variant}`;
  return {
    key: leaves ? "leaving" : isNamed ? "other_board" : strings.has(`room.why.${own}`) ? own : why,
    board: open[0] ?? 0,
    own: place && "board" in place ? place.board : 0,
  };
}
