// The server's password, which this tab keeps until it closes. Few servers have one, so the dialog is
// loaded when needed.
// @ts-check

import { read, text, write } from "./storage.js";
import { strings } from "./strings.js";

const KEY = "noughts-password";

/** How long to wait after the dialog could not be loaded, in milliseconds. */
const AGAIN_MS = 2_000;

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
  async ask(wrong, then) {
    this.#save("");
    const done = (/** @type {string} */ password) => {
      this.#save(password);
      then();
    };
    try {
      (await import("./password-dialog.js")).askPassword({ strings, wrong, done });
    } catch {
      // The network is gone for a moment.
      setTimeout(then, AGAIN_MS);
    }
  }
}
