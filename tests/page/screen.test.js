// The big screen of a party: the bracket, the standings, the tables on show, its news, what is next.
// @ts-check

import { html, render } from "../../server/web/js/html.js";
import { initialState } from "../../server/web/js/core/state.js";
import { columnsOf } from "../../server/web/js/screen/bracket.js";
import { aliveIn, marksIn, ranks, streakOf, tablesOf } from "../../server/web/js/screen/followed.js";
import { People } from "../../server/web/js/screen/gathering.js";
import { Invitation } from "../../server/web/js/screen/invitation.js";
import { EMPTY, chooseTables, remember } from "../../server/web/js/screen/memory.js";
import { BigScreen } from "../../server/web/js/screen/main.js";
import { nextOf } from "../../server/web/js/screen/next.js";
import { Podium } from "../../server/web/js/screen/podium.js";
import { waitAfter } from "../../server/web/js/screen/renewal.js";
import { newsText, stageText } from "../../server/web/js/screen/texts.js";
import { MOMENT_MS, TURN_MS, isOverviewTurn, pageAt, placeAt, turnAt } from "../../server/web/js/screen/timing.js";
import { longestWord } from "../../server/web/js/screen/words.js";
import { addStrings } from "../../server/web/js/strings.js";
import { folderIn } from "../../server/web/js/version.js";
import { equal, some, test } from "./runner.js";
import { entrant, follow, pairing, party, people, won } from "./screen-parties.js";
import { inElement } from "./sheet.js";

/** @typedef {import("../../server/web/js/screen/followed.js").PartyState} PartyState */
/** @typedef {import("../../server/web/js/screen/followed.js").Pairing} Pairing */
/** @typedef {import("../../server/web/js/screen/followed.js").Followed} Followed */

test("a bracket leads from the past over this round to the final", () => {
  const state = party({
    entrants: people(8), round: 2, past: [[[1, 2, 2, 0], [3, 4, 0, 2], [5, 6, 2, 0], [7, 0, 2, 0]]],
    pairings: [pairing(5, 1, 4, { ...won(4), game: 1, room: "R" }), pairing(6, 7, 5, { game: 1, room: "S" })],
  });
  const columns = columnsOf(state);
  equal(columns.map(({ left }) => left), [4, 2, 1]);
  const numbers = columns.map(({ matches }) => matches.map(({ slots }) => slots.map(({ number }) => number)));
  // The earlier round stands in the order of the places that it led to.
  equal(numbers, [[[1, 2], [3, 4], [7, null], [5, 6]], [[1, 4], [7, 5]], [[4, null]]]);
  equal(columns[0].matches.map(({ isBye }) => isBye), [false, false, true, false]);
  equal(columns[1].matches[0].slots.map(({ state: place }) => place), ["lost", "won"]);
  equal(columns[1].matches.map(({ isLive }) => isLive), [false, true]);
});

test("the third place is no part of the bracket, and a large round has none", () => {
  const last = party({
    entrants: people(4), round: 2, past: [[[1, 2, 2, 0], [3, 4, 2, 0]]],
    pairings: [pairing(3, 1, 3, { stage: "final" }), pairing(4, 2, 4, { stage: "third" })],
  });
  equal(columnsOf(last).map(({ left }) => left), [2, 1]);
  equal(aliveIn(last), [1, 3]);
  const large = party({ entrants: people(18), pairings: Array.from({ length: 9 }, (_, at) => pairing(at + 1, 2 * at + 1, 2 * at + 2)) });
  equal([columnsOf(large), columnsOf(party({}))], [[], []]);
});

test("standings go by points, then by the last places; equal entrants share a place", () => {
  const entrants = [entrant(1, { points: 2 }), entrant(2, { points: 4 }), entrant(3, { points: 2 }), entrant(4, { left: true })];
  const rows = (/** @type {PartyState} */ state) => ranks(state).map(({ place, entrant: { number } }) => [place, number]);
  equal(rows(party({ entrants }, "swiss")), [[1, 2], [2, 1], [2, 3]]);
  const places = [{ place: 1, entrant: 3 }, { place: 2, entrant: 2 }, { place: 3, entrant: 1 }];
  equal(rows(party({ entrants, places }, "swiss")), [[1, 2], [2, 3], [3, 1]]);
  const final = [{ place: 1, entrant: 3 }, { place: 2, entrant: 1 }, { place: 2, entrant: 2 }];
  equal(rows(party({ entrants, places: final, phase: "over" }, "swiss")), [[1, 3], [2, 1], [2, 2]]);
});

