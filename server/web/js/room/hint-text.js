// The text of a hint. Pure.
// @ts-check

import { strings } from "../strings.js";
import { cellName, joinList, lineName } from "./room-text.js";

/** The most cells that the text names. The board shows all of them. */
const MAX_NAMED = 4;

/**
 * "Hint: row 2, column 3. It stops row 2."
 * @param {import("../protocol.js").BoardSpec} board
 * @param {import("../protocol.js").Hint} hint
 */
export function hintText(board, hint) {
  const names = hint.cells.map((cell) => cellName(board, cell));
  const rest = names.length - (MAX_NAMED - 1);
  const cells =
    names.length > MAX_NAMED
      ? strings("room.hint.more", { cells: names.slice(0, MAX_NAMED - 1).join("; "), count: rest })
      : joinList(names, "room.or", "; ");
  return strings("room.hint.text", { cells, reason: reason(board, hint) });
}

/**
 * Why the move is good. For an unknown reason it is the server's text.
 * @param {import("../protocol.js").BoardSpec} board
 * @param {import("../protocol.js").Hint} hint
 */
function reason(board, { reason: { code, lines = [] }, message }) {
  const exact = `room.hint.best.${message.replaceAll(" ", "_")}`;
  const key = code === "best" ? exact : `room.hint.${code}`;
  const named = lines.map((line) => lineName(board, line));
  return strings.has(key) ? strings(key, { lines: joinList(named) }) : message;
}
