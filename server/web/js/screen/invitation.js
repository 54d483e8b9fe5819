// The way in: the QR code of the party, its code in large letters, and the address for those who type.
// @ts-check

import { html } from "../html.js";
import { linkTo } from "../room/room-link.js";
import { QrCode } from "../room/qr-code.js";
import { strings } from "../strings.js";

/** @param {{state: import("../core/state.js").State, code: string, large: boolean, full: boolean}} props */
export function Invitation({ state, code, large, full }) {
  const link = linkTo({ screen: "party", code }, state.server);
  const { host, pathname } = new URL(link);
  return html`<div class="big-invitation" data-large=${large}>
    <${QrCode} text=${link} name=${strings("big.qr")} />
    <div>
      ${large && html`<p class="big-lead">${strings(full ? "big.scan.full" : "big.scan")}</p>`}
      <p class="big-code">${code}</p>
      ${large && html`<p class="big-address">${host}<wbr />${pathname}</p>`}
    </div>
  </div>`;
}
