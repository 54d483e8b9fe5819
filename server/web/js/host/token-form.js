// Asks for the token of a host. Without it there is nothing to see.
// @ts-check

import { Component, html } from "../html.js";
import { strings } from "../strings.js";
import { isToken } from "./door.js";

/** @typedef {import("./door.js").Trouble} Trouble */

/** @extends {Component<{trouble: Trouble | null, accept: (token: string) => void}, {wrong: boolean}>} */
export class TokenForm extends Component {
  state = { wrong: false };

  /** @param {Event & {currentTarget: HTMLFormElement}} event */
  #go = (event) => {
    event.preventDefault();
    const token = String(new FormData(event.currentTarget).get("token") ?? "").trim();
    this.setState({ wrong: !isToken(token) });
    if (isToken(token)) this.props.accept(token);
  };

  /** @param {any} props @param {{wrong: boolean}} state */
  render({ trouble }, { wrong }) {
    const error = wrong ? "token" : trouble;
    return html`<form class="form screen host-token" novalidate onsubmit=${this.#go}>
      <header>
        <h1>${strings("host.title")}</h1>
        <p class="note">${strings("host.token.text")}</p>
      </header>
      <div class="field">
        <label for="token" class="label">${strings("host.token.label")}</label>
        <input
          id="token" class="input" name="token" type="password" autocomplete="current-password" autofocus
          aria-invalid=${error !== null} aria-describedby="token-error"
        />
        <p id="token-error" class="error" role="alert" hidden=${!error}>${error && strings(`host.trouble.${error}`)}</p>
      </div>
      <button type="submit" class="button-primary">${strings("host.token.go")}</button>
    </form>`;
  }
}
