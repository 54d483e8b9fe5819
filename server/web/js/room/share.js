// The invitation for a friend: the code, the link, a QR code, a copy button and, where the device has
// one, the share sheet.
// @ts-check

import { Component, createRef, html } from "../html.js";
import { strings } from "../strings.js";
import { LinkField, copyField } from "./link-field.js";
import { QrCode } from "./qr-code.js";

/**
 * @typedef {{title: string, text?: string, code: string, link: string, drawn?: boolean}} Props `drawn`:
 *   whether the QR code is in sight
 */

/** @extends {Component<Props, {told: string}>} */
export class Share extends Component {
  state = { told: "" };
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

  /** @param {Props} props @param {{told: string}} state */
  render({ title, text, code, link, drawn = true }, { told }) {
    return html`<section class="share" aria-label=${title}>
      <h2>${title}</h2>
      ${text && html`<p class="share-text">${text}</p>`}
      <output class="share-code" aria-label=${strings("share.code")}>${code}</output>
      <${QrCode} text=${drawn ? link : ""} name=${strings("share.qr", { code })} />
      <${LinkField} link=${link} field=${this.#field} />
      <div class="buttons">
        <button type="button" class="button-primary" onclick=${this.#copy}>${strings("share.copy")}</button>
        ${typeof navigator.share === "function" &&
        html`<button type="button" class="button-quiet" onclick=${this.#openSheet}>
          ${strings("share.sheet")}
        </button>`}
      </div>
      <p class="share-told" role="status">${told}</p>
    </section>`;
  }
}
