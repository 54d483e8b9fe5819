// The quick match: the form, then the wait for an opponent.
// @ts-check

import { savedChoices, startOf } from "../choices.js";
import { Timed, html } from "../html.js";
import { strings } from "../strings.js";
import { WaitingPen } from "./entering.js";
import { GameForm } from "./game-form.js";

/** @typedef {import("../view.js").Props} Props */
/** @typedef {Props & {matching: import("../core/state.js").Matching}} WaitProps */

/** @param {Props} props */
export function Quick({ page, state }) {
  const { matching } = state;
  return matching
    ? html`<${Wait} page=${page} state=${state} matching=${matching} />`
    : html`<${GameForm} page=${page} state=${state} />`;
}

/** @extends {Timed<WaitProps>} */
class Wait extends Timed {
  componentDidMount() {
    this.timer = setInterval(() => this.forceUpdate(), 250);
  }

  #cancel = () => this.props.page.send({ type: "cancel_match" });

  #playComputer = () => {
    const { page, state, matching } = this.props;
    const { width, height, line } = matching.message.board ?? { width: 3, height: 3, line: 3 };
    const saved = savedChoices(state.prefs, "computer");
    const { variant = "line" } = matching.message;
    const values = { ...saved, variant, board: `${width}x${height}x${line}`, opening: "free" };
    this.#cancel();
    page.send(startOf("computer", values, state.features));
  };

  render() {
    const { since, message } = this.props.matching;
    const passed = performance.now() - since;
    const after = message.computer?.after_ms;
    const count = Math.max(0, Math.ceil(((after ?? 0) - passed) / 1_000));
    return html`
      <div class="screen waiting">
        <${WaitingPen} />
        <h1>${strings("quick.waiting")}</h1>
        <p class="elapsed" role="timer">${clock(passed)}</p>
        <p class="lead">${after ? strings("quick.then", { count }) : strings("quick.stay")}</p>
        <div class="buttons">
          <button type="button" class="button-quiet" onclick=${this.#playComputer}>
            ${strings("quick.computer")}
          </button>
          <button type="button" class="button-quiet" onclick=${this.#cancel}>
            ${strings("quick.cancel")}
          </button>
        </div>
      </div>
    `;
  }
}

/** @param {number} ms @returns {string} minutes and seconds */
function clock(ms) {
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
