// Three short notes before the first game of a variant on this device, and the sentence of an invitation to one.
// @ts-check

import { Dialog, closeDialog } from "../dialog.js";
import { html } from "../html.js";
import { rules } from "../screens/summary.js";
import { strings } from "../strings.js";

/** @param {{settings: import("../client/protocol.js").RoomSettings}} props */
export const VariantRules = ({ settings }) => `${rules(settings)}: ${strings(`variant.${settings.variant}.note`)}`;

/** @param {{settings: import("../client/protocol.js").RoomSettings, onclose: () => void}} props */
export const VariantNotes = ({ settings: { variant, board }, onclose }) => html`<${Dialog} class="dialog variant-notes" aria-labelledby="notes-title" onclose=${onclose}>
  <h2 id="notes-title">${strings("notes.title")}</h2>
  <ol role="list">
    ${[1, 2, 3].map((number) => html`<li key=${number}>${strings(`notes.${variant}.${number}`, { line: variant === "qubic" ? board.width : board.line })}</li>`)}
  </ol>
  <button type="button" class="button-primary" autofocus onclick=${closeDialog}>${strings("notes.away")}</button>
<//>`;
