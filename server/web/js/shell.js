// The frame of each screen (a room draws its own bar): the buttons Back and Home, the connection status, the notice, the way
// back to the room of the player, and the foot with the language and the guest button.
// @ts-check

import { focusOn } from "./focus.js";
import { Component, createRef, html } from "./html.js";
import { LANGUAGES, language, strings } from "./strings.js";

/** @typedef {import("./core/state.js").State} State */
/** @typedef {import("./view.js").Props} Props */

/** How long a notice of kind `info` stays, in milliseconds. */
const INFO_MS = 8_000;

/** Screens without the banner that leads to the room of the player. */
const ROOM_SCREENS = ["room", "invite", "entering"];

/** @param {Props & {screen: string, children: import("./html.js").Children}} props */
export function Shell({ page, state, screen, children }) {
  const home = () => page.navigate({ screen: "welcome" });
  return html`
    <div class="shell">
      <div class="bar" hidden=${screen === "room"}>
        <div class="bar-side">
          <button type="button" class="button-bare" hidden=${screen === "welcome"} onclick=${page.back}>
            <span aria-hidden="true">←</span>${strings("shell.back")}
          </button>
          <button type="button" class="button-bare" hidden=${screen === "welcome"} onclick=${home}>
            ${strings("shell.home")}
          </button>
        </div>
        ${screen !== "room" && html`<${ConnectionStatus} phase=${state.connection.phase} />`}
      </div>
      <${Notice} page=${page} state=${state} />
      <${ReturnBanner} page=${page} state=${state} screen=${screen} />
      <div class="slot">${children}</div>
      <${Foot} page=${page} state=${state} hidden=${screen === "room"} />
    </div>
  `;
}

/** @param {{phase: State["connection"]["phase"]}} props */
export function ConnectionStatus({ phase }) {
  const reload = () => location.reload();
  return html`
    <div class="bar-side">
      <span class="connection-status" role="status" data-phase=${phase}>
        <span>${strings(`connection.${phase}`)}</span>
      </span>
      <button type="button" class="button-quiet" hidden=${phase !== "ended"} onclick=${reload}>
        ${strings("connection.reload")}
      </button>
    </div>
  `;
}

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
    const text = shown && strings.has(shown.key) ? strings(shown.key, shown.params) : shown?.text;
    return html`
      <div aria-live="polite">
        <div class="notice" ref=${this.#box} hidden=${!shown} data-kind=${shown?.kind}>
          <p>${text}</p>
          <button
            type="button"
            class="button-bare"
            aria-label=${strings("notice.dismiss")}
            hidden=${hasEnded}
            onclick=${this.#dismiss}
          >
            <span aria-hidden="true">✕</span>
          </button>
        </div>
      </div>
    `;
  }
}

/**
 * Why the connection has ended.
 *
 * @param {State["connection"]} connection
 * @returns {import("./core/state.js").Notice}
 */
function endOf({ code, reason }) {
  const key = strings.has(`ended.${code}`) ? `ended.${code}` : "ended.other";
  return { kind: "error", key, params: { reason }, text: reason };
}

/**
 * A banner with a button to the room where the player has a seat, on every other screen. The menu
 * also offers the room of an earlier visit.
 *
 * @param {Props & {screen: string}} props
 */
function ReturnBanner({ page, state: { room, lastRoom }, screen }) {
  const here = room && !room.closed && room.you.length > 0 ? room.code : null;
  const code = here ?? (screen === "welcome" ? lastRoom : null) ?? "";
  const go = () => page.navigate({ screen: "room", code });
  return html`
    <div role="status">
      <section
        class="return-banner"
        aria-label=${strings("return.label")}
        hidden=${code === "" || ROOM_SCREENS.includes(screen)}
      >
        <p>${strings(here ? "return.here" : "return.earlier", { room: code })}</p>
        <button type="button" class="button-quiet" onclick=${go}>${strings("return.go")}</button>
      </section>
    </div>
  `;
}

/** @param {Props & {hidden: boolean}} props */
function Foot({ page, state: { server }, hidden }) {
  const { player, changeLanguage } = page;
  const { name, version } = server ?? { name: "", version: "" };
  const key = name === "Noughts" ? "foot.version" : "foot.server";
  /** @param {Event & {currentTarget: HTMLSelectElement}} event */
  const change = ({ currentTarget }) => {
    currentTarget.focus();
    changeLanguage(currentTarget.value);
  };
  return html`
    <footer class="foot" hidden=${hidden}>
      <label class="language">
        ${strings("foot.language")}
        <select class="select" value=${language()} onchange=${change}>
          ${Object.entries(LANGUAGES).map(
            ([tag, name]) => html`<option key=${tag} value=${tag} lang=${tag}>${name}</option>`,
          )}
        </select>
      </label>
      <button type="button" class="button-bare" onclick=${player.change}>
        ${strings(player.guest ? "foot.before" : "foot.someoneElse")}
      </button>
      <span class="spacer">${server ? strings(key, { name, version }) : ""}</span>
    </footer>
  `;
}
