// The collapsed section beside the board: alerts, linking another device, and the link for spectators.
// @ts-check

import { Component, html } from "../html.js";
import { strings } from "../strings.js";
import { Alerts } from "./alerts.js";
import { roomLink } from "./room-link.js";
import { Share } from "./share.js";

/**
 * @typedef {{state: import("../core/state.js").State, room: import("../core/state.js").Room,
 *   linkDevice: () => void}} Props
 */

/** @extends {Component<Props, {open: boolean}>} */
export class ShareAndSettings extends Component {
  state = { open: false };

  #toggle = (/** @type {any} */ { currentTarget }) => this.setState({ open: currentTarget.open });

  /** @param {Props} props @param {{open: boolean}} shown */
  render({ state, room, linkDevice }, { open }) {
    const others = room.settings.spectators || room.seats.o.kind === "open";
    const link = roomLink(room.code, state.server);
    return html`<details class="share-and-settings" ontoggle=${this.#toggle}>
      <summary>${strings("room.more")}</summary>
      <${Alerts} prefs=${state.prefs} />
      ${room.you.length > 0 &&
      html`<button type="button" class="button-quiet" onclick=${linkDevice}>${strings("pass.open")}</button>`}
      ${others && html`<${Share} title=${strings("share.watch")} code=${room.code} link=${link} drawn=${open} />`}
    </details>`;
  }
}
