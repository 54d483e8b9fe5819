// The question for a new series of games. Loaded when it is asked.
// @ts-check

import { Dialog, closeDialog, closing } from "../dialog.js";
import { html } from "../html.js";
import { opponent } from "../client/rules.js";
import { strings } from "../strings.js";

/** @typedef {import("../client/room.js").Room} Room */

/** The series that can be asked for, as the numbers of won games; null is open. */
const LENGTHS = [3, 5, null];

/**
 * The question which series is next.
 * @param {{room: Room, ask: (first_to: number | null) => void, onclose: () => void}} props
 */
export function NewSeries({ room, ask, onclose }) {
  const foe = opponent(room);
  const person = foe && room.seats[foe].kind === "human";
  /** @param {number | null} length */
  const choice = (length) => {
    const label = length ? strings("room.series.choose", { count: length }) : strings("room.series.choose.open");
    return html`<button type="button" class="button-quiet wide" onclick=${closing(() => ask(length))}>${label}</button>`;
  };
  return html`<${Dialog} aria-labelledby="series-title" aria-describedby="series-text" onclose=${onclose}>
    <h2 id="series-title">${strings("room.series.new")}</h2>
    <p id="series-text">${strings(person ? "room.series.text.offer" : "room.series.text")}</p>
    ${LENGTHS.map(choice)}
    <button type="button" class="button-bare wide" autofocus onclick=${closeDialog}>${strings("board.cancel")}</button>
  <//>`;
}
