// The invitation for a friend: the code, a QR code that fills the window on a tap, the share sheet where
// the device has one, the link and a copy button.
// @ts-check

import { Component, createRef, html } from "../html.js";
import { strings } from "../strings.js";
import { LinkField, copyField } from "./link-field.js";
import { QrCode } from "./qr-code.js";
import { QrDialog } from "./qr-dialog.js";

/**
 * @typedef {{title: string, text?: string, code: string, link: string, drawn?: boolean}} Props `drawn`:
 *   whether the QR code is in sight
 */

/** @extends {Component<Props, {told: string, large: boolean}>} */
export class Share extends Component {
  state = { told: "", large: false };
  #field = createRef();

  #copy = async () => {
    this.setState({ told: "" });
    this.setState({ told: await copyField(this.#field.current) });
  };

  #openSheet = async () => {
    try {
      await navigator.share({ text: strings("share.invitation"), url: this.props.link });
    } catch {
      // The player closed the sheet.
    }
  };

  #enlarge = () => this.setState({ large: true });

  /** @param {Props} props @param {{told: string, large: boolean}} state */
  render({ title, text, code, link, drawn = true }, { told, large }) {
    const name = strings("share.qr", { code });
    const sheet = typeof navigator.share === "function";
    return html`<section class="share" aria-label=${title}>
      <h2>${title}</h2>
      <output class="share-code" aria-label=${strings("share.code")}>${code}</output>
      <div class="share-scan">
        <${QrCode} text=${drawn ? link : ""} name=${name} />
        <button type="button" aria-label=${strings("share.enlarge")} title=${strings("share.enlarge")} onclick=${this.#enlarge}>
          <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 10V4h6M20 14v6h-6M4.5 4.5 10 10m4 4 5.5 5.5" /></svg>
        </button>
      </div>
      <div class="share-ways">
        <div class="buttons">
          ${sheet &&
          html`<button type="button" class="button-primary" onclick=${this.#openSheet}>
            ${strings("share.sheet")}
          </button>`}
          <button type="button" class=${sheet ? "button-quiet" : "button-primary"} onclick=${this.#copy}>
            ${strings("share.copy")}
          </button>
        </div>
        <${LinkField} link=${link} field=${this.#field} />
        <p class="share-told" role="status">${told}</p>
      </div>
      ${text && html`<p class="share-text">${text}</p>`}
      ${large &&
      html`<${QrDialog} link=${link} name=${name} code=${code} onclose=${() => this.setState({ large: false })} />`}
    </section>`;
  }
}
