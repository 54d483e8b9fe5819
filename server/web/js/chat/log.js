// The lines of a chat, each with its speaker, and the people who are not heard. A text is shown as text.
// @ts-check

import { FaceOf } from "../face-of.js";
import { Component, createRef, html } from "../html.js";
import { MARKS } from "../client/rules.js";
import { IconButton } from "../room/board-svg.js";
import { strings } from "../strings.js";
import { EmoteDrawing, emoteWords } from "./emotes.js";
import { isLate, shownLines, waitingToSay } from "./lines.js";
import { hear, memoryOf, noteNames } from "./memory.js";

/** @typedef {import("../client/protocol.js").Said} Said */
/** @typedef {import("./lines.js").ShownLine} ShownLine */
/** @typedef {{state: import("./lines.js").InRoom}} Props */

/** So near its end, in pixels, the log stays at its end. */
const NEAR = 40;

/** @extends {Component<Props>} */
export class Log extends Component {
  #element = /** @type {{current: HTMLElement | null}} */ (createRef());

  /** Whether the reader is at the end of the log, and has not scrolled back. */
  #atEnd = true;
  // The log gets its size when its sheet opens, and another one above the keyboard of a phone.
  #sizes = new ResizeObserver(() => this.#follow());

  componentDidMount() {
    this.#note();
    this.#follow();
    if (this.#element.current) this.#sizes.observe(this.#element.current);
  }

  componentWillUnmount() {
    this.#sizes.disconnect();
  }

  componentDidUpdate() {
    this.#note();
    this.#follow();
  }

  #follow() {
    const log = this.#element.current;
    if (this.#atEnd) log?.scrollTo(0, log.scrollHeight);
  }

  #scrolled = (/** @type {Event & {currentTarget: HTMLElement}} */ { currentTarget: log }) => {
    this.#atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR;
  };

  #note() {
    const { room } = this.props.state;
    hear(room.code, room.chat.lines);
    noteNames(room.code, room.chat.lines);
  }

  /** The button disappears with its line: the focus goes to the one that takes it back. */
  #mute = (/** @type {string} */ player, /** @type {boolean} */ mute) => {
    const { room } = this.props.state;
    this.context.send({ type: "mute", room: room.code, player, mute });
    const undo = () => /** @type {HTMLElement | null | undefined} */ (
      this.#element.current?.querySelector(`[data-unmute="${player}"]`) ?? this.#element.current);
    this.setState({}, () => undo()?.focus({ preventScroll: true }));
  };

  render() {
    const { state } = this.props;
    const { room } = state;
    const lines = shownLines(state);
    const muted = room.chat.muted;
    const waiting = waitingToSay(state);
    const isEmpty = lines.length + waiting.length + muted.length === 0;
    return html`<div
      class="chat-log"
      role="log"
      aria-label=${strings("chat.lines")}
      tabindex="0"
      ref=${this.#element}
      onscroll=${this.#scrolled}
    >
      ${muted.map((player) => html`<${Muted} key=${player} name=${nameOf(state, player)} player=${player} mute=${this.#mute} />`)}
      ${isEmpty && !isLate(room) && room.settings.chat !== "emotes" && html`<p class="note">${strings("chat.empty")}</p>`}
      ${lines.map((line) => html`<${Line} key=${line.n} line=${line} mute=${this.#mute} />`)}
      ${waiting.map(
        ({ id, said }) => html`<p key=${`waiting ${id}`} class="chat-line is-waiting">
          <b class="chat-name">${strings("chat.you")}:</b>${" "}<${Words} said=${said} />${" "}
          <span class="note">${strings("chat.waiting")}</span>
        </p>`,
      )}
    </div>`;
  }
}

/** @param {import("./lines.js").InRoom} state @param {string} player */
function nameOf({ room }, player) {
  const seats = MARKS.map((mark) => room.seats[mark]);
  const seat = seats.find((one) => one.kind === "human" && one.player === player);
  return memoryOf(room.code).names.get(player) ?? (seat?.kind === "human" ? seat.name : strings("chat.somebody"));
}

/** @typedef {(player: string, mute: boolean) => void} Mute */

/** @param {{line: ShownLine, mute: Mute}} props */
function Line({ line, mute }) {
  const { player, name, seat, said, mine, first, leads } = line;
  return html`<div class="chat-line" data-by=${seat ?? "watch"} data-first=${first ? "" : null}>
    <p>
      ${first && html`<${FaceOf} ...${line} />`}<b class="chat-name">${mine ? strings("chat.you") : html`<bdi>${name}</bdi>`}:</b>${" "}
      ${[leads && "chat.host", !seat && "chat.watches"].map((key) => key && html`<span class="chat-watches">${strings(key)}</span>${" "}`)}
      <${Words} said=${said} />
    </p>
    ${!mine &&
    first &&
    html`<${IconButton} d=${MUTE} name=${strings("chat.mute", { name })} kind="button-bare chat-mute" onclick=${() => mute(player, true)} />`}
  </div>`;
}

/** A bubble with a stroke through it. */
const MUTE = "M9 5H18Q21 5 21 8V13Q21 16 18.5 16M15 16H12L7.5 20V16H6Q3 16 3 13V8Q3 6.5 4 5.7M4 3L20 21";

/** @param {{said: Said}} props */
export const Words = ({ said }) =>
  "text" in said
    ? html`<bdi class="chat-text">${said.text}</bdi>`
    : html`<span class="chat-emote"><${EmoteDrawing} emote=${said.emote} /><span>${emoteWords(said.emote)}</span></span>`;

/** @param {{player: string, name: string, mute: Mute}} props */
const Muted = ({ player, name, mute }) => html`<p class="chat-muted">
  <span>${strings("chat.muted", { name })}</span>
  <button
    type="button"
    class="button-bare"
    data-unmute=${player}
    aria-label=${strings("chat.unmute", { name })}
    onclick=${() => mute(player, false)}
  >
    ${strings("chat.unmute.short")}
  </button>
</p>`;
