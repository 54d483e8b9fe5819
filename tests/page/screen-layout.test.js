// The big screen of a party as it is laid out: whole names, rows that fit, a lost connection, verdicts.
// @ts-check

import { html, render } from "../../server/web/js/html.js";
import { initialState } from "../../server/web/js/core/state.js";
import { BigScreen } from "../../server/web/js/screen/main.js";
import { addStrings } from "../../server/web/js/strings.js";
import { equal, some, test } from "./runner.js";
import { entrant, follow, pairing, party, people, won } from "./screen-parties.js";
import { all, brokenWords, hasTails, inWindow, isWhole, letters, linesOf, one, styleOf } from "./sheet.js";

/** @typedef {import("../../server/web/js/screen/followed.js").Followed} Followed */
/** @typedef {import("../../server/web/js/screen/followed.js").PartyState} PartyState */

/** As long as a name may be. */
const LONG = "Wilhelmina Maximiliane 5";

/** So is this one, without a place to break it. */
const WORD = "Wolfeschlegelsteinhausen";

/** The window of these tests. */
const WIDTH = 1280;
const HEIGHT = 720;

/** A pixel of 1920 × 1080 in it. */
const UNIT = 1280 / 1920;

const PLAYS = { game: 1, room: "R" };

/** @param {number} count */
const longNames = (count) => Array.from({ length: count }, (_, at) => entrant(at + 1, { name: LONG.replace("5", String(at)) }));

/** So many tables with a running game, of people with long names. @param {number} count @param {Partial<PartyState>} [change] */
const tables = (count, change) => party({
  entrants: longNames(2 * count),
  pairings: Array.from({ length: count }, (_, at) => pairing(at + 1, 2 * at + 1, 2 * at + 2, PLAYS)),
  ...change,
}, "swiss");

/**
 * Shows the big screen, at a time at which tables are shown.
 *
 * @param {(root: HTMLElement, show: (party: Followed, phase?: "open" | "lost") => void) => void} run
 */
async function onScreen(run) {
  await addStrings("screen");
  performance.now = () => 1_000;
  try {
    await inWindow(WIDTH, HEIGHT, (root) => {
      const page = /** @type {any} */ ({ send() {} });
      const state = initialState({ screen: "screen", code: "KQRZX" });
      try {
        run(root, (shown, phase = "open") =>
          render(html`<${BigScreen} page=${page} state=${{ ...state, connection: { phase, code: null, reason: "" }, party: shown }} />`, root));
      } finally {
        render(null, root);
      }
    });
  } finally {
    delete (/** @type {any} */ (performance).now);
  }
}

test("on the big screen those who come in have whole names, long ones smaller", () => onScreen((root, show) => {
  for (const count of [5, 12, 24]) {
    show(follow(party({ phase: "gathering", round: 0, entrants: [...people(count - 1), entrant(count, { name: LONG })] })));
    const names = all(root, ".big-crowd > li");
    equal([names.length, names.filter((name) => !isWhole(name) || !hasTails(name)).length], [count, 0], `${count} people`);
    const short = letters(names[0]);
    const long = letters(names[count - 1]);
    some(long <= short && long >= 27.9 * UNIT, `${long} px, the others ${short}`);
    some(long < short || count > 12, `${long} px is smaller than ${short}`);
  }
}));

test("on the big screen the leader's mark leaves a long name whole", () => onScreen((root, show) => {
  const leader = { name: LONG, player: "p" };
  for (const count of [5, 12, 24]) {
    show(follow(party({ host: "p", phase: "gathering", round: 0, entrants: [...people(count - 1), entrant(count, leader)] })));
    equal([all(root, ".big-crowd .big-host").length, all(root, ".big-crowd > li").filter((name) => !isWhole(name)).length], [1, 0], `${count} people`);
  }
  for (const count of [1, 2, 4, 9, 12]) {
    const state = tables(count, { host: "p" });
    show(follow({ ...state, entrants: [entrant(1, leader), ...state.entrants.slice(1)] }));
    equal([all(root, ".big-name .big-host").length, all(root, ".big-name .big-two").filter((name) => !isWhole(name)).length], [1, 0], `${count} tables`);
  }
}));

