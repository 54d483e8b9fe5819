// A dialog that asks before what cannot be undone.
// @ts-check

import { Dialog, closeDialog } from "../dialog.js";
import { html } from "../html.js";
import { strings } from "../strings.js";

/**
 * A question before what cannot be undone.
 *
 * @param {{title: string, text: string, yes: string, accept: () => void, onclose: () => void, danger?: boolean}} props
 */
export function Ask({ title, text, yes, accept, onclose, danger = true }) {
  const go = (/** @type {Event} */ event) => {
    closeDialog(event);
    accept();
  };
  return html`<${Dialog} aria-labelledby="ask-title" aria-describedby="ask-text" onclose=${onclose}>
    <h2 id="ask-title">${title}</h2>
    <p id="ask-text">${text}</p>
    <div class="buttons">
      <button type="button" class="button-quiet" autofocus onclick=${closeDialog}>${strings("party.no")}</button>
      <button type="button" class=${danger ? "button-danger" : "button-primary"} onclick=${go}>${yes}</button>
    </div>
  <//>`;
}
