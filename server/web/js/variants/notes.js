// Three short notes before the first game of a variant on this device, and the sentence of an invitation to one.
// @ts-check

import { Dialog, closeDialog } from "../dialog.js";
import { Component, html } from "../html.js";
import { rules } from "../views/summary.js";
import { strings } from "../strings.js";

/** @typedef {import("../core/state.js").Prefs} Prefs */

/** @param {{settings: import("../client/protocol.js").RoomSettings}} props */
export const VariantRules = ({ settings }) => `${rules(settings)}: ${strings(`variant.${settings.variant}.note`)}`;

/** @param {import("../client/protocol.js").RoomSettings} settings */
export const hasNotes = ({ variant = "line" }) => variant !== "line";

/** @extends {Component<{prefs: Prefs, settings: import("../client/protocol.js").RoomSettings, again: boolean, onclose: () => void}>} `again`: the player asks for them */
export class VariantNotes extends Component {
  #close = () => {
    const { prefs: { putAway }, settings: { variant = "line" }, onclose } = this.props;
    onclose();
    if (!putAway.includes(variant)) this.context.dispatch({ type: "prefs", prefs: { putAway: [...putAway, variant] } });
  };

  render() {
    const { prefs, settings, again } = this.props;
    const { variant = "line", board } = settings;
    if (!hasNotes(settings) || (!again && prefs.putAway.includes(variant))) return null;
    const line = variant === "qubic" ? board.width : board.line;
    return html`<${Dialog} class="dialog variant-notes" aria-labelledby="notes-title" onclose=${this.#close}>
      <h2 id="notes-title">${strings("notes.title")}</h2>
      <ol role="list">
        ${[1, 2, 3].map((number) => html`<li key=${number}>${strings(`notes.${variant}.${number}`, { line })}</li>`)}
      </ol>
      <button type="button" class="button-primary" autofocus onclick=${closeDialog}>${strings("notes.away")}</button>
    <//>`;
  }
}
