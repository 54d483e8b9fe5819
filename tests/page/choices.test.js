// The choices of a form: the intent that starts a game, and the saved choices.
// @ts-check

import * as choices from "../../server/web/js/choices.js";
import { DEFAULT_PREFS } from "../../server/web/js/state.js";
import { equal, some, test } from "./runner.js";

const CHOSEN = choices.savedChoices(DEFAULT_PREFS, "computer");

/** @param {any} intent @returns {any} */
const any = (intent) => intent;

test("a form begins with the saved choices, else with the defaults", () => {
  equal([CHOSEN.board, CHOSEN.strength, CHOSEN.mark], ["3x3x3", "average", "x"]);
  const prefs = { ...DEFAULT_PREFS, forms: { computer: { strength: "very_weak" } } };
  equal(choices.savedChoices(prefs, "computer").strength, "very_weak");
  equal(choices.savedChoices(prefs, "friend").strength, "average");
  equal(choices.savedChoices(prefs, "computers", { board: "5x5x4" }).board, "5x5x4");
});

test("every choice against the computer is in the intent", () => {
  const values = {
    ...CHOSEN, strength: "very_weak", mark: "o", board: "5x5x4", first: "loser", time: "30",
    listed: "yes", spectators: "no", hints: "no", evaluation: "yes",
  };
  const { seats, settings, shuffle } = any(choices.computerRoom(values));
  equal(seats.o, "you");
  equal(seats.x.computer, { strategy: "minimax", strength: "very_weak" });
  equal(shuffle, false);
  equal(settings.board, { width: 5, height: 5, line: 4 });
  equal([settings.first, settings.move_time_ms], ["loser", 30_000]);
  equal([settings.listed, settings.spectators], [true, false]);
  equal([settings.hints, settings.evaluation], [false, true]);
});

test("a mark by chance is the server's to draw", () => {
  equal(any(choices.computerRoom({ ...CHOSEN, mark: "random" })).shuffle, true);
});

test("a friend gets the open seat; both sides before one screen are ours", () => {
  equal(any(choices.friendRoom(CHOSEN)).seats, { x: "you", o: "open" });
  equal(any(choices.friendRoom({ ...CHOSEN, device: "one" })).seats, { x: "you", o: "you" });
});

test("two computers may differ", () => {
  const values = { ...CHOSEN, strategyO: "heuristic", strengthO: "weak" };
  const { seats } = any(choices.computersRoom(values));
  equal(seats.x.computer.strategy, "minimax");
  equal(seats.o.computer, { strategy: "heuristic", strength: "weak" });
});

test("swap2 is for boards that are large enough, and only there", () => {
  for (const [board, opening] of [["15x15x5", "swap2"], ["9x9x5", "free"]]) {
    const intent = any(choices.friendRoom({ ...CHOSEN, board, opening: "swap2" }));
    equal(intent.settings.opening, opening, board);
  }
});

test("a board is read where there can be one", () => {
  for (const board of choices.BOARDS) {
    some(choices.parseBoard(board), board);
  }
  for (const text of ["", "3x3", "2x3x3", "3x20x3", "3x3x4", "3x3x2", "axbxc", "3.5x4x3"]) {
    equal(choices.parseBoard(text), null, text);
  }
});

test("a quick match is given to the computer after a while, or never", () => {
  const quick = (/** @type {string} */ fallback) =>
    any(choices.quickMatch({ ...CHOSEN, fallback })).computer;
  equal(quick("30").after_ms, 30_000);
  equal(quick(""), null);
});
