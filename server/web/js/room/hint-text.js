// A hint in words, by the reason that the server gives. Pure.
// @ts-check

import { cellName, lineName, joinList } from "./room-text.js";

/** @typedef {import("../strings.js").Strings} Strings */

/** As many cells of a hint are named; the board shows them all. */
const NAMED = 4;

/**
 * "Hint: row 2, column 3. It stops row 2."
 * @param {Strings} strings
 * @param {import("../protocol.js").BoardSpec} board
 * @param {import("../protocol.js").Hint} hint
 */
export function hintText(strings, board, hint) {
  const names = hint.cells.map((cell) => cellName(strings, board, cell));
  const rest = names.length - (NAMED - 1);
  const cells =
    names.length > NAMED
      ? strings("room.hint.more", { cells: names.slice(0, NAMED - 1).join("; "), count: rest })
      : joinList(strings, names, "room.or", "; ");
  return strings("room.hint.said", { cells, reason: reason(strings, board, hint) });
}

/**
 * Why it is the best move; for a reason that is not known here, as the server says it.
 * @param {Strings} strings
 * @param {import("../protocol.js").BoardSpec} board
 * @param {import("../protocol.js").Hint} hint
 */
function reason(strings, board, { reason: { code, lines = [] }, message }) {
  const exact = `room.hint.best.${message.replaceAll(" ", "_")}`;
  const key = code === "best" ? exact : `room.hint.${code}`;
  return strings.has(key)
    ? strings(key, {
        lines: joinList(
          strings,
          lines.map((line) => lineName(strings, board, line)),
        ),
      })
    : message;
}
