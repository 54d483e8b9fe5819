// The dialog with the link to a kept game: a QR code, the share sheet where the device has one, the link
// and a copy button. Whoever has the link sees the game.
// @ts-check

import { Dialog, closeDialog } from "../dialog.js";
import { Component, createRef, html } from "../html.js";
import { LinkField, copyField } from "../room/link-field.js";
import { Scan } from "../room/scan.js";
import { saveFile } from "../save-file.js";
import { strings } from "../strings.js";
import { drawCard } from "./share-card.js";

/**
 * @typedef {{link: string, game: string, about: import("./share-card.js").About, onclose: () => void}} Props
 *   `game` is its id
 */

/** @extends {Component<Props, {told: string}>} */
export class ShareGame extends Component {
  state = { told: "" };
  #field = createRef();

  #copy = async () => {
    this.setState({ told: "" });
    this.setState({ told: await copyField(this.#field.current) });
  };

  /** The picture goes to the share sheet, or to the downloads where there is none for files. */
  #picture = async () => {
    const { game, about } = this.props;
    this.setState({ told: "" });
    try {
      const name = `noughts-${game}.png`;
      const picture = await drawCard(/** @type {Element} */ (document.querySelector(".board")), about);
      const files = [new File([picture], name, { type: picture.type })];
      if (navigator.canShare?.({ files })) await navigator.share({ files });
      else saveFile(name, picture);
    } catch (error) {
      const closed = error instanceof DOMException && error.name === "AbortError";
      if (!closed) this.setState({ told: strings("game.share.failed") });
    }
  };

  #openSheet = async () => {
    try {
      await navigator.share({ url: this.props.link });
    } catch {
      // The player closed the sheet.
    }
  };

  /** @param {Props} props @param {{told: string}} state */
  render({ link, onclose }, { told }) {
    const sheet = typeof navigator.share === "function";
    return html`<${Dialog} aria-labelledby="share-title" onclose=${onclose}>
      <h2 id="share-title">${strings("game.share.title")}</h2>
      <p>${strings("game.share.text")}</p>
      <div class="pass-body">
        <${Scan} link=${link} name=${strings("game.share.qr")} />
        <div class="share-ways">
          <div class="buttons">
            ${sheet && html`<button type="button" class="button-primary" onclick=${this.#openSheet}>${strings("share.sheet")}</button>`}
            <button type="button" class=${sheet ? "button-quiet" : "button-primary"} onclick=${this.#copy}>${strings("share.copy")}</button>
          </div>
          <button type="button" class="button-quiet" onclick=${this.#picture}>${strings("game.share.picture")}</button>
          <${LinkField} link=${link} field=${this.#field} />
          <p class="share-told" role="status">${told}</p>
        </div>
      </div>
      <button type="button" class="button-quiet" autofocus onclick=${closeDialog}>${strings("pass.close")}</button>
    <//>`;
  }
}
