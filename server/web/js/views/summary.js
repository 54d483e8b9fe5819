// A short text about a room, for the lobby, for invitations and for the ways back.
// @ts-check

import { computerName } from "../computer-text.js";
import { isolated } from "../room/room-text.js";
import { language, strings } from "../strings.js";
import { gameText, rulesText } from "../variant-text.js";

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

/** The game and the opponent, as the player has seen them last. @param {import("../core/rooms.js").KnownRoom} room */
export function knownText({ game, foe }) {
  if (!game) return "";
  const name = foe ? isolated(seatName(foe, game)) : strings("tile.here");
  const key = foe && foe.kind !== "open" ? "return.against" : "return.with";
  return gameText(game) ? strings(key, { game: gameText(game), name }) : name;
}

/**
 * @param {RoomSettings} settings
 * @returns {string} such as "3 × 3, 3 in a row, 30 seconds a move"
 */
export function rules({ board, variant, opening, move_time_ms: time }) {
  const parts = [rulesText({ board, variant })];
  if (opening === "swap2") {
    parts.push("swap2");
  }
  if (time !== null) {
    parts.push(strings("rules.time", { time: inWords(time) }));
  }
  return parts.join(", ");
}

/** A time: "30 seconds", "2 minutes", "1 day". @param {number} ms */
export function inWords(ms) {
  const seconds = Math.round(ms / 1_000) || 1;
  const [unit, size] = seconds % 86_400 === 0 ? ["day", 86_400] : seconds % 60 === 0 ? ["minute", 60] : ["second", 1];
  return new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "long" }).format(seconds / size);
}
