// The chat of a room: the panel beside the board, the button in the bar with the sheet that it opens, and the
// bubble with the last line. `room/chat-place.js` says which of them a window shows.
// @ts-check

import { Close, Dialog } from "../dialog.js";
import { Component, Timed, html } from "../html.js";
import { IconButton } from "../room/board-svg.js";
import { headline } from "../room/status-text.js";
import { strings } from "../strings.js";
import { Composer } from "./composer.js";
import { EmoteBar, Flight } from "./flight.js";
import { Log, Words } from "./log.js";
import { lastNumber, shownLines, unheard } from "./lines.js";
import { memoryOf } from "./memory.js";

/** @typedef {import("./lines.js").InRoom} InRoom */
/** @typedef {import("./lines.js").ShownLine} ShownLine */

/** How long a bubble stays, in milliseconds. */
const BUBBLE_MS = 5_000;

/** A cover of more pixels than this is a keyboard on the screen. */
const KEYBOARD = 100;

/** The icon: a bubble with a tail. */
const ICON = "M6.2 4.2C10 3.8 14.2 3.8 18 4.2 20.2 4.5 21.3 6 21.2 8.2V12.4C21.2 14.8 20 16.2 17.8 16.3L12.5 16.4 7.6 20.6 7.8 16.4H6.2C4 16.2 2.8 14.8 2.8 12.4V8.2C2.8 5.9 4 4.5 6.2 4.2Z";

export { EmoteBar, Flight };

/** The panel beside the board. @param {{state: InRoom}} props */
export const ChatPanel = ({ state }) => html`<section class="chat-panel" aria-label=${strings("chat.title")}>
  <${Log} state=${state} />
  <${Composer} state=${state} open=${false} />
</section>`;

/** The button in the bar. @param {{state: InRoom, isOpen: boolean, open: () => void}} props */
export function ChatButton({ state, isOpen, open }) {
  const count = isOpen ? 0 : unheard(shownLines(state), memoryOf(state.room.code).heard);
  const name = count > 0 ? strings("chat.open.unheard", { count }) : strings("chat.open");
  return html`<${IconButton} d=${ICON} name=${name} kind="button-bare chat-button" aria-haspopup="dialog" onclick=${open}>
    ${count > 0 && html`<span class="chat-count" aria-hidden="true">${count}</span>`}
  <//>`;
}

/**
 * The sheet at the lower edge of the window. A keyboard on the screen covers that edge, so the sheet stands
 * on the keyboard, and the emotes give their room to the lines.
 *
 * @extends {Component<{state: InRoom, onclose: () => void}, {covered: number, seen: number}>}
 */
export class ChatSheet extends Component {
  state = { covered: 0, seen: innerHeight };

  componentDidMount() {
    visualViewport?.addEventListener("resize", this.#fit);
    visualViewport?.addEventListener("scroll", this.#fit);
  }

  componentWillUnmount() {
    visualViewport?.removeEventListener("resize", this.#fit);
    visualViewport?.removeEventListener("scroll", this.#fit);
  }

  #fit = () => {
    const { height, offsetTop } = /** @type {VisualViewport} */ (visualViewport);
    this.setState({ covered: Math.max(0, Math.round(innerHeight - height - offsetTop)), seen: Math.round(height) });
  };

  /** @param {{state: InRoom, onclose: () => void}} props @param {{covered: number, seen: number}} state */
  render({ state, onclose }, { covered, seen }) {
    const { notice, room } = state;
    // A focused field would open the keyboard of a phone over the lines.
    const typing = covered > KEYBOARD;
    const keyboard = !matchMedia("(pointer: coarse)").matches;
    const refused = notice?.kind === "error" ? (strings.has(notice.key) ? strings(notice.key, notice.params) : notice.text) : "";
    return html`<${Dialog}
      class=${typing ? "dialog chat-sheet is-typing" : "dialog chat-sheet"}
      aria-labelledby="chat-title"
      style=${{ "--covered": `${covered}px`, "--seen": `${seen}px` }}
      onclose=${onclose}
    >
      <div class="menu-head">
        <h2 id="chat-title">${strings("chat.title")}</h2>
        <span class="chat-status" role="status">${headline(room)}</span>
        <${Close} name=${strings("pass.close")} autofocus=${!keyboard} />
      </div>
      <${Log} state=${state} />
      <p class="error" role="status">${refused}</p>
      <${Composer} state=${state} open=${true} typing=${typing} focus=${keyboard} />
    <//>`;
  }
}

/**
 * The last line of somebody else, for a moment over the sentence of the status. A screen reader says it.
 *
 * @extends {Timed<{state: InRoom, silent: boolean}, {line: ShownLine | null}>}
 */
export class Bubble extends Timed {
  /** @type {{line: ShownLine | null}} */
  state = { line: null };
  #seen = lastNumber(this.props.state.room.chat.lines);

  componentDidUpdate() {
    const { state, silent } = this.props;
    const lines = shownLines(state);
    const last = lines.at(-1);
    if (this.state.line && !lines.some(({ n }) => n === this.state.line?.n)) this.setState({ line: null });
    if (!last || last.n <= this.#seen) return;
    this.#seen = last.n;
    if (last.mine || silent) return;
    this.setState({ line: last });
    this.stopTimer();
    this.timer = setTimeout(() => this.setState({ line: null }), BUBBLE_MS);
  }

  /** @param {{state: InRoom, silent: boolean}} props @param {{line: ShownLine | null}} state */
  render({ state: { room }, silent }, { line }) {
    const shown = silent ? null : line;
    const isTheOther = shown?.seat && room.presence.spectators === 0;
    return html`<div class="chat-bubbles" aria-live="polite">
      ${shown &&
      html`<p key=${shown.n} class=${"emote" in shown.said ? "visually-hidden" : "chat-bubble"} data-by=${shown.seat ?? "watch"}>
        <span class="chat-said">
          <bdi class=${isTheOther ? "visually-hidden" : "chat-name"}>${shown.name}</bdi>
          ${shown.leads && html`<span class="chat-watches">${strings("chat.host")} </span>`}<span class="visually-hidden">: </span><${Words} said=${shown.said} />
        </span>
      </p>`}
    </div>`;
  }
}
