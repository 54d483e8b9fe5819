// This device's storage: the player's name, face and token, the last rooms, the preferences. Where
// the browser stores nothing, all of it lasts until the tab closes.
// @ts-check

import { characters, length } from "./characters.js";
import { isKnown, roomsFrom } from "./core/rooms.js";
import { DEFAULT_PREFS, SOUNDS } from "./core/state.js";
import { isFace, randomFace } from "./face.js";
import { MAX_NAME_CHARS } from "./client/generated/constants.js";
import { ANIMALS } from "./generated/faces.js";
import { LIGHTS, SKINS } from "./look.js";
import { read, remove, text, write } from "./storage.js";
import { randomName } from "./strings.js";

/** @typedef {import("./core/state.js").Prefs} Prefs */

const KEY = "noughts";

/** The key of a guest, a tab with its own player: only this tab stores it. */
const GUEST = "noughts-tab";

/**
 * @typedef {object} Stored
 * @property {string} name `""` without a name
 * @property {import("./client/protocol.js").Face | null} face null without a chosen one
 * @property {boolean} offered whether the page has offered the name, and the player has not taken it yet
 * @property {string | null} token
 * @property {import("./core/state.js").State["rooms"]} rooms
 */

/** The player of this tab: the browser's player, or a guest. */
export class Identity {
  /** @type {Stored} */ #stored;
  /** @type {() => Storage} */ #storage;
  #key;
  /** The rooms as this tab has stored them last. @type {Stored["rooms"]} */ #own;

  constructor() {
    const guest = read(() => sessionStorage, GUEST);
    this.#storage = guest ? () => sessionStorage : () => localStorage;
    this.#key = guest ? GUEST : KEY;
    /** Whether this tab has its own player. */
    this.guest = Boolean(guest);
    this.#stored = { name: "", face: null, offered: false, token: null, rooms: [] };
    this.refresh();
    this.#own = this.rooms;
  }

  /** Reads what another tab may have stored. */
  refresh() {
    const stored = read(this.#storage, this.#key);
    if (stored) {
      const [name, token] = [stored.name, stored.token].map(text);
      const face = isFace(stored.face) ? stored.face : null;
      this.#stored = { name: name ?? "", face, offered: stored.offered === true, token, rooms: roomsFrom(stored.rooms) };
    }
  }

  get name() {
    return this.#stored.name;
  }

  get face() {
    return this.#stored.face;
  }

  get offered() {
    return this.#stored.offered;
  }

  get token() {
    return this.#stored.token;
  }

  get rooms() {
    return this.#stored.rooms;
  }

  /** The rest stays as another tab may have stored it. @param {Partial<Stored>} change */
  save(change) {
    this.refresh();
    this.#stored = { ...this.#stored, ...change };
    write(this.#storage, this.#key, this.#stored);
  }

  /** Stores the rooms of this tab beside those that another tab has entered since. @param {Stored["rooms"]} rooms */
  saveRooms(rooms) {
    this.refresh();
    const others = this.rooms.filter(({ code }) => !isKnown(this.#own, code) && !isKnown(rooms, code));
    this.#own = rooms;
    this.save({ rooms: [...rooms, ...others] });
  }

  /** Becomes the player of a file, which has no face. @param {{name: string, token: string}} kept */
  become({ name, token }) {
    this.save({ name, token, face: null, offered: false, rooms: [] });
  }

  /** @param {string} text @returns {boolean} whether the player has another name now */
  rename(text) {
    const name = normalizeName(text);
    const changes = name !== "" && name !== this.name;
    if (changes) {
      this.save({ name, offered: false });
    }
    return changes;
  }

  /** Offers a face and a name that goes with it. @param {import("./client/protocol.js").Face} [face] */
  offer(face = randomFace(Math.random)) {
    this.save({ name: randomName(Math.random, ANIMALS.indexOf(face.animal)), face, offered: true });
  }

  /** Takes another face. A name that was offered goes with it. @param {import("./client/protocol.js").Face} face */
  wear(face) {
    if (this.offered && face.animal !== this.face?.animal) this.offer(face);
    else this.save({ face });
  }

  /** After the next load this tab has a new player of its own, or the browser's player again. */
  change() {
    if (this.guest) {
      remove(this.#storage, GUEST);
    } else {
      write(() => sessionStorage, GUEST, { name: "", token: null, rooms: [] });
    }
  }
}

/** A stored loudness. An earlier version of the page stored `true` for on. @param {unknown} stored */
export const soundOf = (stored) => SOUNDS.find((level) => level === stored) ?? (stored === true ? "on" : "off");

/** @returns {Prefs} */
export function loadPrefs() {
  const stored = read(() => localStorage, `${KEY}-prefs`) ?? {};
  const forms = /** @type {any} */ (stored.forms);
  return {
    ...DEFAULT_PREFS,
    lang: text(stored.lang) ?? "",
    skin: SKINS.find((skin) => skin === stored.skin) ?? "paper",
    light: LIGHTS.find((light) => light === stored.light) ?? "",
    sound: soundOf(stored.sound),
    forms: typeof forms === "object" && forms !== null ? forms : {},
    putAway: Array.isArray(stored.putAway) ? stored.putAway : [],
  };
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
 * @returns {string[]} the name, and what was cut off
 */
export function cutName(name) {
  const letters = characters(name.replace(/\s+/g, " ").trim());
  let end = MAX_NAME_CHARS;
  while (length(letters.slice(0, end).join("")) > MAX_NAME_CHARS) end -= 1;
  return [letters.slice(0, end).join("").trim(), letters.slice(end).join("")];
}

/** The name as it is sent. @param {string} name */
export const normalizeName = (name) => cutName(name)[0];