test("a table of \"winner stays on\" shows its last pairing, and the winner's streak", () => {
  const state = party({
    entrants: people(5), queue: [5],
    pairings: [pairing(1, 1, 2, { table: 1, ...won(2) }), pairing(2, 2, 3, { table: 1, ...won(2) }), pairing(3, 4, 2, { table: 1 })],
  }, "winner_stays");
  equal(tablesOf(state).map(({ number }) => number), [3]);
  equal([streakOf(state, 2), streakOf(state, 1), streakOf(state, 4)], [2, 0, 0]);
  equal([0, 1, 2, 3].map((game) => marksIn(pairing(1, 1, 2, { game })).x), [1, 1, 2, 1]);
});

test("tables on show: those that play, those that begin, those that are over; what does not fit takes turns", () => {
  const playing = { game: 1, room: "R" };
  const all = Array.from({ length: 8 }, (_, at) => pairing(at + 1, 2 * at + 1, 2 * at + 2, playing));
  equal(chooseTables(all, 12, 3), [1, 2, 3, 4, 5, 6, 7, 8]);
  equal([0, 1, 2].map((turn) => chooseTables(all, 3, turn)), [[1, 2, 3], [4, 5, 6], [1, 7, 8]]);
  const late = all.map((one) => (one.number === 7 ? one : { ...one, ...won(one.first) }));
  equal(chooseTables(late, 3, 0), [1, 2, 7]);
  const early = all.map((one) => (one.number === 7 ? one : { ...one, game: 0, room: null }));
  equal([0, 1].map((turn) => chooseTables(early, 3, turn)), [[1, 2, 7], [3, 4, 7]]);
});

test("a result is news once, stays on its table for a moment, and is forgotten", () => {
  const open = party({ entrants: people(2), pairings: [pairing(1, 1, 2, { game: 1, room: "R" })] });
  const first = remember(EMPTY, follow(open), 0);
  equal([first.news, first.moments, first.shown.tables], [[], {}, [1]]);
  const over = follow({ ...open, pairings: [pairing(1, 1, 2, { game: 1, room: "R", ...won(2) })] });
  const second = remember(first, over, 1_000);
  equal([second.news.length, second.moments[1].pairing.number, second.moments[1].until], [1, 1, 1_000 + MOMENT_MS]);
  equal(remember(second, over, 2_000).news.length, 1);
  // The board with the last move comes after the result, and stays when the next round has begun.
  const board = { pairing: 1, game: 1, moves: [4, 0, 8] };
  const third = remember(second, { ...over, boards: { 1: board } }, 2_000);
  const next = follow({ ...open, round: 2, pairings: [pairing(2, 2, 1, { table: 1 })] });
  equal(remember(third, next, 3_000).moments[1].board, board);
  equal(remember(second, over, 2_000 + MOMENT_MS).moments, {});
  const again = { ...open, pairings: [pairing(1, 1, 2, { game: 2, room: "S" })] };
  equal(remember(first, follow(again), 1_000).news.map((news) => "again" in news && news.again), [true]);
});

test("the news tell who leads the party now", async () => {
  await addStrings("screen");
  const state = party({ host: "p1", entrants: people(2).map((one) => ({ ...one, player: `p${one.number}` })) });
  const led = follow({ ...state, v: 2, leader: 2 });
  const first = remember(EMPTY, follow(state), 0);
  const second = remember(first, led, 1_000);
  equal(second.news.map((news) => newsText(led.state, news)), [`${led.state.entrants[1].name} leads the party`]);
  equal(remember(second, led, 2_000).news.length, 1);
  equal(remember(second, follow({ ...state, v: 3 }), 2_000).news.map((news) => news.key), ["led 3", "led 2"]);
});