test("on the big screen players have whole names, on one line where they have the width for it", () => onScreen((root, show) => {
  for (const count of [1, 2, 4, 9, 12]) {
    show(follow(tables(count)));
    const names = all(root, ".big-name .big-two");
    equal([names.length, names.filter((name) => !isWhole(name) || !hasTails(name)).length], [2 * count, 0], `${count} tables`);
    // Four tables have their names beside their boards.
    const most = count <= 2 ? 1 : count <= 4 ? 3 : 2;
    some(names.every((name) => linesOf(name) <= most), `${count} tables: ${names.map(linesOf)} lines`);
    const inside = names.every((name) => name.getBoundingClientRect().right <= one(root, ".big-main").getBoundingClientRect().right + 1);
    some(inside, "names inside of the tables");
  }
}));

test("on the big screen no mark stands beside a name where both place the same ones", () => onScreen((root, show) => {
  const marks = (/** @type {object} */ rules) => {
    const state = tables(1);
    show(follow({ ...state, settings: { ...state.settings, ...rules } }));
    return all(root, ".big-name .mark").length;
  };
  equal([marks({ variant: "misere" }), marks({ variant: "notakto" }), marks({ opening: "swap2" })], [2, 0, 0]);
}));

test("on the big screen the number of a table can be read from far, beside its verdict", () => onScreen((root, show) => {
  for (const count of [2, 4, 12]) {
    const state = tables(count);
    show(follow(state));
    show(follow({ ...state, pairings: state.pairings.map((one) => ({ ...one, ...won(one.first) })) }));
    const numbers = all(root, ".big-table-number");
    equal([numbers.length, numbers.every((number) => letters(number) > 41.9 * UNIT)], [count, true]);
    equal(one(numbers[0], "span").getBoundingClientRect().width > 30 * UNIT, count < 12, `${count} tables: with the word`);
    for (const number of numbers) {
      const [own, verdict] = [number, one(/** @type {any} */ (number.parentElement), ".big-verdict")].map((part) => part.getBoundingClientRect());
      some(own.right <= verdict.left + 1 || own.left >= verdict.right - 1 || own.top >= verdict.bottom - 1, `${count} tables: it is beside the verdict`);
    }
  }
}));

test("on the big screen the name of a party is whole beside what is played", () => onScreen((root, show) => {
  const state = tables(2);
  const settings = { ...state.settings, format: /** @type {const} */ ("winner_stays"), first_to: 25 };
  show(follow({ ...state, name: "Wilhelmina Maximiliane 5", settings }));
  some(isWhole(one(root, ".big-head > h1")), "it is cut");
}));

test("on the big screen ten rows of the standings fit beside the tables", () => onScreen((root, show) => {
  for (const [count, close] of /** @type {[number, boolean][]} */ ([[6, false], [10, true]])) {
    show(follow(tables(2, { entrants: longNames(count) }), { nextAt: 9_000 }));
    const [list, rows] = [one(root, ".big-list"), all(root, ".big-list .big-row")];
    equal([rows.length, list.dataset.close], [count, String(close)]);
    equal(all(list, ".big-two").filter((name) => !isWhole(name)).length, 0, "names are whole");
    const below = one(root, ".big-invitation").getBoundingClientRect().top;
    const last = rows[count - 1].getBoundingClientRect().bottom;
    some(last <= below + 1, `${count} rows end at ${last}, the invitation begins at ${below}`);
  }
}));

test("the standings on the whole big screen have whole names", () => onScreen((root, show) => {
  performance.now = () => 37_000;
  for (const count of [4, 30]) {
    show(follow(tables(2, { entrants: longNames(count) })));
    const names = all(root, ".big-columns .big-two");
    equal([names.length, names.filter((name) => !isWhole(name)).length], [count, 0], `${count} people`);
  }
}));

