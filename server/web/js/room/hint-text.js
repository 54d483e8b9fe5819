// The text of a hint. Pure.
// @ts-check

import { cellName, joinList, lineName } from "./room-text.js";

/** @typedef {import("../strings.js").Strings} Strings */

/** The most cells that the text names. The board shows all of them. */
const MAX_NAMED = 4;

/**
 * "Hint: row 2, column 3. It stops row 2."
 * @param {Strings} strings
 * @param {import("../protocol.js").BoardSpec} board
 * @param {import("../protocol.js").Hint} hint
 */
export function hintText(strings, board, hint) {
  const names = hint.cells.map((cell) => cellName(strings, board, cell));
  const rest = names.length - (MAX_NAMED - 1);
  const cells =
    names.length > MAX_NAMED
      ? strings("room.hint.more", { cells: names.slice(0, MAX_NAMED - 1).join("; "), count: rest })
      : joinList(strings, names, "room.or", "; ");
  return strings("room.hint.text", { cells, reason: reason(strings, board, hint) });
}

/**
 * Why the move is good. For an unknown reason it is the server's text.
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
