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
 * `joins` says that the fifth letter joins the room at once. Who has no name of their own comes as by the link,
 * whose screen asks for it.
 *
 * @extends {Component<Props & {title?: string, typed?: string, wrong?: boolean, joins?: boolean}, {typed: string, wrong: boolean}>}
 */
export class CodeField extends Component {
  #input = createRef();

  /** `wrong` is about the text that the field begins with. */
  state = { typed: this.props.typed ?? "", wrong: this.props.wrong ?? false };

  /** @param {Event & {currentTarget: HTMLInputElement}} event */
  #type = ({ currentTarget }) => {
    const typed = codeTyped(currentTarget.value);
    // The text that is shown may be the same as before, and then nothing would draw the input again.
    currentTarget.value = typed;
    const complete = typed.length === CODE_LENGTH && typed !== this.state.typed;
    this.setState({ typed, wrong: false });
    if (this.props.joins && complete) this.#enter("player", typed);
  };

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
    const [{ typed, wrong }, { failed }] = [this.state, this.props.state];
    if (wrong) return strings(typed === "" ? "join.empty" : "join.error");
    return failed && failed.room === parseCode(typed) ? failureText(failed) : "";
  }

  render() {
    const [{ joins, title = "join.title" }, { typed }] = [this.props, this.state];
    const error = this.#error();
    const boxes = Array.from({ length: CODE_LENGTH }, (_, at) => typed[at] ?? "");
    return html`
      <form id="code-form" class="code-field" novalidate onsubmit=${this.#submit}>
        <label for="code" class=${joins ? "label" : "visually-hidden"}>${strings(title)}</label>
        <div class="code-boxes" data-at=${Math.min(typed.length, CODE_LENGTH - 1)}>
          ${boxes.map((letter, at) => html`<span key=${at} aria-hidden="true">${letter}</span>`)}
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