test("a bracket of four columns has whole names, and no game stands on another", () => onScreen((root, show) => {
  performance.now = () => 37_000;
  const entrants = [...people(16).slice(0, 14), entrant(15, { name: LONG }), entrant(16, { name: WORD })];
  const pairings = Array.from({ length: 8 }, (_, at) => pairing(at + 1, 2 * at + 1, 2 * at + 2, PLAYS));
  show(follow(party({ entrants, pairings })));
  equal([all(root, ".big-column").length, all(root, ".big-slot").filter((name) => !isWhole(name)).length], [4, 0]);
  const games = all(one(root, ".big-matches"), ".big-match").map((game) => game.getBoundingClientRect());
  some(games.every(({ top }, at) => at === 0 || top >= games[at - 1].bottom - 1), "below each other");
  some(games[7].bottom <= one(root, ".big-main").getBoundingClientRect().bottom + 1, "inside of its part");
}));

test("a lost connection is said in large letters, and the boards of before are pale", () => onScreen((root, show) => {
  const state = tables(2);
  show(follow(state));
  show(follow({ ...state, pairings: [{ ...state.pairings[0], ...won(1) }, state.pairings[1]] }));
  equal([one(root, ".big-link").textContent, all(root, ".big-news > li").length], ["", 1]);
  equal(styleOf(one(root, ".big-main")).filter, "none");
  show(follow(state), "lost");
  const said = one(root, ".big-link");
  equal([said.textContent, all(root, ".big-news > li").length], ["Connection lost. This screen reconnects by itself.", 0]);
  some(letters(said) >= 54 * UNIT, `${letters(said)} px`);
  // Other languages have longer words.
  for (const text of [said.textContent, "Die Verbindung ist weg. Dieser Bildschirm verbindet sich von selbst wieder neu."]) {
    said.textContent = text;
    const { left, right, bottom } = said.getBoundingClientRect();
    some(left >= 0 && right <= WIDTH && bottom <= HEIGHT, `${text}: ${left} to ${right}, down to ${bottom}`);
  }
  equal([".big-main", ".big-side"].map((part) => styleOf(one(root, part)).filter), ["grayscale(1)", "grayscale(1)"]);
  some(Number(styleOf(one(root, ".big-board")).opacity) < 0.5, "a pale board");
}));

test("the queue names everybody once: the next one stands above it, unless a ready check does", () => onScreen((root, show) => {
  const state = party({ entrants: people(6), queue: [3, 4, 5, 6], pairings: [pairing(1, 1, 2, PLAYS)] }, "winner_stays");
  const shown = () => [all(root, ".big-next li"), all(root, ".big-list .big-row")].map((rows) => rows.map((row) => row.textContent?.replace(/\s+/g, " ").trim()));
  show(follow(state));
  equal(shown(), [["E3"], ["2E4", "3E5", "4E6"]]);
  show(follow({ ...state, pairings: [pairing(1, 1, 2)] }, { checks: [{ pairing: 1, until: 9_000 }] }));
  equal(shown(), [[], ["1E3", "2E4", "3E5", "4E6"]]);
  equal(one(root, ".big-awaited").textContent?.trim(), "Waiting for both", "the table says who is awaited");
}));

test("the name of somebody who is awaited is whole, and does not stand on the number of the table", () => onScreen((root, show) => {
  for (const count of [1, 2, 4, 9]) {
    const state = tables(count, { entrants: Array.from({ length: 2 * count }, (_, at) => entrant(at + 1, { name: WORD })) });
    const called = { ...state, pairings: state.pairings.map((one) => ({ ...one, game: 0, room: null })) };
    const first = state.pairings.map((one) => one.first);
    show(follow(called, { ready: first, checks: state.pairings.map((one) => ({ pairing: one.number, until: 9_000 })) }));
    for (const tile of all(root, ".big-tile")) {
      const said = one(tile, ".big-awaited");
      equal([said.textContent?.trim(), isWhole(said)], [`Waiting for ${WORD}`, true], `${count} tables`);
      const [own, number, whole] = [said, one(tile, ".big-table-number"), tile].map((part) => part.getBoundingClientRect());
      some(own.bottom <= number.top + 1 || own.right <= number.left + 1 || own.left >= number.right - 1, `${count} tables: the number`);
      some(own.left >= whole.left - 1 && own.right <= whole.right + 1 && own.bottom <= whole.bottom + 1, `${count} tables: the tile`);
    }
  }
}));