test("an evening leaves the memory as small as an hour", () => {
  let memory = EMPTY;
  const sizes = [];
  for (let number = 1; number <= 3_000; number += 1) {
    const pairings = [pairing(number, 1, 2, { table: 1 + (number % 20), game: 1, room: "R" })];
    memory = remember(memory, follow(party({ entrants: people(2), pairings }, "winner_stays")), number * 3_000);
    const over = [{ ...pairings[0], ...won(1) }];
    memory = remember(memory, follow(party({ entrants: people(2), pairings: over }, "winner_stays")), number * 3_000 + 500);
    sizes.push(memory.news.length + Object.keys(memory.moments).length + memory.shown.tables.length);
  }
  some(Math.max(...sizes) <= 8 + 3 + 1, `at most 12, not ${Math.max(...sizes)}`);
});

/**
 * The big screen in an element, and a function that shows it another party.
 *
 * @param {HTMLElement} root
 * @param {(intent: object) => void} [send]
 */
function bigScreen(root, send = () => {}) {
  const state = {
    ...initialState({ screen: "screen", code: "KQRZX" }),
    connection: { phase: /** @type {const} */ ("open"), code: null, reason: "" },
  };
  const page = /** @type {any} */ ({ send });
  return (/** @type {Followed | null} */ shown) =>
    render(html`<${BigScreen} page=${page} state=${{ ...state, party: shown }} />`, root);
}

/** A game of a party of 20: its table, its moves, its end. @param {number} number */
function gameOf(number) {
  const first = 1 + (number % 20);
  const open = pairing(number, first, 1 + ((first + 6) % 20), { table: 1 + (number % 4), game: 1, room: "R" });
  const queue = people(20).map((one) => one.number).filter((one) => one !== first && one !== open.second);
  const state = party({ entrants: people(20), pairings: [open], queue }, "winner_stays");
  const boards = { [number]: { pairing: number, game: 1, moves: [4, 0, 8].slice(0, 1 + (number % 3)) } };
  const over = { ...state, pairings: [{ ...open, ...won(first) }] };
  return [state, over].map((one) => ({ ...follow(one, { checks: [{ pairing: number, until: 1e6 }] }), boards }));
}

test("a party that nobody knows is said, and asked for again after a while", () => inElement(async (root) => {
  await addStrings("screen");
  let asked = 0;
  const show = bigScreen(root, () => (asked += 1));
  for (let time = 0; time < 3; time += 1) show(null);
  equal([root.querySelector("h1")?.textContent, asked], ["There is no party KQRZX.", 1]);
  const { now } = performance;
  performance.now = () => now.call(performance) + waitAfter(1);
  show(null);
  performance.now = now;
  equal(asked, 2);
}));

test("three hundred games leave as many elements and timers on the big screen as ten", async () => {
  await addStrings("screen");
  const root = document.createElement("div");
  const later = globalThis.setTimeout;
  const never = globalThis.clearTimeout;
  const waiting = new Set();
  Object.assign(globalThis, {
    setTimeout: (/** @type {any[]} */ ...call) => {
      const timer = later(call[0], call[1]);
      waiting.add(timer);
      return timer;
    },
    clearTimeout: (/** @type {any} */ timer) => {
      waiting.delete(timer);
      never(timer);
    },
  });
  const sizes = [];
  try {
    const show = bigScreen(root);
    for (let number = 1; number <= 300; number += 1) {
      gameOf(number).forEach(show);
      if (number % 10 === 0) sizes.push(root.querySelectorAll("*").length);
    }
    some(sizes[0] > 30, `a screen with ${sizes[0]} elements`);
    some(Math.max(...sizes) < sizes[0] * 1.5, `${sizes[0]} elements after ten games, then up to ${Math.max(...sizes)}`);
    some(waiting.size <= 2, `${waiting.size} timers`);
  } finally {
    render(null, root);
    Object.assign(globalThis, { setTimeout: later, clearTimeout: never });
  }
});

