// A dialog that asks before what cannot be undone.
// @ts-check

import { Dialog, closeDialog, closing } from "../dialog.js";
import { html } from "../html.js";
import { strings } from "../strings.js";

/**
 * A question before what cannot be undone.
 *
 * @param {{title: string, text: string, yes: string, accept: () => void, onclose: () => void, danger?: boolean}} props
 */
export const Ask = ({ title, text, yes, accept, onclose, danger = true }) => html`<${Dialog}
  aria-labelledby="ask-title"
  aria-describedby="ask-text"
  onclose=${onclose}
>
  <h2 id="ask-title">${title}</h2>
  <p id="ask-text">${text}</p>
  <div class="buttons">
    <button type="button" class="button-quiet" autofocus onclick=${closeDialog}>${strings("party.no")}</button>
    <button type="button" class=${danger ? "button-danger" : "button-primary"} onclick=${closing(accept)}>${yes}</button>
  </div>
<//>`;
