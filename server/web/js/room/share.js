// The invitation for a friend: the code, a QR code that fills the window on a tap, and the ways to share a link.
// @ts-check

import { Component, createRef, html } from "../html.js";
import { strings } from "../strings.js";
import { LinkField, copyField } from "./link-field.js";
import { hereOnlyText } from "./room-link.js";
import { Scan } from "./scan.js";

/**
 * @typedef {{link: string, text?: string, more?: (tell: (told: string) => void) => any}} Ways `text`: goes with the
 *   link, `more`: draws what is between the buttons and the link, and may tell something below it
 */

/**
 * The share sheet where the device has one, a copy button and the link.
 *
 * @extends {Component<Ways, {told: string}>}
 */
export class ShareWays extends Component {
  state = { told: "" };
  #field = createRef();

  #tell = (/** @type {string} */ told) => this.setState({ told });

  #copy = async () => {
    this.#tell("");
    this.#tell(await copyField(this.#field.current));
  };

  #openSheet = async () => {
    const { link: url, text } = this.props;
    try {
      await navigator.share({ text, url });
    } catch {
      // The player closed the sheet.
    }
  };

  /** @param {Ways} props @param {{told: string}} state */
  render({ link, more }, { told }) {
    const sheet = typeof navigator.share === "function";
    return html`<div class="share-ways">
      <div class="buttons">
        ${sheet && html`<button type="button" class="button-primary" onclick=${this.#openSheet}>${strings("share.sheet")}</button>`}
        <button type="button" class=${sheet ? "button-quiet" : "button-primary"} onclick=${this.#copy}>${strings("share.copy")}</button>
      </div>
      ${more?.(this.#tell)}
      <${LinkField} link=${link} field=${this.#field} />
      <p class="share-told" role="status">${told}</p>
    </div>`;
  }
}

/**
 * @param {{title: string, heading?: any, text?: string, code: string, link: string, drawn?: boolean}} props `drawn`:
 *   whether the QR code is in sight, `heading`: what is shown for the title
 */
export function Share({ title, heading = title, text, code, link, drawn = true }) {
  const note = hereOnlyText(link) || text;
  return html`<section class="share" aria-label=${title}>
    <h2>${heading}</h2>
    <output class="share-code" aria-label=${strings("share.code")}>${code}</output>
    <${Scan} link=${drawn ? link : ""} name=${strings("share.qr", { code })} code=${code} />
    <${ShareWays} link=${link} text=${strings("share.invitation")} />
    ${note && html`<p class="share-text">${note}</p>`}
  </section>`;
}
