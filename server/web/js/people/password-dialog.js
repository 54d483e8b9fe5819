// The dialog for the server's password. Without the password the page can do nothing.
// @ts-check

import { Dialog } from "../dialog.js";
import { html } from "../html.js";
import { strings } from "../strings.js";

/** @param {{wrong: boolean, done: (password: string) => void}} props `wrong`: the last password was */
export function PasswordDialog({ wrong, done }) {
  /** @param {Event & {currentTarget: HTMLFormElement}} event */
  const submit = (event) => {
    event.preventDefault();
    const password = event.currentTarget.password.value;
    if (password === "") {
      event.currentTarget.password.focus();
    } else {
      done(password);
    }
  };
  // Without the dialog nothing on the page works, so Escape does not close it.
  const stay = (/** @type {Event} */ event) => event.preventDefault();
  return html`
    <${Dialog} aria-labelledby="password-title" oncancel=${stay}>
      <form class="form" novalidate onsubmit=${submit}>
        <h2 id="password-title">${strings("password.title")}</h2>
        <p>${strings("password.text")}</p>
        <div class="field">
          <label for="password" class="label">${strings("password.label")}</label>
          <input
            id="password"
            class="input"
            type="password"
            autocomplete="current-password"
            maxlength="256"
            enterkeyhint="go"
            autofocus
            aria-describedby="password-error"
          />
          <p id="password-error" class="error" role="alert" hidden=${!wrong}>
            ${wrong && strings("password.wrong")}
          </p>
        </div>
        <button type="submit" class="button-primary wide">${strings("password.go")}</button>
      </form>
    <//>
  `;
}