test("before the start the big screen says what was chosen, and that a full party takes nobody new", async () => {
  await addStrings("screen");
  const root = document.createElement("div");
  const state = party({ phase: "gathering", round: 0, entrants: people(12) }, "swiss");
  render(html`<${People} party=${follow(state)} memory=${EMPTY} at=${0} />`, root);
  equal(root.querySelector(".big-note")?.textContent, "The host starts the party. · 5 rounds");
  const lead = (/** @type {boolean} */ full) => {
    render(html`<${Invitation} state=${initialState()} code="KQRZX" large=${true} full=${full} />`, root);
    return root.querySelector(".big-lead")?.textContent;
  };
  equal([false, true].map(lead), ["Scan and play", "Full: scan and look on"]);
  render(null, root);
});

test("a hyphen ends a word: a name may break there", () => {
  equal(["Maximiliane-Charlotte", "Ada Lovelace", "-"].map((name) => longestWord([name])), [12, 8, 1]);
});

test("the steps of the big podium have points or wins where the format counts them", async () => {
  await addStrings("screen");
  const entrants = people(2).map((one, at) => ({ ...one, points: 5 - 3 * at, wins: 2 - at }));
  const places = [1, 2].map((place) => ({ place, entrant: place }));
  const scores = (/** @type {"swiss" | "winner_stays" | "knockout"} */ format) => {
    const root = document.createElement("div");
    render(html`<${Podium} state=${party({ phase: "over", entrants, places }, format)} />`, root);
    return [...root.querySelectorAll(".big-step-score")].map((score) => score.textContent);
  };
  equal([scores("swiss"), scores("winner_stays")], [["1 point", "2½ points"], ["1 win", "2 wins"]], "two who play have two steps");
  equal(scores("knockout"), ["", ""]);
});

test("where only computers have the first place, the podium names the first of the people", async () => {
  await addStrings("screen");
  const told = (/** @type {number[]} */ places) => {
    const root = document.createElement("div");
    const entrants = people(4).map((one) => (one.number > 2 ? one : { ...one, computer: /** @type {any} */ ({ strength: "strong" }) }));
    render(html`<${Podium} state=${party({ phase: "over", entrants, places: places.map((place, at) => ({ place, entrant: at + 1 })) })} />`, root);
    return root.querySelector(".big-people")?.textContent;
  };
  equal(told([1, 2, 3, 4]), "First place among people: E3");
  equal(told([1, 2, 3, 3]), "First place among people: E3 and E4");
  equal(told([1, 3, 1, 4]), undefined, "a person shares it");
});

test("all turns follow from the clock", () => {
  equal([turnAt(0), turnAt(TURN_MS), turnAt(2 * TURN_MS - 1)], [0, 1, 1]);
  equal([0, 1, 2, 3, 4].map((turn) => isOverviewTurn(turn * TURN_MS)), [false, false, false, true, false]);
  const list = [1, 2, 3, 4, 5];
  equal([0, 1, 2].map((turn) => pageAt(list, 3, turn).items), [[1, 2, 3], [4, 5], [1, 2, 3]]);
  equal(pageAt([], 3, 5), { items: [], page: 1, pages: 1, from: 0 });
  // Four places, and no drift longer than 1.
  const places = Array.from({ length: 40 }, (_, minute) => placeAt(minute * 60_000));
  equal(new Set(places.map(({ side, head }) => side + head)).size, 4);
  some(places.every(({ x, y }) => Math.abs(x) <= 1 && Math.abs(y) <= 1), "a small drift");
});

test("a page is loaded again for another folder, and waits longer after each try", () => {
  equal(folderIn('<script src="../../assets/0a1b/js/main.js">'), "0a1b");
  equal(folderIn("nothing"), null);
  equal([0, 1, 20].map(waitAfter), [5_000, 10_000, 300_000]);
});