test("seconds that all tables share stand once, and others on their tables", () => onScreen((root, show) => {
  const state = party({ entrants: people(4), pairings: [pairing(1, 1, 2), pairing(2, 3, 4)] }, "swiss");
  const seconds = () => all(root, ".big-seconds").map(({ textContent }) => textContent);
  show(follow(state, { checks: [{ pairing: 1, until: 9_000 }, { pairing: 2, until: 9_000 }] }));
  equal(seconds(), ["8"]);
  show(follow(state, { checks: [{ pairing: 1, until: 9_000 }, { pairing: 2, until: 12_000 }] }));
  equal(seconds().sort(), ["11", "8", "8"]);
}));

test("a verdict says how a game was won, and covers nothing of its board", () => onScreen((root, show) => {
  for (const [count, how, text] of /** @type {[number, "time" | "resignation" | "line", string][]} */ ([
    [12, "time", `${LONG.replace("5", "0")} wins`], [12, "line", `${LONG.replace("5", "0")} wins`],
    [9, "time", `${LONG.replace("5", "0")} wins`], [4, "resignation", `${LONG.replace("5", "0")} wins by resignation`],
  ])) {
    const state = tables(count);
    const result = /** @type {any} */ (how === "line" ? { how, winner: "x", lines: [] } : { how, winner: "x" });
    const boards = { 1: { pairing: 1, game: 1, moves: [4], result } };
    show({ ...follow(state), boards: {} });
    show({ ...follow({ ...state, pairings: [{ ...state.pairings[0], ...won(1) }, ...state.pairings.slice(1)] }), boards });
    const verdict = one(root, ".big-verdict");
    equal(verdict.textContent?.replace(/\s+/g, " ").trim(), text, how);
    const [own, board] = [verdict, one(root, ".big-board")].map((part) => part.getBoundingClientRect());
    some(own.top >= board.bottom || own.left >= board.right, `${count} tables, ${how}: it begins at ${own.left}, ${own.top}`);
    some(own.left >= board.right || own.height < board.height / 2, `${count} tables, ${how}: ${own.height} below ${board.height} pixels`);
    const tile = one(root, ".big-tile").getBoundingClientRect();
    some(own.bottom <= tile.bottom + 1, `${count} tables, ${how}: it ends at ${own.bottom}, the tile at ${tile.bottom}`);
    const news = one(root, ".big-news > li").textContent?.trim();
    const loser = LONG.replace("5", "1");
    const winner = LONG.replace("5", "0");
    equal(news, { time: `${winner} beats ${loser} on time`, resignation: `${loser} resigns against ${winner}`, line: `${winner} beats ${loser}` }[how]);
    render(null, root);
  }
}));

test("a game that ended while the screen had no connection has a verdict and no board", () => onScreen((root, show) => {
  const state = tables(2);
  const over = { ...state, pairings: [{ ...state.pairings[0], ...won(1) }, state.pairings[1]] };
  for (const [ended, count] of /** @type {[any, number][]} */ ([[null, 1], [{ how: "line", winner: "x", lines: [] }, 2]])) {
    const boards = { 1: { pairing: 1, game: 1, moves: [4], result: ended } };
    show({ ...follow(state), boards });
    show({ ...follow(over), boards });
    equal([all(root, ".big-verdict").length, all(root, ".big-board").length], [1, count]);
    render(null, root);
  }
}));

