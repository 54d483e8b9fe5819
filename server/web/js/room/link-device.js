// The dialog that links another device to the player's seat, or to a place in a party: a link and a QR code
// with a pass, valid once and for a short time. The server makes the pass and says when it has been used.
// @ts-check

import { Dialog, closeDialog } from "../dialog.js";
import { Timed, createRef, html } from "../html.js";
import { HOME } from "../core/state.js";
import { strings } from "../strings.js";
import { Countdown } from "./countdown.js";
import { LinkField, copyField } from "./link-field.js";
import { linkTo } from "./room-link.js";
import { formatTime } from "./room-text.js";
import { Scan } from "./scan.js";

/** @typedef {import("../core/state.js").State} State */

/** How long the dialog says that the other device is in, in milliseconds. */
const DONE_MS = 5_000;

/**
 * @typedef {{state: State, room: import("../core/state.js").Room | null, onclose: () => void,
 *   place?: {party: string, entrant: number}, title?: string, used?: boolean}} Props without a room the link leads to the start
 *   page; with a `place` to the party, and `used` tells whether the place has gone over
 */

/**
 * @typedef {object} Asked
 * @property {State["pass"]} stale the pass before the dialog asked for a new one
 * @property {State["notice"]} notice the one at that time
 * @property {string} told
 */

/** @extends {Timed<Props, Asked>} */
export class LinkDevice extends Timed {
  /** @type {Asked} */
  state = { stale: this.props.state.pass, notice: this.props.state.notice, told: "" };
  #field = createRef();

  componentDidMount() {
    this.#send();
  }

  #send() {
    const { place } = this.props;
    this.context.send(place ? { type: "place_pass", ...place } : { type: "pass" });
  }

  get #used() {
    return this.props.used || this.#pass()?.used || false;
  }

  /** Closes soon after the other device is in. The page shows a refusal behind the dialog, which closes too. */
  componentDidUpdate() {
    const { state, onclose } = this.props;
    const { notice } = this.state;
    if (this.#used) this.timer ||= setTimeout(onclose, DONE_MS);
    if (!this.#pass() && state.notice?.kind === "error" && state.notice !== notice) onclose();
  }

  #pass() {
    const { pass } = this.props.state;
    return pass?.code === this.state.stale?.code ? null : pass;
  }

  #renew = () => {
    const { pass, notice } = this.props.state;
    this.setState({ stale: pass, notice, told: "" });
    this.#send();
  };

  #copy = async () => this.setState({ told: await copyField(this.#field.current) });

  /** @param {Props} props */
  render({ onclose, place, title }) {
    const kind = place ? "place" : "pass";
    return html`<${Dialog} aria-labelledby="pass-title" onclose=${onclose}>
      <h2 id="pass-title">${title ?? strings(`${kind}.open`)}</h2>
      <p>${strings(`${kind}.text`)}</p>
      <${Countdown} to=${this.#pass()?.until ?? 0}>${this.#draw}<//>
    <//>`;
  }

  #draw = (/** @type {number} */ left) => {
    const pass = this.#pass();
    const { state, room, place } = this.props;
    const { told } = this.state;
    const used = this.#used;
    const kind = place ? "place" : "pass";
    const valid = pass !== null && left > 0 && !used;
    const key = used ? `${kind}.done` : valid ? "pass.left" : pass ? "pass.over" : "form.starting";
    const route = /** @type {import("../core/state.js").Route} */ (
      place ? { screen: "party", code: place.party } : room ? { screen: "room", code: room.code } : HOME
    );
    // Browsers do not send what stands behind `#`.
    const link = pass ? `${linkTo(route, state.server)}#${kind}=${encodeURIComponent(pass.code)}` : "";
    const button = (/** @type {string} */ key, /** @type {string} */ kind, /** @type {() => void} */ act) =>
      html`<button key=${key} type="button" class=${kind} onclick=${act}>${strings(key)}</button>`;
    // Screen readers read the start and the end, not every second.
    return html`
      <div class="pass-body" data-used=${used}>
        <${Scan} link=${valid ? link : ""} name=${strings(`${kind}.qr`)} />
        <p class="pass-left" role="status" aria-live=${valid ? "off" : "polite"}>
          ${strings(key, { time: formatTime(left) })}
        </p>
        <div class="share-ways">
          ${valid && button("share.copy", "button-primary", this.#copy)}
          ${pass && !valid && !used && button("pass.again", "button-primary", this.#renew)}
          ${valid && html`<${LinkField} link=${link} field=${this.#field} />`}
          <p class="share-told" role="status">${told}</p>
        </div>
      </div>
      <button type="button" class="button-quiet" autofocus onclick=${closeDialog}>${strings("pass.close")}</button>
    `;
  };
}
