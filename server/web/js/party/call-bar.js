// The bar at the foot of a room of the party: the viewer's own game waits elsewhere, or was lost meanwhile.
// @ts-check

import { html } from "../html.js";
import { Link } from "../link.js";
import { Countdown } from "../room/countdown.js";
import { strings } from "../strings.js";
import { foeOf, situationOf } from "./model.js";
import { hasMissedLast } from "./own.js";
import { name, ownResult } from "./text.js";

/** @typedef {import("./model.js").Party} Party */

/** @param {{party: Party, state: import("../core/state.js").State, send: import("../view.js").Page["send"]}} props */
export function CallBar({ party, state: page, send }) {
  const { state, presence, me } = party;
  const situation = situationOf(state, me);
  const number = me?.number ?? 0;
  if (situation.kind === "ready") {
    const { pairing } = situation;
    const foe = name(state, foeOf(pairing, number));
    const sent = page.unanswered.some((one) => one.type === "ready" && one.pairing === pairing.number);
    const ready = sent || presence.ready.includes(number);
    const check = presence.checks.find((one) => one.pairing === pairing.number);
    const press = () => !ready && !state.paused && send({ type: "ready", party: state.code, pairing: pairing.number });
    return html`<div class="party-call">
      <p role="status">${strings("party.play.headline", { name: foe, table: pairing.table })}</p>
      ${check && !state.paused && html`<${Countdown} to=${check.until}>${(/** @type {number} */ left) => html`<b class="party-count" aria-hidden="true">${Math.max(0, Math.ceil(left / 1_000))}</b>`}<//>`}
      <button type="button" class="button-primary" data-next="" aria-disabled=${ready || state.paused} onclick=${press}>
        ${strings(state.paused ? "party.ready.paused" : ready ? "party.ready.done" : "party.ready")}
      </button>
    </div>`;
  }
  if (me && (situation.kind === "over" || situation.kind === "gathering")) {
    // A button of the room leads back to a party that is over.
    return html`<div class="party-call">
      <p role="status">${strings(situation.kind === "over" ? "party.call.over" : "party.call.again")}</p>
      ${situation.kind === "gathering" && html`<${Link} class="button-primary" to=${{ screen: "party", code: state.code }}>${strings("party.call.go")}<//>`}
    </div>`;
  }
  const isLost = (situation.kind === "decided" || situation.kind === "out" || situation.kind === "queue") && hasMissedLast(state, number);
  if (!isLost) return null;
  const [head, why] = situation.kind === "decided" ? ownResult(state, situation.pairing, number) : [strings(`party.${situation.kind === "out" ? "out.headline" : "missed.headline"}`), strings("party.you.forfeit.lost")];
  return html`<div class="party-call"><p role="status"><b>${head}.</b> ${why}</p></div>`;
}
