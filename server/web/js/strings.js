// The texts of the page: `strings(key)` in the current language. They are in `strings/`. `index.html`
// names those of the visitor's language; another one is loaded when the player chooses it.
// @ts-check

/** @typedef {Record<string, string | number>} Params */
/** @typedef {Record<string, string | ((params: any) => string)>} StringTable */
/** @typedef {typeof strings} Strings */

/** The languages, by the names they have themselves. */
export const LANGUAGES = Object.freeze({ en: "English", de: "Deutsch" });

let current = "en";
/** The language that was asked for last. */
let wanted = current;
/** @type {StringTable} */
let table = {};
/** The texts that have been added, by the name of their files. @type {string[]} */
const parts = [];

/**
 * The first wanted language that the page has; else English.
 *
 * @param {readonly string[]} wanted language tags, the preferred one first
 * @returns {string}
 */
export function chooseLanguage(wanted) {
  const tags = wanted.map((tag) => tag.toLowerCase().split("-")[0]);
  return tags.find((tag) => Object.hasOwn(LANGUAGES, tag)) ?? "en";
}

/**
 * Loads a language and switches `strings` to it, unless another one was asked for since. Where loading fails, the old
 * language stays.
 *
 * @param {string} tag
 * @returns {Promise<void>}
 */
export async function setLanguage(tag) {
  const chosen = chooseLanguage([tag]);
  wanted = chosen;
  const count = parts.length;
  const names = [chosen, ...parts.map((part) => `${part}-${chosen}`)];
  const tables = await Promise.all(names.map((name) => import(`./strings/${name}.js`)));
  if (chosen !== wanted) return;
  if (parts.length > count) return setLanguage(tag);
  table = Object.assign({}, ...tables.map((module) => module[chosen]));
  current = chosen;
}

/**
 * Adds texts, in this language and in those chosen later.
 *
 * @param {string} part the name of their files
 * @returns {Promise<void>}
 */
export async function addStrings(part) {
  const chosen = current;
  const module = await import(`./strings/${part}-${chosen}.js`);
  if (chosen !== current) return addStrings(part);
  table = { ...table, ...module[chosen] };
  if (!parts.includes(part)) parts.push(part);
}

/** @returns {string} the tag of the language of `strings` */
export function language() {
  return current;
}

/**
 * The language for dates and numbers: that of the browser, with its country, where the page speaks it too.
 *
 * @param {readonly string[]} [wanted]
 * @returns {string}
 */
export function locale(wanted = navigator.languages) {
  return wanted.find((tag) => tag.toLowerCase().split("-")[0] === current) ?? current;
}

/**
 * The text for a key, with each `{name}` replaced by its value in `params`.
 *
 * @param {string} key
 * @param {Params} [params]
 * @returns {string} the key itself where there is no text for it
 */
export function strings(key, params = {}) {
  const text = table[key];
  if (typeof text === "function") {
    return text(params);
  }
  return (text ?? key).replace(/\{(\w+)\}/g, (whole, name) => String(params[name] ?? whole));
}

/**
 * Whether there is a text for a key. A refusal code of a newer server may have none.
 *
 * @param {string} key
 * @returns {boolean}
 */
strings.has = (key) => Object.hasOwn(table, key);

/**
 * A name for a player who has not chosen one: an adjective and the animal of their face.
 *
 * @param {() => number} random gives a number from 0 to below 1
 * @param {number} animal its number
 * @returns {string}
 */
export function randomName(random, animal) {
  const adjectives = strings("name.adjectives").split(" ");
  return `${adjectives[Math.floor(random() * adjectives.length)]} ${strings("name.animals").split(" ")[animal]}`;
}
