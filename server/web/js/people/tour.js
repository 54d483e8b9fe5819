// A tour of the house in twenty seconds, for those who want it: four pictures that the pen draws. It goes on by itself
// until somebody presses a button; without motion it waits for that.
// @ts-check

import { Dialog, closeDialog } from "../dialog.js";
import { Timed, html } from "../html.js";
import { MarkIcon } from "../room/board-svg.js";
import { Drawing } from "../screens/tiles.js";
import { strings } from "../strings.js";

/** The steps, by their drawings. */
const STEPS = ["friend", "computer", "party", "watch"];

/** How long a step stays, in milliseconds. */
const STEP_MS = 5_000;

/** @extends {Timed<{onclose: () => void}, {at: number}>} */
export class Tour extends Timed {
  state = { at: 0 };

  componentDidMount() {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.timer = setInterval(() => this.#go(1), STEP_MS);
  }

  /** @param {number} by */
  #go(by) {
    const at = this.state.at + by;
    if (at >= STEPS.length - 1) this.stopTimer();
    if (at >= 0 && at < STEPS.length) this.setState({ at });
  }

  /** The visitor has taken over. @param {number} by */
  #step(by) {
    this.stopTimer();
    this.#go(by);
  }

  /** @param {{onclose: () => void}} props @param {{at: number}} state */
  render({ onclose }, { at }) {
    const step = STEPS[at];
    const last = at === STEPS.length - 1;
    return html`<${Dialog} class="dialog tour" aria-labelledby="tour-title" onclose=${onclose}>
      <div key=${step} class="tour-picture">
        ${step === "friend" ? ["x", "o"].map((mark) => html`<${MarkIcon} key=${mark} mark=${mark} seed="friend" />`) : html`<${Drawing} name=${step} />`}
      </div>
      <div aria-live="polite">
        <h2 id="tour-title">${strings(`tour.${step}`)}</h2>
        <p>${strings(`tour.${step}.text`)}</p>
      </div>
      <p class="tour-dots" aria-label=${strings("tour.at", { at: at + 1, count: STEPS.length })} role="img">
        ${STEPS.map((one) => html`<span key=${one} class=${one === step ? "is-here" : null}></span>`)}
      </p>
      <div class="tour-buttons">
        <button type="button" class="button-quiet" disabled=${at === 0} onclick=${() => this.#step(-1)}>${strings("tour.back")}</button>
        <button type="button" class="button-primary" autofocus onclick=${last ? closeDialog : () => this.#step(1)}>
          ${strings(last ? "tour.done" : "tour.next")}
        </button>
      </div>
    <//>`;
  }
}
