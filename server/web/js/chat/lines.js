// The part of a room's lines that the chat shows, and the times when something may be said. Pure.
// @ts-check

import { length } from "../characters.js";
import { CHAT_BURST, CHAT_WINDOW_MS, MAX_CHAT_CHARS } from "../client/generated/constants.js";
import { isRunning } from "../client/rules.js";

/** @typedef {import("../client/protocol.js").ChatLine} ChatLine */
/** @typedef {import("../core/state.js").State} State */
/** @typedef {State & {room: import("../core/state.js").Room}} InRoom */

/**
 * A line as it is shown.
 *
 * @typedef {ChatLine & {mine: boolean, first: boolean, leads: boolean}} ShownLine `first`: the line before is
 *   somebody else's; `leads`: of the leader of the room's party
 */

/** The counter appears when so few characters are left. */
const COUNTED = 30;

/**
 * The lines to show.
 *
 * @param {InRoom} state
 * @returns {ShownLine[]}
 */
export const shownLines = ({ room: { chat, settings }, me, party }) =>
  chat.lines.map((line, at) => ({
    ...line,
    mine: line.player === me?.player,
    leads: settings.party?.party === party?.state.code && line.player === party?.leading,
    first: chat.lines[at - 1]?.player !== line.player || chat.lines[at - 1]?.seat !== line.seat,
  }));

/**
 * The player's words that nobody has heard yet, because the connection is lost.
 *
 * @param {InRoom} state
 */
export const waitingToSay = ({ room, unanswered, connection }) =>
  connection.phase === "open"
    ? []
    : unanswered.flatMap((one) => (one.type === "say" && one.room === room.code ? [{ id: one.id, said: one.said }] : []));

/** Whether the players hear the viewer only after the game. @param {InRoom["room"]} room */
export const isLate = (room) => room.you.length === 0 && isRunning(room);

/**
 * How many lines of others came after line `n`.
 *
 * @param {readonly ShownLine[]} lines
 * @param {number} n
 */
export const unheard = (lines, n) => lines.filter((line) => !line.mine && line.n > n).length;

/** The number of the last line; 0 without any. @param {readonly {n: number}[]} lines */
export const lastNumber = (lines) => lines.at(-1)?.n ?? 0;

/**
 * The text as the server reads it: one line, no spaces at its ends.
 *
 * @param {string} text
 */
export const tidy = (text) => text.replace(/\s+/gu, " ").trim();

/** How many characters are left. @param {string} text */
export const charsLeft = (text) => MAX_CHAT_CHARS - length(tidy(text));

/** Whether the counter is shown. @param {string} text */
export const isCounted = (text) => charsLeft(text) <= COUNTED;

/**
 * How long the player has to wait before the next line, in milliseconds.
 *
 * @param {readonly number[]} said when the player has said something, in order
 * @param {number} now
 */
export function waitToSay(said, now) {
  const before = said.at(-CHAT_BURST);
  return before === undefined ? 0 : Math.max(0, before + CHAT_WINDOW_MS - now);
}
