// The words: both languages have the same, a language is chosen among the wishes, places are filled.
// @ts-check

import * as words from "../../server/web/js/words.js";
import { de } from "../../server/web/js/words/de.js";
import { en } from "../../server/web/js/words/en.js";
import { equal, some, test } from "./runner.js";

/** @param {unknown} words @returns {string} the places to fill */
const holes = (words) =>
  typeof words === "string" ? (words.match(/\{\w+\}/g) ?? []).sort().join() : "a function";

test("both languages have the same words, with the same places to fill", () => {
  const keys = [...new Set([...Object.keys(en), ...Object.keys(de)])];
  some(keys.length > 100, "words");
  equal(keys.filter((key) => !(key in en) || !(key in de)), [], "missing");
  const both = keys.filter((key) => typeof en[key] === "string" && typeof de[key] === "string");
  equal(both.filter((key) => holes(en[key]) !== holes(de[key])), [], "other places to fill");
});

test("the first language that is wished for and is here is spoken, else English", () => {
  for (const [wishes, spoken] of /** @type {[string[], string][]} */ ([
    [["de-AT", "de", "en"], "de"],
    [["fr", "DE"], "de"],
    [["fr"], "en"],
    [[""], "en"],
    [["constructor"], "en"],
    [["en-GB", "de"], "en"],
  ])) {
    equal(words.choose(wishes), spoken, wishes.join());
  }
});

test("a language is loaded when it is spoken", async () => {
  const english = words.t("invite.play");
  await words.setLanguage("de");
  const german = words.t("invite.play");
  await words.setLanguage("en");
  equal([words.t("invite.play"), words.language()], [english, "en"]);
  some(german !== english, "other words");
});

test("places are filled, and what nobody wrote words for is its own key", () => {
  equal(words.t("room.title", { code: "KQRZX" }).includes("KQRZX"), true);
  equal([words.t("no.such.words"), words.has("no.such.words")], ["no.such.words", false]);
});

test("a friendly name is one that there is, whatever chance says", () => {
  for (const chance of [0, 0.5, 0.999_999]) {
    some(/^\S+ \S+$/.test(words.friendlyName(() => chance)), `a name for ${chance}`);
  }
});