test("a verdict breaks no word, and does not stand on the number of its table", () => onScreen((root, show) => {
  for (const count of [1, 2, 4, 9]) {
    for (const [name, how] of /** @type {[string, "time" | "resignation" | "line"][]} */ ([
      ["Piskvork", "line"], ["Bo", "resignation"], ["Wilhelmina", "time"], ["Maximilianes", "line"],
    ])) {
      const state = tables(count, { entrants: Array.from({ length: 2 * count }, (_, at) => entrant(at + 1, { name })) });
      const boards = { 1: { pairing: 1, game: 1, moves: [4], result: /** @type {any} */ ({ how, winner: "x", lines: [] }) } };
      show({ ...follow(state), boards: {} });
      show({ ...follow({ ...state, pairings: [{ ...state.pairings[0], ...won(1) }, ...state.pairings.slice(1)] }), boards });
      for (const time of ["fresh", "over"]) {
        one(root, ".big-tile").dataset.state = time;
        const said = one(root, ".big-verdict");
        const number = one(root, ".big-table-number");
        const text = said.textContent?.trim() ?? "";
        const about = `${count} tables, ${text}, ${time}, ${letters(said)} px`;
        equal(brokenWords(said), [], about);
        const own = said.getBoundingClientRect();
        const other = number.getBoundingClientRect();
        some(own.bottom <= other.top + 1 || own.right <= other.left + 1 || own.left >= other.right - 1, about);
        // Beside a board it has the height for two lines, and below it has not.
        const most = text.length > 14 ? 3 : count === 1 || count === 4 ? 2 : 1;
        some(linesOf(said) <= most, `${about}: ${linesOf(said)} lines`);
        // Firefox rounds a small unit down.
        some(letters(said) >= 27 * UNIT, about);
      }
      render(null, root);
    }
  }
}));

test("the podium breaks no word of a name, and its steps are equally wide", () => onScreen((root, show) => {
  const entrants = [LONG, "Wilhelmina", "Piskvork", "Maximiliane Wilhelmina 6"].map((name, at) => entrant(at + 1, { name, player: `p${at}` }));
  const state = tables(2, { entrants, phase: "over", pairings: [{ ...pairing(1, 1, 2, PLAYS), ...won(1) }] });
  show(follow({ ...state, places: [{ place: 1, entrant: 1 }, { place: 2, entrant: 2 }, { place: 3, entrant: 3 }, { place: 3, entrant: 4 }] }));
  for (const names of all(root, ".big-step-names")) {
    equal(brokenWords(names), [], `${letters(names)} px`);
    some(letters(names) >= 32 * UNIT, `${letters(names)} px`);
  }
  const widths = all(root, ".big-step").map((step) => Math.round(step.getBoundingClientRect().width));
  equal(widths, widths.map(() => widths[0]));
}));

test("the podium comes after the last line, without the news of the last game, and a party without a result has none", () => onScreen((root, show) => {
  const state = tables(2);
  const over = { ...state, phase: /** @type {const} */ ("over"), pairings: state.pairings.map((one) => ({ ...one, ...won(one.first) })) };
  show(follow(state));
  const ended = follow({ ...over, places: [{ place: 1, entrant: 1 }, { place: 2, entrant: 3 }, { place: 3, entrant: 2 }, { place: 3, entrant: 4 }] });
  show(ended);
  equal([all(root, ".big-verdict").length, all(root, ".big-step").length], [2, 0], "the line that has won is seen first");
  performance.now = () => 8_000;
  show(ended);
  equal([all(root, ".big-step").length, all(root, ".big-news > li").length], [3, 0]);
  show(follow({ ...state, phase: "over", places: [] }));
  equal(all(root, ".big-step").length, 0);
  equal(one(root, ".big-unplaced").textContent, "The party ended before a game was over.");
  equal(all(root, ".big-row").length, 0, "nobody has a place");
}));

test("a pause keeps the standings on the big screen, and a table whose clock stands says so", () => onScreen((root, show) => {
  const paused = { paused: true, clocksStopped: true, pairings: [pairing(1, 1, 2, PLAYS), pairing(2, 3, 4)] };
  show(follow(tables(2, paused)));
  equal(all(root, ".big-awaited").map(({ textContent }) => textContent), ["Paused", "Paused"]);
  equal(all(root, ".big-next li").length, 0, "the tables name who is called");
  some(root.querySelector(".big-side table, .big-side ol"), "the standings");
  show(follow(tables(2, { ...paused, clocksStopped: false })));
  equal(all(root, ".big-awaited").length, 1, "a game goes on");
}));
