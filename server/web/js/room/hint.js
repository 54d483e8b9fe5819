// A hint in words, by the reason that the server gives. Pure.
// @ts-check

import { has } from "../words.js";
import { cellName, lineName, list } from "./say.js";

/** As many cells of a hint are named; the board shows them all. */
const NAMED = 4;

/**
 * "Hint: row 2, column 3. It stops row 2."
 * @param {import("./say.js").T} t
 * @param {import("../protocol.js").BoardSpec} board
 * @param {import("../protocol.js").Hint} hint
 */
export function hintText(t, board, hint) {
  const names = hint.cells.map((cell) => cellName(t, board, cell));
  const rest = names.length - (NAMED - 1);
  const cells =
    names.length > NAMED
      ? t("room.hint.more", { cells: names.slice(0, NAMED - 1).join("; "), count: rest })
      : list(t, names, "room.or", "; ");
  return t("room.hint.said", { cells, reason: reason(t, board, hint) });
}

/**
 * Why it is the best move; for a reason that is not known here, as the server says it.
 * @param {import("./say.js").T} t
 * @param {import("../protocol.js").BoardSpec} board
 * @param {import("../protocol.js").Hint} hint
 */
function reason(t, board, { reason: { code, lines = [] }, message }) {
  const exact = `room.hint.best.${message.replaceAll(" ", "_")}`;
  const key = code === "best" ? exact : `room.hint.${code}`;
  return has(key)
    ? t(key, {
        lines: list(
          t,
          lines.map((line) => lineName(t, board, line)),
        ),
      })
    : message;
}
