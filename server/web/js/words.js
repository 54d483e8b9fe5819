// Every word that a person reads comes through `t`. The words themselves are in `words/`.
// @ts-check

import { de } from "./words/de.js";
import { en } from "./words/en.js";

/** @typedef {Record<string, string | number>} Params */
/** @typedef {Record<string, string | ((params: any) => string)>} Words */

/** The languages, by the names they have themselves. */
export const LANGUAGES = Object.freeze({ en: "English", de: "Deutsch" });

/** @type {Record<string, Words>} */
const ALL = { en, de };

let current = "en";

/**
 * The first language that is wished for and is here; else English.
 *
 * @param {readonly string[]} wishes language tags, the dearest first
 * @returns {string}
 */
export function choose(wishes) {
  const tags = wishes.map((wish) => wish.toLowerCase().split("-")[0]);
  return tags.find((tag) => Object.hasOwn(ALL, tag)) ?? "en";
}

/**
 * The language that `t` speaks from now on.
 *
 * @param {string} tag
 */
export function setLanguage(tag) {
  current = choose([tag]);
}

/** @returns {string} the language that `t` speaks */
export function language() {
  return current;
}

/**
 * The words for a key, with each `{name}` replaced by what `params` has for it.
 *
 * @param {string} key
 * @param {Params} [params]
 * @returns {string} the key itself where nobody wrote words for it
 */
export function t(key, params = {}) {
  const words = ALL[current][key] ?? en[key];
  if (typeof words === "function") {
    return words(params);
  }
  return (words ?? key).replace(/\{(\w+)\}/g, (whole, name) => String(params[name] ?? whole));
}

/**
 * Whether there are words for a key: refusals of a newer server may have none.
 *
 * @param {string} key
 * @returns {boolean}
 */
export function has(key) {
  return Object.hasOwn(en, key);
}

/**
 * A name for whoever has not chosen one: an animal of good cheer.
 *
 * @param {() => number} chance gives a number from 0 to below 1
 * @returns {string}
 */
export function friendlyName(chance) {
  const pick = (/** @type {string} */ key) => {
    const names = t(key).split(" ");
    return names[Math.floor(chance() * names.length)];
  };
  return `${pick("name.adjectives")} ${pick("name.animals")}`;
}