test("the next thing: a pause, those who are awaited, the next round, the open games", async () => {
  await addStrings("screen");
  const state = party({ entrants: people(4), pairings: [pairing(1, 1, 2), pairing(2, 3, 4)] });
  const paused = { ...state, paused: true, pairings: [pairing(1, 1, 2), pairing(2, 3, 4, { game: 1, room: "R" })] };
  equal(nextOf(follow(paused, { nextAt: 9_000 }), 0), { title: "Paused", seconds: null, names: ["E1 – E2"] }, "who is called stays on the screen");
  const checks = [{ pairing: 1, until: 9_500 }];
  equal(nextOf(follow(state, { checks, ready: [2] }), 1_000), { title: "Not ready yet", seconds: 9, names: ["E1"] });
  equal(nextOf(follow(state, { nextAt: 5_000 }), 1_000), { title: "It goes on in", seconds: 4, names: [] }, "the rounds of a knockout have names");
  const swiss = party({ entrants: people(4), pairings: state.pairings }, "swiss");
  equal(nextOf(follow(swiss, { nextAt: 5_000 }), 1_000).title, "Round 2 begins in");
  equal(nextOf(follow(state), 0).title, "2 games still run");
});

/** @param {Pairing} of @returns {import("../../server/web/js/screen/memory.js").Result} */
const news = (of) => ({ key: "", pairing: of, again: false, ended: null });

test("the line of a result knows how the game ended as soon as its board does, and keeps it", () => {
  const open = party({ entrants: people(2), pairings: [pairing(1, 1, 2, { game: 2, room: "R" })] });
  const over = follow({ ...open, pairings: [pairing(1, 1, 2, { game: 2, room: "R", ...won(2) })] });
  const ended = (/** @type {import("../../server/web/js/screen/memory.js").Memory} */ memory) => memory.news.map((one) => "ended" in one && one.ended);
  const told = remember(remember(EMPTY, follow(open), 0), over, 1_000);
  equal(ended(told), [null]);
  const board = { pairing: 1, game: 2, moves: [4], result: { how: /** @type {const} */ ("time"), winner: /** @type {const} */ ("o") } };
  equal(ended(remember(told, { ...over, boards: { 1: { ...board, game: 1 } } }, 2_000)), [null], "the board of a drawn game");
  const known = remember(told, { ...over, boards: { 1: board } }, 2_000);
  equal(ended(known), ["time"]);
  equal(ended(remember(known, follow({ ...open, round: 2, pairings: [pairing(2, 2, 1)] }), 3_000)), ["time"]);
});

test("results and rounds have sentences", async () => {
  await addStrings("screen");
  await addStrings("variants");
  const state = party({ entrants: people(4), pairings: [pairing(1, 1, 2), pairing(2, 3, 4)] });
  const said = (/** @type {object} */ outcome) => newsText(state, news(pairing(1, 1, 2, outcome)));
  equal(said(won(2)), "E2 beats E1");
  equal(said(won(1, "forfeit")), "E1 wins: E2 did not play");
  equal(said(won(null, "forfeit")), "Neither E1 nor E2 was ready");
  equal(said(won(null)), "E1 and E2 draw");
  equal(said({ outcome: { winner: 1, how: "host", note: "power cut" } }), "The host decides: E1 wins against E2 (power cut)");
  equal(newsText(state, { ...news(pairing(1, 1, 2)), again: true }), "E1 and E2 draw and play again");
  const ended = (/** @type {any} */ how, outcome = won(2)) => newsText(state, { ...news(pairing(1, 1, 2, outcome)), ended: how });
  equal([ended("line"), ended("time")], ["E2 beats E1", "E2 beats E1 on time"]);
  equal(ended("resignation"), "E1 resigns against E2");
  equal(ended("time", won(2, "host")), "The host decides: E2 wins against E1", "the host has changed it");
  equal(stageText(state), "Semi-finals");
  equal(stageText(party({ entrants: people(5), round: 2 }, "round_robin")), "Round robin · round 2 of 5");
  const gathering = party({ phase: "gathering" });
  equal(stageText(gathering), "Knockout · 3\u00a0×\u00a03, 3 in a row");
  const settings = { ...state.settings, variant: /** @type {const} */ ("qubic"), board: { width: 4, height: 16, line: 4 } };
  equal(stageText({ ...gathering, settings }), "Knockout · Qubic, 4\u00a0×\u00a04\u00a0×\u00a04");
  equal(stageText({ ...state, settings }), "Qubic · Semi-finals");
});
