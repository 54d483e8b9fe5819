// A series of games: the dots of the games that were won, its end, and the question for a new one.
// @ts-check

import { closeDialog, Dialog } from "../dialog.js";
import { html } from "../html.js";
import { MARKS, isOver, opponent } from "../rules.js";
import { strings } from "../strings.js";

/** @typedef {import("../protocol.js").Mark} Mark */
/** @typedef {import("../core/room.js").Room} Room */

/** The most dots beside a name: more are not counted at a glance, and a phone has no room for them. */
const MAX_DOTS = 8;

/** The series that can be asked for, as the numbers of won games; null is open. */
const LENGTHS = [3, 5, null];

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

/**
 * The question which series is next.
 * @param {{room: Room, ask: (first_to: number | null) => void, onclose: () => void}} props
 */
export function NewSeries({ room, ask, onclose }) {
  const foe = opponent(room);
  const person = foe && room.seats[foe].kind === "human";
  /** @param {number | null} length */
  const choice = (length) => {
    const choose = (/** @type {Event} */ event) => {
      closeDialog(event);
      ask(length);
    };
    const label = length ? strings("room.series.choose", { count: length }) : strings("room.series.choose.open");
    return html`<button type="button" class="button-quiet wide" onclick=${choose}>${label}</button>`;
  };
  return html`<${Dialog} aria-labelledby="series-title" aria-describedby="series-text" onclose=${onclose}>
    <h2 id="series-title">${strings("room.series.new")}</h2>
    <p id="series-text">${strings(person ? "room.series.text.offer" : "room.series.text")}</p>
    ${LENGTHS.map(choice)}
    <button type="button" class="button-bare wide" autofocus onclick=${closeDialog}>${strings("board.cancel")}</button>
  <//>`;
}
