// A series of games: the dots of the games that were won, and its end.
// @ts-check

import { html } from "../html.js";
import { MARKS, isOver } from "../client/rules.js";
import { strings } from "../strings.js";

/** @typedef {import("../client/protocol.js").Mark} Mark */
/** @typedef {import("../client/room.js").Room} Room */

/** The most dots beside a name: more are not counted at a glance, and a phone has no room for them. */
const MAX_DOTS = 8;

/** How many games have to be won; null in an open series. @param {Room} room */
export const firstTo = (room) => room.series?.first_to ?? null;

/** The winner of a series that is decided. @param {Room} room @returns {Mark | null} */
export function seriesWinner(room) {
  const goal = firstTo(room);
  return (goal && isOver(room) && MARKS.find((mark) => room.score[mark] >= goal)) || null;
}

/**
 * The dots of a player: filled for won games, open for those that are left. Where they are too many,
 * one dot and a number.
 * @param {number} wins
 * @param {number | null} goal
 * @returns {{filled: number, open: number, count: string}}
 */
export function dotsOf(wins, goal) {
  if (Math.max(wins, goal ?? 0) > MAX_DOTS) {
    return { filled: 1, open: 0, count: goal ? `${wins}/${goal}` : String(wins) };
  }
  return { filled: wins, open: goal ? Math.max(goal - wins, 0) : 0, count: "" };
}

/** @param {{wins: number, goal: number | null}} props */
export function Dots({ wins, goal }) {
  const { filled, open, count } = dotsOf(wins, goal);
  const name = goal ? strings("room.wins.of", { count: wins, goal }) : strings("room.wins", { count: wins });
  const dot = (/** @type {number} */ at) =>
    html`<span key=${at} class=${at < filled ? "dot is-won" : "dot"}></span>`;
  return html`<span class="dots" role="img" aria-label=${name}>
    ${Array.from({ length: filled + open }, (_, at) => dot(at))}${count}
  </span>`;
}
