// The memory of the chat for one room while its parts come and go: the sheet is opened and closed, and the
// player looks at the menu in between. A reload keeps what was in sight.
// @ts-check

import { CHAT_BURST } from "../client/generated/constants.js";
import { read, write } from "../storage.js";
import { lastNumber } from "./lines.js";

/** Holds the last room with its `heard`, for this tab. */
const KEY = "noughts-heard";

/** The names of people that are remembered, for the list of muted ones. */
const MAX_NAMES = 100;

/**
 * @typedef {object} Memory
 * @property {string} room
 * @property {number} heard the number of the last line that was in sight
 * @property {string} draft what the player has typed and not said
 * @property {number[]} said when the player has said the last lines
 * @property {Map<string, string>} names of people who have said something
 */

/** @type {Memory} */
let memory = { room: "", heard: 0, draft: "", said: [], names: new Map() };

/** The memory of a room. Another room's is forgotten. @param {string} room */
export function memoryOf(room) {
  if (memory.room !== room) {
    const kept = read(() => sessionStorage, KEY);
    const heard = kept?.room === room ? Number(kept.heard) || 0 : 0;
    memory = { room, heard, draft: "", said: [], names: new Map() };
  }
  return memory;
}

/** All lines are in sight. @param {string} room @param {readonly {n: number}[]} lines */
export function hear(room, lines) {
  const here = memoryOf(room);
  const last = lastNumber(lines);
  if (last <= here.heard) return;
  here.heard = last;
  write(() => sessionStorage, KEY, { room, heard: last });
}

/** The player says something now. @param {string} room @param {number} now */
export function noteSaid(room, now) {
  const here = memoryOf(room);
  here.said = [...here.said, now].slice(-CHAT_BURST);
}

/** @param {string} room @param {readonly import("../client/protocol.js").ChatLine[]} lines */
export function noteNames(room, lines) {
  const { names } = memoryOf(room);
  for (const { player, name } of lines) {
    names.delete(player);
    names.set(player, name);
  }
  for (const player of [...names.keys()].slice(0, Math.max(0, names.size - MAX_NAMES))) names.delete(player);
}
