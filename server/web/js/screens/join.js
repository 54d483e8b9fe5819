// The form for a room code.
// @ts-check

import { Component, createRef, html } from "../html.js";
import { parseCode } from "../protocol.js";
import { strings } from "../strings.js";

/** @typedef {import("../view.js").Props} Props */

/** The longest text: a code, or the link of a room. In UTF-16 units. */
const MAX_TYPED = 200;

/** @extends {Component<Props, {typed: string, wrong: boolean}>} */
export class Join extends Component {
  #input = createRef();

  /** @param {Props} props */
  constructor(props) {
    super(props);
    const { route, failed, lastRoom } = props.state;
    const inLink = route.screen === "join" ? route.typed : undefined;
    const named = route.screen === "room" ? route.code : (lastRoom ?? "");
    this.state = { typed: failed?.room ?? inLink ?? named, wrong: Boolean(inLink) };
  }

  /** @param {Event & {currentTarget: HTMLInputElement}} event */
  #type = ({ currentTarget }) => this.setState({ typed: currentTarget.value, wrong: false });

  /** @param {"player" | "spectator"} role */
  #enter(role) {
    const room = parseCode(this.state.typed);
    this.setState({ wrong: !room });
    if (room) {
      this.props.page.send({ type: "join", room, role });
    } else {
      this.#input.current.focus();
    }
  }

  /** The error below the field: a wrong code, or the failure of the room whose code it is. */
  #error() {
    const [{ typed, wrong }, { failed }] = [this.state, this.props.state];
    if (wrong) return strings(typed.trim() === "" ? "join.empty" : "join.error");
    return failed && failed.room === parseCode(typed) ? failureText(failed) : "";
  }

  render() {
    const { entering, features } = this.props.state;
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#enter("player");
    };
    return html`
      <form class="screen form" novalidate onsubmit=${submit}>
        <header>
          <h1>${strings("join.title")}</h1>
          <p class="lead">${strings("join.lead")}</p>
        </header>
        ${this.#field()}
        <div class="buttons">
          <button type="submit" class="button-primary" aria-disabled=${entering !== null}>
            ${strings("join.go")}
          </button>
          <button
            type="button"
            class="button-quiet"
            hidden=${!features.spectators}
            onclick=${() => this.#enter("spectator")}
          >
            ${strings("join.watch")}
          </button>
        </div>
      </form>
    `;
  }

  #field() {
    const error = this.#error();
    return html`
      <div class="field">
        <label for="code" class="label">${strings("join.code")}</label>
        <input
          ref=${this.#input}
          id="code"
          class="input code-input"
          type="text"
          value=${this.state.typed}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck=${false}
          maxlength=${MAX_TYPED}
          enterkeyhint="go"
          aria-describedby="code-note code-error"
          aria-invalid=${error !== ""}
          oninput=${this.#type}
        />
        <p id="code-note" class="note">${strings("join.note")}</p>
        <p id="code-error" class="error" role="alert" hidden=${error === ""}>${error}</p>
      </div>
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
