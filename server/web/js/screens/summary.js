// A short text about a room, for the lobby and for invitations.
// @ts-check

import { computerName } from "../computer-text.js";
import { strings } from "../strings.js";
import { rulesText } from "../variant-text.js";

/** @typedef {import("../client/protocol.js").Seat} Seat */
/** @typedef {import("../client/protocol.js").RoomSettings} RoomSettings */

/**
 * @param {Seat | NonNullable<import("../core/rooms.js").KnownRoom["foe"]>} seat
 * @param {import("../computer-text.js").Rules} [played]
 * @returns {string}
 */
export function seatName(seat, played) {
  if (seat.kind === "human") {
    return seat.name;
  }
  return seat.kind === "open" ? strings("seat.open") : computerName(seat, played);
}

/**
 * @param {RoomSettings} settings
 * @returns {string} such as "3 × 3, 3 in a row, 30 s a move"
 */
export function rules({ board, variant, opening, move_time_ms: time }) {
  const parts = [rulesText({ board, variant })];
  if (opening === "swap2") {
    parts.push("swap2");
  }
  if (time !== null) {
    parts.push(strings("rules.time", { time: duration(time) }));
  }
  return parts.join(", ");
}

/** @param {number} ms */
function duration(ms) {
  const seconds = Math.round(ms / 1_000);
  if (seconds % 86_400 === 0) {
    return strings("duration.days", { count: seconds / 86_400 });
  }
  return seconds % 60 === 0
    ? strings("duration.minutes", { count: seconds / 60 })
    : strings("duration.seconds", { count: seconds });
}
