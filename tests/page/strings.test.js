// Strings: both languages have the same keys and parameters; the choice of a language.
// @ts-check

import * as texts from "../../server/web/js/strings.js";
import { de } from "../../server/web/js/strings/de.js";
import { en } from "../../server/web/js/strings/en.js";
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
    equal(texts.chooseLanguage(wishes), spoken, wishes.join());
  }
});

test("a language is loaded when it is spoken", async () => {
  const english = texts.strings("invite.play");
  await texts.setLanguage("de");
  const german = texts.strings("invite.play");
  await texts.setLanguage("en");
  equal([texts.strings("invite.play"), texts.language()], [english, "en"]);
  some(german !== english, "other words");
});

test("places are filled, and what nobody wrote words for is its own key", () => {
  equal(texts.strings("room.title", { code: "KQRZX" }).includes("KQRZX"), true);
  equal([texts.strings("no.such.words"), texts.strings.has("no.such.words")], ["no.such.words", false]);
});

test("a friendly name is one that there is, whatever chance says", () => {
  for (const chance of [0, 0.5, 0.999_999]) {
    some(/^\S+ \S+$/.test(texts.randomName(() => chance)), `a name for ${chance}`);
  }
});
