// The people whom the player has played and who are connected now, each a button that asks them to play; and the
// switch that hides the player from them.
// @ts-check

import { FaceOf } from "../face-of.js";
import { Component, Timed, html } from "../html.js";
import { Countdown } from "../room/countdown.js";
import { strings } from "../strings.js";
import { ask } from "./ask.js";

/** @typedef {import("../view.js").Props} Props */
/** @typedef {import("../client/protocol.js").Acquaintance} Person */
/** @typedef {{kind: "here", people: Person[], hidden: boolean}} Here */

/** So often it is asked who is here, in milliseconds. */
const ASK_MS = 20_000;

/** The last answer, if there is one. @param {Props["state"]} state @param {Here | null} before @returns {Here | null} */
const hereOf = ({ questions }, before) => /** @type {any} */ (questions.here?.found ?? before);

/** @extends {Timed<Props, {here: Here | null}>} */
export class HereNow extends Timed {
  state = { here: null };

  /** The last answer stays while another one is awaited. */
  static getDerivedStateFromProps(/** @type {Props} */ { state }, /** @type {{here: Here | null}} */ { here }) {
    return { here: hereOf(state, here) };
  }

  componentDidMount() {
    this.#ask();
    this.timer = setInterval(this.#ask, ASK_MS);
  }

  /** @param {Props} before */
  componentDidUpdate(before) {
    if (before.state.connection.phase !== "open") this.#ask();
  }

  #ask = () => {
    const { connection, features } = this.props.state;
    if (connection.phase === "open" && features.history && !document.hidden) this.context.send({ type: "here" });
  };

  #challenge = (/** @type {Person} */ person) => {
    const { state } = this.props;
    if (!state.entering) ask(this.context.dispatch, state, person);
  };

  /** @param {Props} props @param {{here: Here | null}} shown */
  render({ state }, { here }) {
    const people = here?.people ?? [];
    return people.length > 0 && html`<section class="here-now" aria-labelledby="here-title">
      <h2 id="here-title">${strings("friends.title")}</h2>
      <ul role="list">
        ${people.map((person) => html`<li key=${person.player}>
          <${Countdown} to=${state.asked?.player === person.player ? state.asked.until : 0}>${(/** @type {number} */ left) =>
            html`<${Chip} ...${person} isAsked=${left > 0} ask=${this.#challenge} />`}<//>
        </li>`)}
      </ul>
    </section>`;
  }
}

/**
 * Asks somebody to play. It says so while that invitation holds.
 * @param {Person & {isAsked: boolean, ask: (person: Person) => void}} props
 */
const Chip = ({ isAsked, ask, ...person }) => html`<button
  type="button"
  class="button-quiet"
  aria-disabled=${isAsked}
  aria-label=${strings(isAsked ? "friends.isAsked" : "friends.ask", { name: person.name })}
  onclick=${() => !isAsked && ask(person)}
><${FaceOf} ...${person} /><bdi>${person.name}</bdi>${isAsked && html`<small>${strings("friends.asked")}</small>`}</button>`;

/** Whether others are told that the player is here. @extends {Component<Props>} */
export class HideSwitch extends Component {
  componentDidMount() {
    this.context.send({ type: "here" });
  }

  /** @param {Props} props */
  render({ state }) {
    const here = hereOf(state, null);
    if (!here && state.questions.here?.refusal) return null;
    const change = (/** @type {Event & {currentTarget: HTMLInputElement}} */ { currentTarget }) =>
      this.context.send({ type: "here", hide: !currentTarget.checked });
    return html`<label class="switch here-switch" data-waits=${!here}>
      <input type="checkbox" checked=${!here?.hidden} onchange=${change} />
      <span>${strings("friends.show")}</span>
    </label>`;
  }
}
