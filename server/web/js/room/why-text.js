// Why a cell cannot be played now, and what can be done instead. Pure.
// @ts-check

import { VARIANTS } from "../parts.js";
import { cellCount, cellName, marksAfter } from "../client/rules.js";
import { strings } from "../strings.js";
import { markLetter } from "./room-text.js";

/**
 * @param {import("../core/state.js").Room} room
 * @param {NonNullable<ReturnType<typeof import("../client/rules.js").whyNot>>} why
 * @param {number} cell
 */
export function whyText(room, why, cell) {
  const { game, settings: { board } } = room;
  const { key = why, ...boards } = VARIANTS.module?.whyOf(room, why, cell) ?? {};
  return strings(`room.why.${key}`, {
    ...boards,
    cell: cellName(board, cell),
    mark: markLetter(marksAfter(board, game)[cell] ?? "x"),
    number: cell + 1,
    last: cellCount(board),
  });
}
