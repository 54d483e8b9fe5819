// A room in a few words, for the lobby and for invitations.
// @ts-check

import { computerName } from "../computer.js";

/** @typedef {import("./game-fields.js").T} T */
/** @typedef {import("../protocol.js").Seat} Seat */
/** @typedef {import("../protocol.js").RoomSettings} RoomSettings */

/**
 * @param {T} t
 * @param {Seat} seat
 * @returns {string} what to call whoever sits there
 */
export function seatName(t, seat) {
  if (seat.kind === "human") {
    return seat.name;
  }
  return seat.kind === "open" ? t("seat.open") : computerName(t, seat);
}

/**
 * @param {T} t
 * @param {RoomSettings} settings
 * @returns {string} such as "3 × 3, 3 in a row, 30 s a move"
 */
export function rules(t, { board, opening, move_time_ms: time }) {
  const parts = [t("board.size", board), t("board.inARow", board)];
  if (opening === "swap2") {
    parts.push("swap2");
  }
  if (time !== null) {
    parts.push(t("rules.time", { time: duration(t, time) }));
  }
  return parts.join(", ");
}

/** @param {T} t @param {number} ms */
function duration(t, ms) {
  const seconds = Math.round(ms / 1_000);
  if (seconds % 86_400 === 0) {
    return t("duration.days", { count: seconds / 86_400 });
  }
  return seconds % 60 === 0
    ? t("duration.minutes", { count: seconds / 60 })
    : t("duration.seconds", { count: seconds });
}
