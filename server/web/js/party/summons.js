// Calls a player on a phone to the table, over everything else, until they answer or put the call off.
// @ts-check

import { Dialog, closeDialog, closing } from "../dialog.js";
import { html } from "../html.js";
import { Countdown } from "../room/countdown.js";
import { strings } from "../strings.js";
import { foeOf } from "./model.js";
import { beginsText, name } from "./text.js";

/**
 * "Table 3!" The focus is on the heading: who types just now answers nothing by it.
 *
 * @param {{party: import("./model.js").Party, pairing: import("./model.js").Pairing, ready: () => void, onclose: () => void}} props
 */
export function Summons({ party: { state, presence, me }, pairing, ready, onclose }) {
  const number = me?.number ?? 0;
  const check = presence.checks.find((one) => one.pairing === pairing.number);
  return html`<${Dialog} class="dialog party-summons" aria-labelledby="summons-title" aria-describedby="summons-text" onclose=${onclose}>
    <p class="note"><bdi>${state.name}</bdi></p>
    <h2 id="summons-title" tabindex="-1" autofocus>${strings("party.summons", { table: pairing.table })}</h2>
    <div id="summons-text">
      <p>${strings("party.call", { name: name(state, foeOf(pairing, number)) })}</p>
      ${pairing.stage && html`<p>${strings(`party.you.${pairing.stage}`)}</p>`}
      <p>${beginsText(state, pairing, pairing.game + 1, number)}</p>
    </div>
    <button type="button" class="button-primary wide party-big" onclick=${closing(ready)}>${strings("party.ready")}</button>
    <p class="party-left">${check && html`<${Countdown} to=${check.until}>${(/** @type {number} */ left) => {
      const count = Math.max(0, Math.ceil(left / 1_000));
      return html`<b class="party-count" aria-hidden="true">${count}</b> ${strings("party.ready.left", { count })}`;
    }}<//>`}</p>
    <button type="button" class="button-quiet wide" onclick=${closeDialog}>${strings("party.summons.later")}</button>
  <//>`;
}
