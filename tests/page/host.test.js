// The page of hosts: what its texts mean, and the order of its lists.
// @ts-check

import { Details } from "../../server/web/js/host/details.js";
import { html, render } from "../../server/web/js/html.js";
import { LISTS, rowsOf } from "../../server/web/js/host/lists.js";
import { sorted } from "../../server/web/js/host/table.js";
import { addressOf, deedText, networkOf, parseWho, span, whoText } from "../../server/web/js/host/text.js";
import { addStrings, setLanguage, strings } from "../../server/web/js/strings.js";
import { equal, test } from "./runner.js";

await addStrings("host");

test("a text means a player, an address, a network or nobody", () => {
  for (const [text, who] of /** @type {[string, object | null][]} */ ([
    [" 00000000000000AB ", { player: "00000000000000ab" }],
    ["192.0.2.7", { network: "192.0.2.7/32" }],
    ["192.0.2.0/24", { network: "192.0.2.0/24" }],
    ["2001:db8::7", { network: "2001:db8::7/128" }],
    ["Ada", null],
    ["1234", null],
    ["", null],
  ])) {
    equal(parseWho(text), who, text);
  }
});

test("an address of a list stands for a household, and lies in a network", () => {
  const both = (/** @type {string} */ address) => [addressOf(address), networkOf(address)].map(whoText);
  equal(both("192.0.2.7"), ["192.0.2.7", "192.0.2.0/24"]);
  equal(both("2001:db8:1:2::"), ["2001:db8:1:2::/64", "2001:db8:1:2::/48"]);
});

test("a time has its two largest units, and no seconds beside minutes", () => {
  const texts = [0, 59, 60, 119, 3_600, 7_500, 86_400, 183_600].map(span);
  equal(texts, ["0 s", "59 s", "1 min", "1 min", "1 h", "2 h 5 min", "1 d", "2 d 3 h"]);
});

test("one who watches is one in German too", async () => {
  await setLanguage("de");
  equal([1, 2].map((count) => strings("host.watching", { count })), ["1 schaut zu", "2 schauen zu"]);
  await setLanguage("en");
});

test("every deed is a sentence, also one of a newer server", () => {
  const who = { network: "192.0.2.7/32" };
  equal(deedText({ type: "ban", who, until: null, reason: "be kind" }), "banned 192.0.2.7: be kind");
  equal(deedText({ type: "close", closed: false }), "allowed new rooms and parties");
  equal(deedText({ type: "switch", feature: "chat", on: true }), "switched on: Chat");
  equal(deedText({ type: "say", text: "hi {to}", to: "KQRZX" }), "said in KQRZX: hi {to}");
  equal(deedText({ type: "paint" }), "paint");
});

test("a list is sorted by any column, either way, and filtered by what a row shows", () => {
  const list = LISTS.people;
  const person = (/** @type {string} */ name, /** @type {number} */ since_s) => ({ player: "0", name, address: "192.0.2.7", since_s, room: null });
  const rows = [person("Bob", 9), person("ada", 70), person("Zoë", 8)];
  const names = (/** @type {string} */ key, back = false) => sorted(rows, list.columns, { key, back }).map(({ name }) => name).join();
  equal([names("name"), names("name", true)], ["ada,Bob,Zoë", "Zoë,Bob,ada"]);
  equal([names("since"), names("since", true)], ["ada,Bob,Zoë", "Zoë,Bob,ada"]);
  equal(rowsOf(list, { type: "connections", connections: rows }, " ADA").map(({ name }) => name), ["ada"]);
  equal(rowsOf(list, { type: "bans", bans: [] }, ""), []);
});

test("the host sees the marks of the sides, but not where both place the same ones", async () => {
  const human = (/** @type {string} */ name) => ({ kind: "human", player: "0", name });
  const seats = (/** @type {string} */ variant) => {
    const snapshot = {
      room: "KQRZX", settings: { board: { width: 3, height: 3, line: 3 }, variant, move_time_ms: null }, game: null,
      seats: { x: human("Ada"), o: human("Ben") }, score: { x: 2, o: 1, draws: 0 }, presence: { x: null, o: null, spectators: 0 },
    };
    const root = document.body.appendChild(document.createElement("div"));
    const seen = [{ type: "room", snapshot, chat: [] }, { type: "connections", connections: [] }];
    render(html`<${Details} detail=${{ kind: "room", room: "KQRZX" }} seen=${seen} told=${null} act=${() => {}} look=${() => {}} onclose=${() => {}} />`, root);
    const texts = [...root.querySelectorAll(".host-seat")].map(({ textContent }) => textContent?.replace(/\s+/g, " ").trim());
    render(null, root);
    root.remove();
    return texts;
  };
  equal(seats("line"), ["X Ada 2", "O Ben 1"]);
  equal(seats("notakto"), ["Ada 2", "Ben 1"]);
});
