// The frame of each screen: the bar with the way back and the connection status, the notice, the foot with
// the language and the guest button, and what the host says.
// @ts-check

import { focusOn } from "./focus.js";
import { Component, createRef, html } from "./html.js";
import { later } from "./later.js";
import { PEOPLE } from "./parts.js";
import { LANGUAGES, language, strings } from "./strings.js";

/** @typedef {import("./core/state.js").State} State */
/** @typedef {import("./view.js").Props} Props */

/** How long a notice of kind `info` stays, in milliseconds. */
const INFO_MS = 8_000;

const Announcements = later(PEOPLE, "Announcements");
const LookDialog = later(PEOPLE, "LookDialog");

/** Screens that draw their own bar. */
const OWN_BAR = ["room", "welcome", "screen"];

/** @param {Props & {screen: string, children: import("./html.js").Children}} props */
export function Shell({ page, state, screen, children }) {
  const hasBar = !OWN_BAR.includes(screen);
  // Another element with the bar and without: nothing is seen to move.
  return html`
    <div class="shell">
      ${hasBar && html`<${Bar} page=${page} phase=${state.connection.phase} />`}
      <p class="visually-hidden" aria-live=${screen === "room" ? "off" : "polite"}>${strings(`connection.${state.connection.phase}`)}</p>
      <${Notice} page=${page} state=${state} />
      <div class="slot" key=${hasBar}>${children}</div>
      <${Foot} page=${page} state=${state} hidden=${screen === "room" || screen === "screen"} />
      <div class="announcements" role="status" aria-atomic="false" data-big=${screen === "screen"}>
        ${state.announcements[0] &&
        html`<${Announcements} page=${page} announcements=${state.announcements} isBig=${screen === "screen"} />`}
      </div>
    </div>
  `;
}

/** @param {{page: Props["page"], phase: State["connection"]["phase"]}} props */
const Bar = ({ page, phase }) => html`
  <div class="bar">
    <button type="button" class="button-bare" onclick=${page.back}>
      <span aria-hidden="true">←</span>${strings("shell.back")}
    </button>
    <${ConnectionStatus} phase=${phase} />
  </div>
`;

/** Loads the new version that is offered. */
const renew = () => import("./keep.js").then((keep) => keep.renew(), () => location.reload());

/** A dot, and a word in a place of its own: nothing moves. The shell says it aloud, and a room more than it. @param {{phase: State["connection"]["phase"]}} props */
export const ConnectionStatus = ({ phase }) => html`
  <span class="connection-status" aria-hidden="true" data-phase=${phase}>
    <span>${strings(`connection.${phase}`)}</span>
  </span>
`;

/**
 * The notice. It stays until the player closes it or does something else. A notice of kind `info`
 * closes by itself.
 *
 * @extends {Component<Props>}
 */
class Notice extends Component {
  #box = createRef();
  #timer = 0;

  /** @param {Props} before */
  componentDidUpdate(before) {
    const { notice } = this.props.state;
    if (notice !== before.state.notice) {
      clearTimeout(this.#timer);
      if (notice?.kind === "info") this.#timer = setTimeout(this.#expire, INFO_MS);
    }
  }

  /** While the focus is in the notice, it stays. */
  #expire = () => {
    if (this.#box.current.contains(document.activeElement)) {
      this.#timer = setTimeout(this.#expire, INFO_MS);
    } else {
      this.props.page.dispatch({ type: "dismiss" });
    }
  };

  #dismiss = () => {
    this.props.page.dispatch({ type: "dismiss" });
    const heading = /** @type {HTMLElement | null} */ (document.querySelector(".slot h1"));
    if (heading) focusOn(heading);
  };

  render() {
    const { notice, connection } = this.props.state;
    const hasEnded = connection.phase === "ended";
    const shown = hasEnded ? endOf(connection) : notice;
    const text = shown && textOf(shown);
    return html`
      <div aria-live="polite">
        <div class="notice" ref=${this.#box} hidden=${!shown} data-kind=${shown?.kind}>
          <p>${text}</p>
          ${
            hasEnded
              ? html`<button type="button" class="button-quiet" onclick=${() => location.reload()}>
                  ${strings("connection.reload")}
                </button>`
              : html`${shown?.kind === "offer" &&
                html`<button type="button" class="button-quiet" onclick=${renew}>${strings("connection.reload")}</button>`}<button
                  type="button"
                  class="button-bare"
                  aria-label=${strings("notice.dismiss")}
                  onclick=${this.#dismiss}
                >
                  <span aria-hidden="true">✕</span>
                </button>`
          }
        </div>
      </div>
    `;
  }
}

/** @param {import("./core/state.js").Notice} notice */
export function textOf({ key, intent, params, text }) {
  const known = [`${key}.${intent}`, key].find(strings.has);
  return known ? strings(known, params) : text;
}

/**
 * Why the connection has ended.
 *
 * @param {State["connection"]} connection
 * @returns {import("./core/state.js").Notice}
 */
export function endOf({ code, reason }) {
  const key = strings.has(`ended.${code}`) ? `ended.${code}` : "ended.other";
  return { kind: "error", key, params: { reason }, text: reason };
}

/** @param {{change: Props["page"]["changeLanguage"]}} props */
export const LanguageSelect = ({ change }) => html`<select
  class="select"
  value=${language()}
  onchange=${(/** @type {any} */ { currentTarget }) => {
    currentTarget.focus();
    change(currentTarget.value);
  }}
>
  ${Object.entries(LANGUAGES).map(([tag, name]) => html`<option key=${tag} value=${tag} lang=${tag}>${name}</option>`)}
</select>`;

/** @extends {Component<Props & {hidden: boolean}, {looks: boolean}>} */
class Foot extends Component {
  /** `looks`: the dialog for the look is open. */
  state = { looks: false };

  /** @param {Props & {hidden: boolean}} props @param {{looks: boolean}} own */
  render({ page, state: { server, prefs }, hidden }, { looks }) {
    const { name, version } = server ?? { name: "", version: "" };
    const key = name === "Noughts" ? "foot.version" : "foot.server";
    return html`
      <footer class="foot" hidden=${hidden}>
        <label class="language">
          ${strings("foot.language")}
          <${LanguageSelect} change=${page.changeLanguage} />
        </label>
        <button type="button" class="button-bare" onclick=${() => this.setState({ looks: true })}>${strings("foot.look")}</button>
        ${looks && html`<${LookDialog} page=${page} prefs=${prefs} onclose=${() => this.setState({ looks: false })} />`}
        <button type="button" class="button-bare" onclick=${page.player.change}>
          ${strings(page.player.guest ? "foot.before" : "foot.someoneElse")}
        </button>
        <span class="spacer">${server ? strings(key, { name, version }) : ""}</span>
      </footer>
    `;
  }
}
