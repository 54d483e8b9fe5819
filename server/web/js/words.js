// Every word that a person reads comes through `t`. The words themselves are in `words/`: English
// is always here, another language is loaded when it is spoken.
// @ts-check

import { en } from "./words/en.js";

/** @typedef {Record<string, string | number>} Params */
/** @typedef {Record<string, string | ((params: any) => string)>} Words */

/** The languages, by the names they have themselves. */
export const LANGUAGES = Object.freeze({ en: "English", de: "Deutsch" });

/** @type {Record<string, () => Promise<Words>>} */
const LOAD = {
  en: async () => en,
  de: async () => (await import("./words/de.js")).de,
};

let current = "en";
/** @type {Words} */
let words = en;

/**
 * The first language that is wished for and is here; else English.
 *
 * @param {readonly string[]} wishes language tags, the dearest first
 * @returns {string}
 */
export function choose(wishes) {
  const tags = wishes.map((wish) => wish.toLowerCase().split("-")[0]);
  return tags.find((tag) => Object.hasOwn(LOAD, tag)) ?? "en";
}

/**
 * Loads a language, which `t` then speaks; where that fails, it goes on in the one before.
 *
 * @param {string} tag
 */
export async function setLanguage(tag) {
  const chosen = choose([tag]);
  words = await LOAD[chosen]();
  current = chosen;
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
  const phrase = words[key];
  if (typeof phrase === "function") {
    return phrase(params);
  }
  return (phrase ?? key).replace(/\{(\w+)\}/g, (whole, name) => String(params[name] ?? whole));
}

/**
 * Whether there are words for a key: refusals of a newer server may have none.
 *
 * @param {string} key
 * @returns {boolean}
 */
export function has(key) {
  return Object.hasOwn(words, key);
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
