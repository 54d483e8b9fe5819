// Why the computer has made its last move, in one short sentence. Pure.
// @ts-check

import { strings } from "../strings.js";
import { joinList } from "./room-text.js";

/** The words for a line, by its kind or direction. @type {Record<string, string>} */
const WORDS = { row: "row", across: "row", column: "column", down: "column" };

/**
 * "It blocks your diagonal."
 * @param {import("../core/state.js").Room} room
 * @returns {string} "" where it has not said why
 */
export function commentText({ game, reason, you }) {
  const key = `room.comment.${reason?.code}`;
  if (!reason || game?.result || !strings.has(key)) return "";
  const words = (reason.lines ?? []).map((line) => WORDS["direction" in line ? line.direction : line.kind] ?? "diagonal");
  const own = [...new Set(words)].map((word) => strings(`room.comment.${word}`));
  return strings(key, { lines: you.length > 0 ? joinList(own) : strings("room.comment.line") });
}
