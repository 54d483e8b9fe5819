// Two computers play: the speed, for the player who has made the room, and what the position is worth,
// for all who watch.
// @ts-check

import { Component, html } from "../html.js";
import { strings } from "../strings.js";

/** @typedef {import("../core/state.js").Room} Room */

/** In the order of their buttons. @type {readonly import("../client/protocol.js").Pace[]} */
const PACES = ["paused", "slow", "normal", "fast"];

/** @param {{room: Room, send: (intent: import("../client/protocol.js").Intent) => void}} props */
export const Paces = ({ room, send }) => html`<div
  class="actions-row"
  role="group"
  aria-label=${strings("room.pace")}
>
  ${PACES.map(
    (pace) => html`<button
      key=${pace}
      type="button"
      class="button-quiet"
      aria-pressed=${room.pace === pace}
      onclick=${() => room.pace !== pace && send({ type: "pace", room: room.code, pace })}
    >
      ${strings(`room.pace.${pace}`)}
    </button>`,
  )}
</div>`;

/** Where a worth stands between X and O, in percent. @type {Record<string, number>} */
const PLACES = { x_wins: 0, drawn: 50, o_wins: 100 };

/**
 * The value of the position. The server tells it a moment after each move: until then the last one stays.
 * @extends {Component<{room: Room}, {game: number, worth: string}>}
 */
export class Worth extends Component {
  state = { game: 0, worth: "unclear" };

  static getDerivedStateFromProps(/** @type {{room: Room}} */ { room }, /** @type {Worth["state"]} */ known) {
    const game = room.game?.number ?? 0;
    const before = game === known.game ? known.worth : "unclear";
    return { game, worth: room.evaluation?.worth ?? before };
  }

  render() {
    const { worth } = this.state;
    const unclear = worth === "unclear";
    return html`<div class="worth">
      <p>${strings("room.evaluation")}: ${strings(`room.evaluation.${worth}`)}</p>
      <div class="scale" aria-hidden="true">
        <span>X</span>
        <span class="scale-line" style=${{ "--at": `${PLACES[worth] ?? 50}%` }}>${!unclear && html`<i></i>`}</span>
        <span>O</span>
      </div>
    </div>`;
  }
}
