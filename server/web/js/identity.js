// What this device stores: the player's name and token, the last room, the preferences. Where the
// browser stores nothing, all of it lasts for one visit.
// @ts-check

import { DEFAULT_PREFS } from "./state.js";
import { MAX_NAME_CHARS } from "./generated/constants.js";

/** @typedef {import("./state.js").Prefs} Prefs */

const KEY = "noughts";

/** The key of a guest, a tab with its own player: only this tab stores it. */
const GUEST = "noughts-tab";

/**
 * @typedef {object} Stored
 * @property {string} name `""` without a chosen name
 * @property {string | null} token
 * @property {string | null} lastRoom
 */

/** The player of this tab: the browser's player, or a guest. */
export class Identity {
  /** @type {Stored} */ #stored;
  /** @type {() => Storage} */ #storage;
  #key;

  constructor() {
    const guest = read(() => sessionStorage, GUEST);
    this.#storage = guest ? () => sessionStorage : () => localStorage;
    this.#key = guest ? GUEST : KEY;
    /** Whether this tab has its own player. */
    this.guest = Boolean(guest);
    this.#stored = { name: "", token: null, lastRoom: null };
    this.refresh();
  }

  /** Reads what another tab may have stored. */
  refresh() {
    const stored = read(this.#storage, this.#key);
    if (stored) {
      const [name, token, lastRoom] = [stored.name, stored.token, stored.lastRoom].map(text);
      this.#stored = { name: name ?? "", token, lastRoom };
    }
  }

  get name() {
    return this.#stored.name;
  }

  get token() {
    return this.#stored.token;
  }

  get lastRoom() {
    return this.#stored.lastRoom;
  }

  /** @param {Partial<Stored>} change */
  save(change) {
    this.#stored = { ...this.#stored, ...change };
    write(this.#storage, this.#key, this.#stored);
  }

  /** After the next load this tab has a new player of its own. */
  static becomeGuest() {
    write(() => sessionStorage, GUEST, { name: "", token: null, lastRoom: null });
  }

  /** After the next load this tab has the browser's player again. */
  static endGuest() {
    try {
      sessionStorage.removeItem(GUEST);
    } catch {
      // Without storage there is no guest.
    }
  }
}

/** @returns {Prefs} */
export function loadPrefs() {
  const stored = read(() => localStorage, `${KEY}-prefs`) ?? {};
  const forms = /** @type {any} */ (stored.forms);
  return {
    ...DEFAULT_PREFS,
    lang: text(stored.lang) ?? "",
    sound: stored.sound === true,
    vibrate: stored.vibrate === true,
    forms: typeof forms === "object" && forms !== null ? forms : {},
  };
}

/** @returns {string | undefined} the server's password, until this tab closes */
export function loadPassword() {
  return text(read(() => sessionStorage, `${KEY}-password`)?.password) ?? undefined;
}

/** @param {string} password `""` forgets it */
export function savePassword(password) {
  write(() => sessionStorage, `${KEY}-password`, { password });
}

/** @param {Prefs} prefs */
export function savePrefs(prefs) {
  write(() => localStorage, `${KEY}-prefs`, prefs);
}

/**
 * Trims a name, joins its spaces and cuts it to the longest length. The server checks its
 * characters.
 *
 * @param {string} name
 * @returns {string}
 */
export function normalizeName(name) {
  return [...name.replace(/\s+/g, " ").trim()].slice(0, MAX_NAME_CHARS).join("").trim();
}

/** @param {unknown} value @returns {string | null} */
function text(value) {
  return typeof value === "string" && value !== "" ? value : null;
}

/** @param {() => Storage} storage @param {string} key @returns {Record<string, unknown> | null} */
function read(storage, key) {
  try {
    const value = JSON.parse(storage().getItem(key) ?? "null");
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** @param {() => Storage} storage @param {string} key @param {object} value */
function write(storage, key, value) {
  try {
    storage().setItem(key, JSON.stringify(value));
  } catch {
    // Private windows and full disks store nothing. The visit goes on.
  }
}
