// Why a cell cannot be played now, and what can be done instead. Pure.
// @ts-check

import { cellCount, marksAfter } from "../rules.js";
import { strings } from "../strings.js";
import { openBoards, placeOf } from "./places.js";
import { markLetter } from "./room-text.js";

/** @typedef {import("../core/state.js").Room} Room */
/** @typedef {NonNullable<ReturnType<typeof import("../rules.js").whyNot>>} Why */

/**
 * @param {Room} room
 * @param {Why} why
 * @param {number} cell
 * @param {import("./room-text.js").CellName} name names the cell
 */
export function whyText(room, why, cell, name) {
  const { game, settings: { board, variant } } = room;
  const keys = [`room.why.${told(room, why, cell)}`, `room.why.${why}.${variant}`];
  const text = strings(keys.find(strings.has) ?? `room.why.${why}`, {
    cell: name(board, cell, variant),
    mark: markLetter(marksAfter(board, game)[cell] ?? "x"),
    number: cell + 1,
    last: cellCount(board),
    board: game ? (openBoards(room.settings, game)[0] ?? 0) : 0,
    own: /** @type {any} */ (placeOf(variant, board, cell))?.board ?? 0,
  });
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The reason that what is told about the next move gives, or null.
 * @param {Room} room @param {Why} why @param {number} cell
 */
function told({ game, settings }, why, cell) {
  if (why === "cell_taken" && game?.playable?.leaving === cell) return "leaving";
  const isNamed = game && settings.variant === "ultimate" && openBoards(settings, game).length === 1;
  return why === "not_playable" && isNamed ? "other_board" : null;
}
