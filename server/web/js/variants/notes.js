// Three short notes for the first game of a variant, which the player puts away on this device, and the sentence of
// an invitation to one.
// @ts-check

import { Component, html } from "../html.js";
import { rules } from "../screens/summary.js";
import { strings } from "../strings.js";

/** @typedef {import("../core/state.js").Prefs} Prefs */

/** @param {{settings: import("../client/protocol.js").RoomSettings}} props */
export const VariantRules = ({ settings }) => `${rules(settings)}: ${strings(`variant.${settings.variant}.note`)}`;

/** @extends {Component<{prefs: Prefs, settings: import("../client/protocol.js").RoomSettings}>} */
export class VariantNotes extends Component {
  #putAway = () => {
    const { prefs, settings } = this.props;
    this.context.dispatch({ type: "prefs", prefs: { putAway: [...prefs.putAway, settings.variant] } });
  };

  render() {
    const { prefs, settings: { variant = "line", board } } = this.props;
    if (variant === "line" || prefs.putAway.includes(variant)) return null;
    const line = variant === "qubic" ? board.width : board.line;
    return html`<section class="variant-notes" aria-label=${strings("notes.title")}>
      <ol role="list">
        ${[1, 2, 3].map((number) => html`<li key=${number}>${strings(`notes.${variant}.${number}`, { line })}</li>`)}
      </ol>
      <button type="button" class="button-quiet" onclick=${this.#putAway}>${strings("notes.away")}</button>
    </section>`;
  }
}
