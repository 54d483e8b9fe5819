// Loads the page again when that helps: the server has another version of it, or it has closed the
// connection for good. A page that cannot be loaded stays: nobody is there to load it by hand.
// @ts-check

import { BASE } from "../router.js";

/** The wait before a reload after the end of a connection doubles up to the longest one. */
const [FIRST_MS, LONGEST_MS] = [5_000, 300_000];

/** The tries of this tab, which a reload must not forget. */
const KEY = "noughts-screen-tries";

/** The folder with the version of the page. @param {string} text */
export const folderIn = (text) => /assets\/([^/"']+)\//.exec(text)?.[1] ?? null;

/** The wait before the next reload. @param {number} tries */
export const waitAfter = (tries) => Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(tries, 10));

export class Renewal {
  #timer = 0;
  #isOver = false;

  /** The server answers again: another version of the page is loaded. */
  async welcome() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    sessionStorage.removeItem(KEY);
    const there = await this.#folder();
    if (there && there !== folderIn(import.meta.url)) this.#reload();
  }

  /** The server has closed the connection for good: a reload after a while connects again. */
  ended() {
    if (this.#timer || this.#isOver) return;
    const tries = Number(sessionStorage.getItem(KEY)) || 0;
    this.#timer = setTimeout(async () => {
      this.#timer = 0;
      sessionStorage.setItem(KEY, String(tries + 1));
      if (await this.#folder()) this.#reload();
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

  /** The folder that the server's page names now; null where it does not answer. */
  async #folder() {
    try {
      const answer = await fetch(BASE, { cache: "no-store", headers: { accept: "text/html" } });
      return answer.ok ? folderIn(await answer.text()) : null;
    } catch {
      return null;
    }
  }
}
