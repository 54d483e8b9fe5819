// The code and the link of a room: where it waits, and in a dialog from its menu. Loaded when they are shown.
// @ts-check

import { Dialog, closeDialog } from "../dialog.js";
import { html } from "../html.js";
import { strings } from "../strings.js";
import { Share } from "./share.js";

/** @param {{code: string, link: string, onclose: () => void}} props */
export const ShareDialog = ({ code, link, onclose }) => html`<${Dialog}
  aria-label=${strings("room.share")}
  onclose=${onclose}
>
  <${Share} title=${strings("room.share")} code=${code} link=${link} />
  <button type="button" class="button-quiet" autofocus onclick=${closeDialog}>${strings("pass.close")}</button>
<//>`;

export { Share };
