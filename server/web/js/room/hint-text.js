// The text of a hint: one cell and one reason. Pure.
// @ts-check

import { cellName } from "../client/rules.js";
import { strings } from "../strings.js";
import { joinList, lineName, withMark } from "./room-text.js";

/**
 * "Hint: g7 blocks row 7." For an unknown reason it is the server's text.
 * @param {Pick<import("../client/protocol.js").RoomSettings, "board">} settings
 * @param {import("../client/protocol.js").Hint} hint
 */
export function hintText({ board }, { cells, placed, reason: { code, lines = [] }, message }) {
  const key = code === "best" ? `room.hint.best.${message.replaceAll(" ", "_")}` : `room.hint.${code}`;
  const named = joinList(lines.map((line) => lineName(board, line)));
  const params = { cell: withMark(cellName(board, cells[0]), placed), lines: named, message };
  return strings("room.hint.text", { reason: strings(strings.has(key) ? key : "room.hint.other", params) });
}
