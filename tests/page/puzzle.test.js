// The puzzle of the day: tries, stars, streaks, and a text to share that tells no move.
// @ts-check

import { html, render } from "../../server/web/js/html.js";
import { linesThrough } from "../../server/web/js/here/lines.js";
import { FRESH, gridOf, hasCome, isSolved, marksOf, shareText, solved, starsOf, streakOf, tried } from "../../server/web/js/puzzle/model.js";
import { Archive } from "../../server/web/js/puzzle/archive.js";
import { Puzzles } from "../../server/web/js/puzzle/main.js";
import { keep } from "../../server/web/js/puzzle/memory.js";
import { Solved } from "../../server/web/js/puzzle/solved.js";
import { addStrings } from "../../server/web/js/strings.js";
import { equal, test } from "./runner.js";
import { InPage, inElement } from "./sheet.js";

/** X at e3, O at e1, X at e5. @type {import("../../server/web/js/puzzle/model.js").Puzzle} */
const PUZZLE = {
  date: "2026-11-27",
  number: 331,
  board: { width: 5, height: 5, line: 4 },
  x: [3, 6, 7, 9, 15, 16, 19],
  o: [0, 1, 8, 11, 13, 17, 21],
  answers: [[14], [24]],
  replies: [4],
};

/** @param {number[]} cells */
const play = (...cells) => cells.reduce((tries, cell) => tried(PUZZLE, tries, cell), FRESH);

test("a wrong try costs a star, and the same one no second", () => {
  equal(starsOf(play(14, 24)), 3);
  equal(starsOf(play(2, 2, 14, 24)), 2);
  equal(starsOf(play(2, 5, 14, 10, 12, 24)), 0);
  equal(isSolved(PUZZLE, play(2, 14)), false);
  equal(isSolved(PUZZLE, play(2, 14, 24)), true);
  equal(starsOf(solved(PUZZLE, play(14))), 0);
  equal(isSolved(PUZZLE, solved(PUZZLE, play(14))), true);
});

test("O replies after the first move, and the last one wins along its line", () => {
  equal(marksOf(PUZZLE, [14], false)[4], null);
  equal(marksOf(PUZZLE, [14], true)[4], "o");
  const marks = marksOf(PUZZLE, [14, 24], true);
  const lines = linesThrough(PUZZLE.board, marks, 24);
  equal(lines.map(({ kind, cells }) => [kind, cells]), [["column", [9, 14, 19, 24]]]);
});

test("a streak counts the days that were solved on their day, up to today or yesterday", () => {
  const done = { wrong: [], right: [], onTime: true };
  const results = { "2026-11-24": done, "2026-11-26": done, "2026-11-27": done, "2026-11-28": { ...done, onTime: false } };
  equal(streakOf(results, "2026-11-27"), 2);
  equal(streakOf(results, "2026-11-28"), 2);
  equal(streakOf(results, "2026-11-29"), 0);
});

test("what is shared names no cell", () => {
  const tries = play(2, 14, 24);
  equal(gridOf(PUZZLE, tries), ["🟧🟦", "🟦"]);
  equal(gridOf(PUZZLE, solved(PUZZLE, tries)), ["🟧⬜", "⬜"]);
  const text = shareText({ puzzle: PUZZLE, tries, title: "Noughts", streak: 4, link: "http://host/puzzle/2026-11-27" });
  equal(text, "Noughts\n🟧🟦\n🟦\n⭐⭐ 🔥 4\nhttp://host/puzzle/2026-11-27");
});

test("a day of the calendar has a puzzle from the first one to today", () => {
  const has = (/** @type {string} */ date) => hasCome(date, "2026-11-27");
  equal(["2026-01-01", "2026-11-27"].map(has), [true, true]);
  equal(["2025-12-31", "2026-11-28", "2026-02-30", "2026-13-01", "today", ""].map(has), new Array(6).fill(false));
});

test("a solved puzzle that stays open past midnight leads to the new one", async () => {
  await addStrings("puzzle");
  const { now } = Date;
  const root = document.createElement("div");
  try {
    Date.now = () => Date.parse("2026-11-27T23:59:59.950Z");
    render(html`<${Solved} puzzle=${PUZZLE} tries=${play(14, 24)} />`, root);
    equal([root.querySelector("[role=timer]")?.textContent, root.querySelector("a")], ["0:00:00", null]);
    Date.now = () => Date.parse("2026-11-28T00:00:00.010Z");
    while (root.querySelector("[role=timer]")) await new Promise(requestAnimationFrame);
    equal(root.querySelector("a")?.pathname.endsWith("/puzzle/2026-11-28"), true);
  } finally {
    Date.now = now;
    render(null, root);
  }
});

test("the solution is shown move by move, and its day has a sign of its own", () => inElement(async (root) => {
  await addStrings("puzzle");
  const { fetch, setTimeout: later } = globalThis;
  /** @type {(() => void)[]} */
  const steps = [];
  const page = { arrived: () => {} };
  const drawn = async () => { for (let time = 0; time < 9; time += 1) await null; };
  const said = () => root.querySelector(".puzzle-said")?.textContent?.trim();
  const shown = () => [root.querySelectorAll(".puzzle-end").length, said()];
  try {
    globalThis.fetch = /** @type {any} */ (async () => ({ status: 200, ok: true, json: async () => PUZZLE }));
    keep(PUZZLE.date, play(2, 5));
    render(html`<${InPage} page=${page}><${Puzzles} state=${{ route: { screen: "puzzle", date: PUZZLE.date } }} /><//>`, root);
    while (!root.querySelector(".puzzle-state")) await new Promise(requestAnimationFrame);
    /** @type {HTMLElement | null} */ (root.querySelector("[data-cell='12']"))?.click();
    await drawn();
    equal(said(), "Not c3: that does not win in two. 0 stars.", "a lost star is heard");
    globalThis.setTimeout = /** @type {any} */ ((/** @type {() => void} */ step) => steps.push(step));
    [...root.querySelectorAll("button")].find(({ textContent }) => textContent === "Show me")?.click();
    await drawn();
    equal(document.activeElement?.matches(".cell"), true, "the focus is on the board");
    for (const ends of [0, 0, 1]) {
      equal(shown(), [ends, "This is how X wins: X\u00a0e3, O\u00a0e1, X\u00a0e5."]);
      steps.shift()?.();
      await drawn();
    }
    equal(steps.length, 0);
    render(html`<${Archive} date=${PUZZLE.date} />`, root);
    equal(root.querySelector("[aria-current] > small")?.textContent, "✗");
  } finally {
    Object.assign(globalThis, { fetch, setTimeout: later });
    localStorage.removeItem("noughts.puzzles");
  }
}));
