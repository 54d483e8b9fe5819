// The dialog with the link to a kept game: a QR code, the ways to share the link, and the picture of the result.
// Everybody who has the link sees the game.
// @ts-check

import { Dialog, closeDialog } from "../dialog.js";
import { html } from "../html.js";
import { Scan } from "../room/scan.js";
import { ShareWays } from "../room/share.js";
import { saveFile } from "../save-file.js";
import { strings } from "../strings.js";
import { drawCard } from "./share-card.js";

/**
 * @typedef {{link: string, game: string, about: import("./share-card.js").About, onclose: () => void}} Props
 *   `game` is its id
 */

/**
 * The picture goes to the share sheet, or to the downloads where there is none for files.
 *
 * @param {Props} props @param {(told: string) => void} tell
 */
async function sharePicture({ game, about }, tell) {
  tell("");
  try {
    const name = `noughts-${game}.png`;
    const picture = await drawCard(/** @type {Element} */ (document.querySelector(".board")), about);
    const files = [new File([picture], name, { type: picture.type })];
    if (navigator.canShare?.({ files })) await navigator.share({ files });
    else saveFile(name, picture);
  } catch (error) {
    const closed = error instanceof DOMException && error.name === "AbortError";
    if (!closed) tell(strings("game.share.failed"));
  }
}

/** @param {Props} props */
export const ShareGame = (props) => html`<${Dialog} aria-labelledby="share-title" onclose=${props.onclose}>
  <h2 id="share-title">${strings("game.share.title")}</h2>
  <p>${strings("game.share.text")}</p>
  <div class="pass-body">
    <${Scan} link=${props.link} name=${strings("game.share.qr")} />
    <${ShareWays} link=${props.link} more=${(/** @type {(told: string) => void} */ tell) => html`
      <button type="button" class="button-quiet" onclick=${() => sharePicture(props, tell)}>${strings("game.share.picture")}</button>`} />
  </div>
  <button type="button" class="button-quiet" autofocus onclick=${closeDialog}>${strings("pass.close")}</button>
<//>`;
