// The wait for a room's snapshot.
// @ts-check

import { html } from "../html.js";
import { strings } from "../strings.js";

/** Three pulsing noughts. */
export function Pulse() {
  return html`<div class="pulse" aria-hidden="true"><i></i><i></i><i></i></div>`;
}

/** @param {import("../view.js").Props} props */
export function Entering({ state: { route } }) {
  const room = route.screen === "room" ? route.code : "";
  return html`
    <div class="screen waiting">
      <${Pulse} />
      <h1>${strings("entering.title", { room })}</h1>
    </div>
  `;
}
