// The server's password, which this tab keeps until it closes.
// @ts-check

import { askPassword } from "./password-dialog.js";
import { read, text, write } from "./storage.js";

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
    askPassword(wrong, (password) => {
      this.#save(password);
      then();
    });
  }
}
