// Where the chat of a room stands. Pure. The chat itself is in `chat/`, which is loaded with the first
// room.
// @ts-check

import { MARKS } from "../client/rules.js";
import { watchers } from "./room-bar.js";

/** @typedef {import("../core/state.js").State} State */

/** Windows in which the panel has room below the moves; exported for the screen of the room. */
export const WIDE = "(orientation: landscape) and (min-width: 56rem) and (min-height: 45rem)";

/**
 * `panel`: beside the board, for people who play each other, where the window is wide. `button`: behind a
 * button of the bar. `null`: the chat is off, or nobody would hear anything.
 *
 * @param {State & {room: import("../core/state.js").Room}} state
 * @param {boolean} wide
 * @returns {"panel" | "button" | null}
 */
export function chatPlace({ features, room }, wide) {
  if (!features.chat || room.settings.chat === "off") return null;
  const others = MARKS.some((mark) => room.seats[mark].kind === "human" && !room.you.includes(mark));
  if (others && wide) return "panel";
  return others || watchers(room) > 0 || room.chat.lines.length > 0 ? "button" : null;
}
