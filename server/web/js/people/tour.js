// A tour of the house in twenty seconds, for those who want it: four pictures that the pen draws.
// @ts-check

import { Close, Dialog, closeDialog } from "../dialog.js";
import { Component, html } from "../html.js";
import { MarkIcon } from "../room/board-svg.js";
import { Drawing } from "../views/tiles.js";
import { strings } from "../strings.js";

/** The steps, by their drawings. */
const STEPS = ["friend", "computer", "party", "watch"];

/** @extends {Component<{onclose: () => void}, {at: number}>} */
export class Tour extends Component {
  state = { at: 0 };

  /** @param {{onclose: () => void}} props @param {{at: number}} state */
  render({ onclose }, { at }) {
    const step = STEPS[at];
    const last = at === STEPS.length - 1;
    return html`<${Dialog} class="dialog tour" closedby="any" aria-labelledby="tour-title" onclose=${onclose}>
      <${Close} class="button-bare tour-close" name=${strings("pass.close")} />
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
        <button type="button" class="button-quiet" disabled=${at === 0} onclick=${() => this.setState({ at: at - 1 })}>${strings("tour.back")}</button>
        <button type="button" class="button-primary" autofocus onclick=${last ? closeDialog : () => this.setState({ at: at + 1 })}>
          ${strings(last ? "tour.done" : "tour.next")}
        </button>
      </div>
    <//>`;
  }
}
