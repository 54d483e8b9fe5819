// Strings: both languages have the same keys and parameters; the choice of a language.
// @ts-check

import * as texts from "../../server/web/js/strings.js";
import { ANIMALS } from "../../server/web/js/generated/faces.js";
import { equal, some, test } from "./runner.js";

/**
 * The texts in both languages by the file in English: those that come with the first script, and those of each part
 * that loads later. @type {Record<string, {en: texts.StringTable, de: texts.StringTable}>}
 */
const TABLES = {};
for (const name of await (await fetch("/strings.json")).json()) {
  const path = `../../server/web/js/strings/${name}`;
  const [{ en }, { de }] = await Promise.all([import(path), import(path.replace(/en\.js$/, "de.js"))]);
  // Those of a room are in those of the first script.
  if (en) TABLES[name] = { en, de };
}

/** @param {unknown} text @returns {string} its parameters */
const parameters = (text) =>
  typeof text === "string" ? (text.match(/\{\w+\}/g) ?? []).sort().join() : "a function";

test("both languages have the same keys with the same parameters", () => {
  for (const [name, { en, de }] of Object.entries(TABLES)) {
    const keys = [...new Set([...Object.keys(en), ...Object.keys(de)])];
    some(keys.length > 5, `keys of ${name}`);
    equal(keys.filter((key) => !(key in en) || !(key in de)), [], `missing in ${name}`);
    const both = keys.filter((key) => typeof en[key] === "string" && typeof de[key] === "string");
    equal(both.filter((key) => parameters(en[key]) !== parameters(de[key])), [], `different parameters in ${name}`);
  }
});

test("of two languages that are chosen quickly the last one stays, however long each takes to load", async () => {
  const copy = "../../server/web/js/strings.js?quick";
  /** @type {typeof texts} */
  const fresh = await import(copy);
  const first = fresh.setLanguage("de");
  // German loads again with this part, and so longer.
  await fresh.addStrings("here");
  await Promise.all([first, fresh.setLanguage("en")]);
  equal(fresh.language(), "en");
});

test("a cell in a sentence has its name alone", () => {
  const named = Object.values(TABLES).flatMap(({ de }) => Object.values(de));
  equal(named.filter((text) => String(text).includes("auf Feld {cell}")), []);
});

test("a part that loads later has its own keys", () => {
  const all = Object.values(TABLES).flatMap(({ en }) => Object.keys(en));
  equal(all.filter((key, at) => all.indexOf(key) !== at), []);
});

test("dates follow the browser's country where the page speaks its language", () => {
  equal(texts.locale(["fr", "en-GB", "en"]), "en-GB");
  equal(texts.locale(["de-AT"]), "en", "the tests run in English");
});

test("the first wanted language that the page has is chosen, else English", () => {
  for (const [wanted, chosen] of /** @type {[string[], string][]} */ ([
    [["de-AT", "de", "en"], "de"],
    [["fr", "DE"], "de"],
    [["fr"], "en"],
    [[""], "en"],
    [["constructor"], "en"],
    [["en-GB", "de"], "en"],
  ])) {
    equal(texts.chooseLanguage(wanted), chosen, wanted.join());
  }
});

test("a language is loaded when it is chosen", async () => {
  const english = texts.strings("invite.play");
  await texts.setLanguage("de");
  const german = texts.strings("invite.play");
  await texts.setLanguage("en");
  equal([texts.strings("invite.play"), texts.language()], [english, "en"]);
  some(german !== english, "different texts");
});

test("the texts of a part are added, and follow the language", async () => {
  await texts.addStrings("people");
  const english = texts.strings("people.somebody");
  await texts.setLanguage("de");
  const german = [texts.strings("people.somebody"), texts.strings("invite.play")];
  await texts.setLanguage("en");
  const people = TABLES["people-en.js"];
  equal([english, ...german], [people.en["people.somebody"], people.de["people.somebody"], TABLES["en.js"].de["invite.play"]]);
});

test("parameters are filled in, and an unknown key is its own text", () => {
  equal(texts.strings("room.title", { code: "KQRZX" }).includes("KQRZX"), true);
  equal([texts.strings("no.such.key"), texts.strings.has("no.such.key")], ["no.such.key", false]);
});

test("an offered name has two words, of which the second is the animal of the face", async () => {
  for (const tag of Object.keys(texts.LANGUAGES)) {
    await texts.setLanguage(tag);
    await texts.addStrings("faces");
    for (const [at, animal] of ANIMALS.entries()) {
      equal(texts.randomName(() => at / 12, at).replace(/^\S+ /, "").toLowerCase(), texts.strings(`face.${animal}`).toLowerCase());
    }
  }
  await texts.setLanguage("en");
});

test("the display face has every letter of titles and codes, in both languages", async () => {
  const css = await (await fetch("/server/web/css/base.css")).text();
  const ranges = (/unicode-range: ([^;]+);/.exec(css)?.[1] ?? "").split(", ").map((range) =>
    range.slice(2).split("-").map((end) => Number.parseInt(end, 16)));
  const has = (/** @type {string} */ letter) => ranges.some(([from, to = from]) =>
    (letter.codePointAt(0) ?? 0) >= from && (letter.codePointAt(0) ?? 0) <= to);
  const titles = Object.values(TABLES).flatMap(({ en, de }) => [en, de]).flatMap((table) =>
    Object.entries(table).filter(([key]) => /(title|go|headline)$/.test(key)).map(([, text]) => String(text)));
  some(titles.length > 20, "titles");
  equal([...`${titles.join("")}ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:`].filter((letter) => !has(letter)), []);
});
