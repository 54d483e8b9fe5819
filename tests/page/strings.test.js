// Strings: both languages have the same keys and parameters; the choice of a language.
// @ts-check

import { de as chatDe } from "../../server/web/js/strings/chat-de.js";
import { en as chatEn } from "../../server/web/js/strings/chat-en.js";
import * as texts from "../../server/web/js/strings.js";
import { de as facesDe } from "../../server/web/js/strings/faces-de.js";
import { en as facesEn } from "../../server/web/js/strings/faces-en.js";
import { ANIMALS } from "../../server/web/js/generated/faces.js";
import { de as firstDe } from "../../server/web/js/strings/de.js";
import { en as firstEn } from "../../server/web/js/strings/en.js";
import { de as formsDe } from "../../server/web/js/strings/forms-de.js";
import { en as formsEn } from "../../server/web/js/strings/forms-en.js";
import { de as hereDe } from "../../server/web/js/strings/here-de.js";
import { en as hereEn } from "../../server/web/js/strings/here-en.js";
import { de as hostDe } from "../../server/web/js/strings/host-de.js";
import { en as hostEn } from "../../server/web/js/strings/host-en.js";
import { de as peopleDe } from "../../server/web/js/strings/people-de.js";
import { en as peopleEn } from "../../server/web/js/strings/people-en.js";
import { de as screenDe } from "../../server/web/js/strings/screen-de.js";
import { en as screenEn } from "../../server/web/js/strings/screen-en.js";
import { de as sheetDe } from "../../server/web/js/strings/sheet-de.js";
import { en as sheetEn } from "../../server/web/js/strings/sheet-en.js";
import { de as partyDe } from "../../server/web/js/strings/party-de.js";
import { en as partyEn } from "../../server/web/js/strings/party-en.js";
import { de as variantsDe } from "../../server/web/js/strings/variants-de.js";
import { en as variantsEn } from "../../server/web/js/strings/variants-en.js";
import { equal, some, test } from "./runner.js";

/** The texts that come with the first script, and those of each part that loads later. */
const PARTS = {
  first: { en: firstEn, de: firstDe },
  chat: { en: chatEn, de: chatDe },
  faces: { en: facesEn, de: facesDe },
  forms: { en: formsEn, de: formsDe },
  people: { en: peopleEn, de: peopleDe },
  here: { en: hereEn, de: hereDe },
  host: { en: hostEn, de: hostDe },
  screen: { en: screenEn, de: screenDe },
  party: { en: partyEn, de: partyDe },
  sheet: { en: sheetEn, de: sheetDe },
  variants: { en: variantsEn, de: variantsDe },
};

/** @param {unknown} text @returns {string} its parameters */
const parameters = (text) =>
  typeof text === "string" ? (text.match(/\{\w+\}/g) ?? []).sort().join() : "a function";

test("both languages have the same keys with the same parameters", () => {
  for (const [part, { en, de }] of Object.entries(PARTS)) {
    const keys = [...new Set([...Object.keys(en), ...Object.keys(de)])];
    some(keys.length > 5, `keys of ${part}`);
    equal(keys.filter((key) => !(key in en) || !(key in de)), [], `missing in ${part}`);
    const both = keys.filter((key) => typeof en[key] === "string" && typeof de[key] === "string");
    equal(both.filter((key) => parameters(en[key]) !== parameters(de[key])), [], `different parameters in ${part}`);
  }
});

test("a part that loads later has its own keys", () => {
  const all = Object.values(PARTS).flatMap(({ en }) => Object.keys(en));
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
  equal([english, ...german], [peopleEn["people.somebody"], peopleDe["people.somebody"], firstDe["invite.play"]]);
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
  const titles = Object.values(PARTS).flatMap(({ en, de }) => [en, de]).flatMap((table) =>
    Object.entries(table).filter(([key]) => /(title|go|headline)$/.test(key)).map(([, text]) => String(text)));
  some(titles.length > 20, "titles");
  equal([...`${titles.join("")}ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:`].filter((letter) => !has(letter)), []);
});
