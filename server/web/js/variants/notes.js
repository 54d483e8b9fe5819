// Three short notes for the first game of a variant. The player puts them away on this device.
// @ts-check

import { Component, html } from "../html.js";
import { strings } from "../strings.js";

/** @typedef {import("../core/state.js").Prefs} Prefs */

/** @extends {Component<{prefs: Prefs, variant: string, board: import("../protocol.js").BoardSpec}>} */
export class VariantNotes extends Component {
  #putAway = () => {
    const { prefs, variant } = this.props;
    this.context.dispatch({ type: "prefs", prefs: { putAway: [...prefs.putAway, variant] } });
  };

  render() {
    const { variant, board } = this.props;
    const line = variant === "qubic" ? board.width : board.line;
    return html`<section class="variant-notes" aria-label=${strings("notes.title")}>
      <ol role="list">
        ${[1, 2, 3].map((number) => html`<li key=${number}>${strings(`notes.${variant}.${number}`, { line })}</li>`)}
      </ol>
      <button type="button" class="button-quiet" onclick=${this.#putAway}>${strings("notes.away")}</button>
    </section>`;
  }
}
