// Who we are, and what is kept on this device: the name, the token, the preferences, the room to
// come back to. A browser that stores nothing is served all the same, for one visit.
// @ts-check

import { DEFAULT_PREFS } from "./state.js";
import { MAX_NAME_CHARS } from "./protocol.js";

/** @typedef {import("./state.js").Prefs} Prefs */

const KEY = "noughts";

/** Marks a tab that plays as somebody else: its identity is kept in the tab alone. */
const GUEST = "noughts-tab";

/**
 * @typedef {object} Kept
 * @property {string} name `""` where none was chosen
 * @property {string | null} token
 * @property {string | null} lastRoom
 */

/** The identity of this tab: the browser's, or its own. */
export class Identity {
  /** @type {Kept} */ #kept;
  /** @type {() => Storage} */ #storage;
  #key;

  constructor() {
    const guest = read(() => sessionStorage, GUEST);
    this.#storage = guest ? () => sessionStorage : () => localStorage;
    this.#key = guest ? GUEST : KEY;
    /** Whether this tab plays as somebody else than the browser's other tabs. */
    this.guest = Boolean(guest);
    this.#kept = { name: "", token: null, lastRoom: null };
    this.refresh();
  }

  /** Takes over what another tab has stored since. */
  refresh() {
    const stored = read(this.#storage, this.#key);
    if (stored) {
      const [name, token, lastRoom] = [stored.name, stored.token, stored.lastRoom].map(text);
      this.#kept = { name: name ?? "", token, lastRoom };
    }
  }

  get name() {
    return this.#kept.name;
  }

  get token() {
    return this.#kept.token;
  }

  get lastRoom() {
    return this.#kept.lastRoom;
  }

  /** @param {Partial<Kept>} change */
  keep(change) {
    this.#kept = { ...this.#kept, ...change };
    write(this.#storage, this.#key, this.#kept);
  }

  /** From the next visit of this tab on it plays as somebody new; other tabs are as before. */
  static becomeGuest() {
    write(() => sessionStorage, GUEST, { name: "", token: null, lastRoom: null });
  }

  /** From the next visit of this tab on it plays as the browser's other tabs do. */
  static endGuest() {
    try {
      sessionStorage.removeItem(GUEST);
    } catch {
      // Without a store there is no guest to end.
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

/** @returns {string | undefined} the server's password, for as long as this tab is open */
export function loadPassword() {
  return text(read(() => sessionStorage, `${KEY}-password`)?.password) ?? undefined;
}

/** @param {string} password `""` forgets it */
export function keepPassword(password) {
  write(() => sessionStorage, `${KEY}-password`, { password });
}

/** @param {Prefs} prefs */
export function savePrefs(prefs) {
  write(() => localStorage, `${KEY}-prefs`, prefs);
}

/**
 * A name as the server takes it: without spaces at its ends or in a row, not too long. What it
 * may not hold besides is the server's to say.
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
    // Private windows and full disks keep nothing: the visit goes on without.
  }
}
