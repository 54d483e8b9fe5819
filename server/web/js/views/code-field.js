// The field for a room code: five boxes. It is one input, whose letters are drawn over it, so that pasting,
// screen readers and on-screen keyboards work as everywhere.
// @ts-check

import { Component, createRef, html } from "../html.js";
import { CODE_LENGTH } from "../client/generated/constants.js";
import { parseCode } from "../client/protocol.js";
import { strings } from "../strings.js";
import { codeTyped } from "./code-typed.js";

/** @typedef {import("../view.js").Props} Props */

/** The longest text that can be pasted: the link of a room. In UTF-16 units. */
const MAX_TYPED = 200;

/**
 * `joins` says that the fifth letter joins the room at once. A player without a name comes as by
 * the link, whose screen asks for it. With a `title` the heading of the screen is the label.
 *
 * @extends {Component<Props & {title?: string, typed?: string, wrong?: boolean, joins?: boolean}, {typed: string, wrong: boolean, at: number}>}
 */
export class CodeField extends Component {
  #input = createRef();

  /** `wrong` is about the text that the field begins with; `at` is the box of the next letter. */
  state = { typed: this.props.typed ?? "", wrong: this.props.wrong ?? false, at: (this.props.typed ?? "").length };

  /** @param {Event & {currentTarget: HTMLInputElement}} event */
  #type = ({ currentTarget }) => {
    const at = currentTarget.selectionStart ?? 0;
    const inside = at < currentTarget.value.length;
    const typed = codeTyped(currentTarget.value);
    // The text that is shown may be the same as before, and then nothing would draw the input again.
    currentTarget.value = typed;
    this.#select(inside ? at : typed.length, typed.length < this.state.typed.length ? 0 : 1);
    const complete = typed.length === CODE_LENGTH && typed !== this.state.typed;
    this.setState({ typed, wrong: false });
    if (this.props.joins && complete) this.#enter("player", typed);
  };

  /** The letter of a box is selected, so that a typed one replaces it; none after a letter was deleted. @param {number} at */
  #select(at, letters = 1) {
    this.#input.current.setSelectionRange(at, at + letters);
    this.setState({ at });
  }

  /** A tap on a box means its letter; the input's own letters stand elsewhere. @param {MouseEvent & {currentTarget: HTMLInputElement}} event */
  #tap = ({ currentTarget, offsetX }) => {
    const at = Math.floor((offsetX / currentTarget.offsetWidth) * CODE_LENGTH);
    this.#select(Math.min(at, this.state.typed.length));
  };

  /** An arrow key moves the caret. @param {KeyboardEvent & {currentTarget: HTMLInputElement}} event */
  #move = ({ currentTarget }) => this.setState({ at: currentTarget.selectionStart ?? 0 });

  /** @param {"player" | "spectator"} role */
  #enter(role, typed = this.state.typed) {
    const { page, state } = this.props;
    const room = parseCode(typed);
    this.setState({ wrong: !room });
    if (!room) this.#input.current.focus();
    else if (role === "player" && page.player.isOffered()) page.navigate({ screen: "room", code: room });
    else if (state.entering?.room !== room) page.send({ type: "join", room, role });
  }

  /** A button of another part of the page may belong to this form: its value is the role. */
  #submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    this.#enter(button?.value === "spectator" ? "spectator" : "player");
  };

  /** The error: a wrong code, or the failure of the room whose code it is. */
  #error() {
    const { typed, wrong } = this.state;
    const { failed } = this.props.state;
    if (wrong) return strings(typed === "" ? "join.empty" : "join.error");
    return failed && failed.room === parseCode(typed) ? failureText(failed) : "";
  }

  render() {
    const { joins, title } = this.props;
    const { typed, at } = this.state;
    const error = this.#error();
    const boxes = Array.from({ length: CODE_LENGTH }, (_, box) => typed[box] ?? "");
    return html`
      <form id="code-form" class="code-field" novalidate onsubmit=${this.#submit}>
        <label for="code" class=${title ? "visually-hidden" : "label"}>${strings(title ?? "join.title")}</label>
        <div class="code-boxes" data-at=${Math.min(at, CODE_LENGTH - 1)}>
          ${boxes.map((letter, box) => html`<span key=${box} aria-hidden="true">${letter}</span>`)}
          <input
            ref=${this.#input}
            id="code"
            type="text"
            value=${typed}
            autocomplete="off"
            autocapitalize="characters"
            spellcheck=${false}
            maxlength=${MAX_TYPED}
            enterkeyhint="go"
            aria-describedby="code-note code-error"
            aria-invalid=${error !== ""}
            oninput=${this.#type}
            onclick=${this.#tap}
            onkeyup=${this.#move}
          />
        </div>
        <p id="code-note" class="visually-hidden">${strings(joins ? "join.goesOn" : "join.note")}</p>
        <p id="code-error" class="error" role="alert" hidden=${error === ""}>${error}</p>
      </form>
    `;
  }
}

/**
 * Why the player could not enter a room.
 *
 * @param {{room: string, code: string, text: string}} failed
 * @returns {string}
 */
export function failureText({ room, code, text }) {
  const key = [`failed.${code}`, `refused.${code}`].find(strings.has);
  return key ? strings(key, { room }) : text;
}
