// Announcements of the server's host, to everybody or to a room or a party: at the lower edge of the window, in the
// frame of each screen. Of the older ones a line is left.
// @ts-check

import { FaceOf } from "../face-of.js";
import { focusOn } from "../focus.js";
import { Timed, createRef, html } from "../html.js";
import { rules } from "../views/summary.js";
import { strings } from "../strings.js";

/** @typedef {import("../core/state.js").Announcement} Said */
/** @typedef {Pick<import("../view.js").Page, "dispatch">} Page */

/** How long an announcement stays, in milliseconds. */
const STAYS_MS = 30_000;

/** The same on a big screen, which nobody closes. */
const STAYS_LONGER_MS = 60_000;

/** @param {{page: Page, announcements: readonly Said[], isBig: boolean}} props */
export const Announcements = ({ page, announcements, isBig }) => announcements.map((said) => html`
  <${Announcement} key=${said.key} page=${page} said=${said} ms=${isBig ? STAYS_LONGER_MS : STAYS_MS} />
`);

/** @extends {Timed<{page: Page, said: Said, ms: number}>} */
class Announcement extends Timed {
  #box = createRef();

  componentDidMount() {
    const { said, ms } = this.props;
    this.timer = said.challenge ? setTimeout(this.#end, said.challenge.expires_in_ms) : setTimeout(this.#expire, ms);
  }

  /** It stays while nobody can see it, and while the pointer or the focus is on it. */
  #expire = () => {
    const box = /** @type {HTMLElement} */ (this.#box.current);
    const unseen = document.hidden || document.querySelector("dialog[open]") || box.offsetParent === null;
    if (unseen || box.matches(":hover, :focus-within")) {
      this.timer = setTimeout(this.#expire, this.props.ms);
    } else {
      this.#end();
    }
  };

  #end = () => this.props.page.dispatch({ type: "heard", key: this.props.said.key });

  #dismiss = () => {
    this.#end();
    const heading = /** @type {HTMLElement | null} */ (document.querySelector(".slot h1"));
    if (heading) focusOn(heading);
  };

  /** Plays in the room of the one who asks. @param {import("../client/protocol.js").Challenged} asked */
  #play({ room }) {
    this.#end();
    this.context.send({ type: "join", room, role: "player" });
  }

  /** @param {import("../client/protocol.js").Challenged} asked */
  #decline({ player }) {
    this.#end();
    this.context.send({ type: "decline", player });
  }

  render() {
    const { text, challenge } = this.props.said;
    if (challenge) {
      return html`<div class="announcement challenge" ref=${this.#box}>
        <p><${FaceOf} ...${challenge} /><b>${strings("challenge.asks", { name: challenge.name })}</b> <small>${rules(challenge.settings)}</small></p>
        <button type="button" class="button-primary" onclick=${() => this.#play(challenge)}>${strings("invite.play")}</button>
        <button type="button" class="button-bare" onclick=${() => this.#decline(challenge)}>${strings("challenge.not")}</button>
      </div>`;
    }
    const letters = [...text].length;
    return html`
      <div class="announcement" ref=${this.#box} style=${{ "--letters": letters }}>
        <p><b>${strings("announcement.from")}</b> <bdi>${text}</bdi></p>
        <button type="button" class="button-bare" aria-label=${strings("notice.dismiss")} onclick=${this.#dismiss}>
          <span aria-hidden="true">✕</span>
        </button>
      </div>
    `;
  }
}
