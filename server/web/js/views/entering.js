// The wait for a room's snapshot.
// @ts-check

import { html } from "../html.js";
import { MarkIcon } from "../room/board-svg.js";
import { strings } from "../strings.js";

/** A pen that draws a cross and a nought again and again. Without motion both are there. */
export const WaitingPen = () => html`
  <div class="waiting-pen" aria-hidden="true"><${MarkIcon} mark="x" /><${MarkIcon} mark="o" /></div>
`;

/** @param {import("../view.js").Props} props */
export function Entering({ state: { route } }) {
  const room = route.screen === "room" ? route.code : "";
  return html`
    <div class="screen waiting" data-waits="true">
      <${WaitingPen} />
      <h1>${strings("entering.title", { room })}</h1>
    </div>
  `;
}
