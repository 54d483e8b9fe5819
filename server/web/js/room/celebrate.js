// A short burst of strokes over the board for the winner, in the two inks. It moves nothing, and nobody
// sees it who asked for less motion.
// @ts-check

import { Component, html } from "../html.js";
import { isOver, winner } from "../client/rules.js";
import { firstTo, seriesWinner } from "./series.js";

/** @typedef {import("../core/state.js").Room} Room */

/** As many as the eye takes for many; each is an element. */
const PIECES = 18;

/** A series that is won is a larger thing. */
const SERIES_PIECES = 54;

/** And a party the largest. */
const PARTY_PIECES = 96;

/** The golden angle, in degrees: neighbours in the list fly apart, and no two take the same way. */
const ANGLE = 137.5;

/**
 * Whether the viewer has something to celebrate: a win that was just made, and not by the other side.
 * @param {Room | null} before
 * @param {Room} room
 */
export function celebrates(before, room) {
  const won = winner(room.game);
  const seen = before?.game?.number === room.game?.number && before && !isOver(before);
  return Boolean(won && seen && (room.you.length !== 1 || room.you[0] === won));
}

/** @extends {Component<{room: Room}, {room: Room | null, game: number}>} */
export class Burst extends Component {
  /** `game` is the number of the game that is celebrated, 0 for none. */
  state = { room: null, game: 0 };

  static getDerivedStateFromProps(/** @type {{room: Room}} */ { room }, /** @type {Burst["state"]} */ { room: before, game }) {
    const kept = room.game?.number === game && isOver(room) ? game : 0;
    return { room, game: celebrates(before, room) ? (room.game?.number ?? 0) : kept };
  }

  render() {
    const { room } = this.state;
    if (this.state.game === 0 || !room) return null;
    const series = seriesWinner(room) !== null && (firstTo(room) ?? 0) > 1;
    return html`<${Pieces} kind=${series ? "burst is-series" : "burst"} count=${series ? SERIES_PIECES : PIECES} />`;
  }
}

/** The burst for the winner of a party, over the whole window. */
export const Fanfare = () => html`<${Pieces} kind="burst is-party" count=${PARTY_PIECES} />`;

/** @param {{kind: string, count: number}} props */
function Pieces({ kind, count }) {
  const piece = (/** @type {unknown} */ _, /** @type {number} */ at) =>
    html`<i style=${{ "--angle": `${at * ANGLE}deg`, "--far": 0.5 + ((at * 7) % 5) / 10 }}></i>`;
  return html`<div class=${kind} aria-hidden="true">${Array.from({ length: count }, piece)}</div>`;
}
