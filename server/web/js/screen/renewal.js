// Loads the page again when that helps: the server has another version of it, or it has closed the
// connection for good. A page that cannot be loaded stays: nobody is there to load it by hand.
// @ts-check

import { read, write } from "../storage.js";
import { folderHere, folderThere } from "../version.js";

/** The wait before a reload after the end of a connection doubles up to the longest one. */
const FIRST_MS = 5_000;
const LONGEST_MS = 300_000;

/** The page is loaded for another version once in this time: two servers may take turns. */
const RENEWAL_MS = 60_000;

/** Kept over a reload: the tries after a connection that ended, and the last renewal. */
const KEY = "noughts-screen";

/** The wait before the next reload. @param {number} tries */
export const waitAfter = (tries) => Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(tries, 10));

/** @returns {{tries: number, renewed: number}} `renewed` in milliseconds since 1970 */
function kept() {
  const { tries, renewed } = read(() => sessionStorage, KEY) ?? {};
  return { tries: Number(tries) || 0, renewed: Number(renewed) || 0 };
}

/** @param {ReturnType<typeof kept>} value */
const keep = (value) => write(() => sessionStorage, KEY, value);

export class Renewal {
  #timer = 0;
  #isOver = false;

  /** The server answers again: another version of the page is loaded, once. */
  async welcome() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const folder = await folderThere();
    const isOther = folder !== null && folder !== folderHere();
    const isNew = isOther && Math.abs(Date.now() - kept().renewed) > RENEWAL_MS;
    keep({ tries: 0, renewed: isNew ? Date.now() : kept().renewed });
    if (isNew) this.#reload();
  }

  /** The server has closed the connection for good: a reload after a while connects again. */
  ended() {
    if (this.#timer || this.#isOver) return;
    const { tries } = kept();
    this.#timer = setTimeout(async () => {
      this.#timer = 0;
      keep({ ...kept(), tries: tries + 1 });
      if (await folderThere()) this.#reload();
      else this.ended();
    }, waitAfter(tries));
  }

  stop() {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #reload() {
    if (!this.#isOver) location.reload();
  }
}
