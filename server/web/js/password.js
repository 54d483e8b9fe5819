// The server's password, which this tab keeps until it closes.
// @ts-check

import { html, render } from "./html.js";
import { later } from "./later.js";
import { PEOPLE } from "./parts.js";
import { read, text, write } from "./storage.js";

const PasswordDialog = later(PEOPLE, "PasswordDialog");

const KEY = "noughts-password";

export class Password {
  /** The typed password, where the browser stores nothing. @type {string | undefined} */
  #typed;

  get value() {
    return text(read(() => sessionStorage, KEY)?.password) ?? this.#typed;
  }

  /** @param {string} password "" forgets it */
  #save(password) {
    this.#typed = password || undefined;
    write(() => sessionStorage, KEY, { password });
  }

  /**
   * Asks the player.
   *
   * @param {boolean} wrong whether the last password was wrong
   * @param {() => void} then connects again
   */
  ask(wrong, then) {
    this.#save("");
    const place = document.body.appendChild(document.createElement("div"));
    const done = (/** @type {string} */ password) => {
      render(null, place);
      place.remove();
      this.#save(password);
      then();
    };
    render(html`<${PasswordDialog} wrong=${wrong} done=${done} />`, place);
  }
}
