// The invitation for a friend: the code, a QR code that fills the window on a tap, the share sheet where
// the device has one, the link and a copy button.
// @ts-check

import { Component, createRef, html } from "../html.js";
import { strings } from "../strings.js";
import { LinkField, copyField } from "./link-field.js";
import { hereOnlyText } from "./room-link.js";
import { Scan } from "./scan.js";

/**
 * @typedef {{title: string, heading?: any, text?: string, code: string, link: string, drawn?: boolean}} Props `drawn`:
 *   whether the QR code is in sight, `heading`: what is shown for the title
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
  render({ title, heading = title, text, code, link, drawn = true }, { told }) {
    const sheet = typeof navigator.share === "function";
    const note = hereOnlyText(link) || text;
    return html`<section class="share" aria-label=${title}>
      <h2>${heading}</h2>
      <output class="share-code" aria-label=${strings("share.code")}>${code}</output>
      <${Scan} link=${drawn ? link : ""} name=${strings("share.qr", { code })} code=${code} />
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
      ${note && html`<p class="share-text">${note}</p>`}
    </section>`;
  }
}
