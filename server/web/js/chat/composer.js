// Where something is said: the emotes, and the field for a text. Enter says it. A text that could
// not be said stays in the field.
// @ts-check

import { Component, createRef, html } from "../html.js";
import { Icon, IconButton } from "../room/board-svg.js";
import { strings } from "../strings.js";
import { Emotes } from "./emotes.js";
import { charsLeft, isCounted, isLate, tidy, waitToSay } from "./lines.js";
import { memoryOf, noteSaid } from "./memory.js";

/** @typedef {import("../client/protocol.js").Said} Said */
/** @typedef {import("./lines.js").InRoom} InRoom */

/** The letters of a text may be of two units each, and it may have spaces to remove. */
const MOST_UNITS = 400;

/**
 * @typedef {{state: InRoom, open: boolean, typing?: boolean, focus?: boolean}} Props `open`: the emotes are
 *   in sight at first; `typing`: a keyboard has their room; `focus`: the field has the focus at first
 */
/**
 * @typedef {{text: string, told: string, emotes: boolean, sent: {id: number, text: string} | null}} Typed
 *   `told`: why something could not be said, `sent`: the text that has no answer yet
 */

/** @extends {Component<Props, Typed>} */
export class Composer extends Component {
  #field = /** @type {{current: HTMLInputElement | null}} */ (createRef());
  #toggle = /** @type {{current: HTMLElement | null}} */ (createRef());
  #timer = 0;
  /** @type {Typed} */
  state = { text: memoryOf(this.props.state.room.code).draft, told: "", emotes: this.props.open, sent: null };

  componentWillUnmount() {
    clearTimeout(this.#timer);
    memoryOf(this.props.state.room.code).draft = this.state.text;
  }

  /** A refused text comes back into the field. @param {Props} before */
  componentDidUpdate({ state: before }) {
    const { sent, text } = this.state;
    const { unanswered, notice } = this.props.state;
    if (!sent || unanswered.some(({ id }) => id === sent.id)) return;
    const refused = notice?.kind === "error" && notice !== before.notice;
    this.setState({ sent: null, text: refused && text === "" ? sent.text : text });
  }

  /** Says it, unless it is too early. @param {Said} said @returns {boolean} */
  #say(said) {
    const { state } = this.props;
    const { code } = state.room;
    const now = performance.now();
    const wait = waitToSay(memoryOf(code).said, now);
    clearTimeout(this.#timer);
    if (wait > 0) {
      this.setState({ told: strings("refused.rate_limited.say") });
      this.#timer = setTimeout(() => this.setState({ told: "" }), wait);
      return false;
    }
    noteSaid(code, now);
    const id = state.session.nextId;
    this.context.send({ type: "say", room: code, said });
    this.setState({ told: "", sent: "text" in said ? { id, text: said.text } : null });
    return true;
  }

  #emote = (/** @type {import("../client/protocol.js").Emote} */ emote) => this.#say({ emote });

  #submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = tidy(this.state.text);
    if (charsLeft(text) < 0) this.setState({ told: strings("chat.long", { count: -charsLeft(text) }) });
    else if (text !== "" && this.#say({ text })) this.setState({ text: "" });
    this.#field.current?.focus();
  };

  /** Closes the emotes; the focus goes back to their button. */
  #close() {
    this.setState({ emotes: false });
    this.#toggle.current?.focus();
  }

  #key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape" || !this.state.emotes || this.props.open) return;
    event.preventDefault();
    event.stopPropagation();
    this.#close();
  };

  /** @param {Props} props @param {Typed} typed */
  render({ state: { room }, typing, focus }, { text, told, emotes: wanted }) {
    const emotes = wanted && !typing;
    const onlyEmotes = room.settings.chat === "emotes";
    const left = charsLeft(text);
    const counter = isCounted(text) ? strings(left < 0 ? "chat.over" : "chat.left", { count: Math.abs(left) }) : "";
    const rules = [onlyEmotes && "chat.pictures", isLate(room) && "chat.watch"].flatMap((key) => key || []).map((key) => strings(key));
    if (room.closed) return html`<p class="chat-told">${strings("chat.closed")}</p>`;
    return html`<div class="composer" onkeydown=${this.#key}>
      ${onlyEmotes && html`<${Emotes} say=${this.#emote} />`}
      ${!onlyEmotes &&
      html`<form class="composer-line" onsubmit=${this.#submit}>
        <button
          type="button"
          class="button-quiet composer-emotes"
          aria-expanded=${emotes ? "true" : "false"}
          aria-label=${strings("chat.pick")}
          title=${strings("chat.pick")}
          ref=${this.#toggle}
          onclick=${() => this.setState({ emotes: !emotes })}
        >
          <${Icon} d=${FACE} />
        </button>
        ${emotes && html`<${Emotes} say=${this.#emote} />`}
        <input
          class="input"
          ref=${this.#field}
          value=${text}
          maxlength=${MOST_UNITS}
          enterkeyhint="send"
          autocomplete="off"
          autofocus=${focus}
          aria-label=${strings("chat.field")}
          aria-describedby="chat-told"
          aria-invalid=${left < 0 ? "true" : null}
          placeholder=${strings("chat.field")}
          oninput=${(/** @type {any} */ event) => this.setState({ text: event.currentTarget.value, told: "" })}
        />
        <${IconButton} d=${ARROW} name=${strings("chat.send")} type="submit" kind="button-quiet composer-send" />
      </form>`}
      <p class="chat-told" id="chat-told" role="status" data-kind=${told || left < 0 ? "error" : null}>${told || counter || rules.join(" ")}</p>
    </div>`;
  }
}

const ARROW = "M4 12.2C9 11.8 14 12 19.5 12M13.5 5.6L20 12L13.6 18.4";

/** A face that smiles. */
const FACE = "M12.4 2.9C7.2 2.7 3 6.9 3 12.1 3 17.2 7 21.1 12.1 21 17.2 21 21.1 17 21 11.9 20.9 6.9 17 3 11.8 3M8.9 9.6V9.7M15.1 9.5V9.6M8 14.3C9.9 17 14.1 17 16 14.2";
