// A QR code with a button over it, which shows the code as large as the window.
// @ts-check

import { Component, html } from "../html.js";
import { strings } from "../strings.js";
import { QrCode } from "./qr-code.js";
import { QrDialog } from "./qr-dialog.js";

/**
 * @typedef {{link: string, name: string, code?: string}} Props `link`: "" for none yet; `code`: the room
 *   code, for those who cannot scan
 */

/** @extends {Component<Props, {large: boolean}>} */
export class Scan extends Component {
  state = { large: false };

  #show = () => this.setState({ large: true });

  #hide = () => this.setState({ large: false });

  /** @param {Props} props @param {{large: boolean}} state */
  render({ link, name, code }, { large }) {
    const label = strings("share.enlarge");
    return html`<div class="share-scan">
      <${QrCode} text=${link} name=${name} />
      ${link &&
      html`<button type="button" aria-label=${label} title=${label} onclick=${this.#show}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 10V4h6M20 14v6h-6M4.5 4.5 10 10m4 4 5.5 5.5" /></svg>
      </button>`}
      ${large && link && html`<${QrDialog} link=${link} name=${name} code=${code} onclose=${this.#hide} />`}
    </div>`;
  }
}
