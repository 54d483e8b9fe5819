// A QR code that fills the window, to be scanned across a table. The screen stays on while it is open.
// @ts-check

import { Dialog, closeDialog } from "../dialog.js";
import { Component, html } from "../html.js";
import { strings } from "../strings.js";
import { QrCode } from "./qr-code.js";
import { keepAwake } from "./wake-lock.js";

/**
 * @typedef {{link: string, name: string, code?: string, onclose: () => void}} Props `code`: the room
 *   code, for those who cannot scan
 */

/** @extends {Component<Props>} */
export class QrDialog extends Component {
  #release = () => {};

  componentDidMount() {
    this.#release = keepAwake();
  }

  componentWillUnmount() {
    this.#release();
  }

  /** @param {Props} props */
  render({ link, name, code, onclose }) {
    return html`<${Dialog} class="dialog qr-dialog" aria-label=${name} onclose=${onclose}>
      <${QrCode} text=${link} name=${name} />
      ${code && html`<p class="share-code">${code}</p>`}
      <button type="button" class="button-quiet" autofocus onclick=${closeDialog}>${strings("pass.close")}</button>
    <//>`;
  }
}
