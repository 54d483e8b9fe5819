// The choices of a form: the intent that starts a game, and the saved choices.
// @ts-check

import * as choices from "../../server/web/js/choices.js";
import { ALL_ON } from "../../server/web/js/client/features.js";
import { DEFAULT_PREFS } from "../../server/web/js/core/state.js";
import { computerName, computerParts, strengthName } from "../../server/web/js/computer-text.js";
import { FIRST_GAME } from "../../server/web/js/views/welcome.js";
import { hasStrengths, strengthsOf } from "../../server/web/js/strengths.js";
import { equal, some, test } from "./runner.js";

const CHOSEN = choices.savedChoices(DEFAULT_PREFS, "computer");

/** @param {import("../../server/web/js/choices.js").Form} form @param {any} values @returns {any} */
const start = (form, values, features = ALL_ON) => choices.startOf(form, values, features);

test("a form begins with the saved choices, else with the defaults", () => {
  equal([CHOSEN.board, CHOSEN.strength, CHOSEN.mark], ["3x3x3", "weak", "x"]);
  const prefs = { ...DEFAULT_PREFS, forms: { computer: { strength: "very_weak" } } };
  equal(choices.savedChoices(prefs, "computer").strength, "very_weak");
  equal(choices.savedChoices(prefs, "friend").strength, "weak");
  const watched = choices.savedChoices(prefs, "computers");
  equal([watched.strength_x, watched.evaluation], ["average", "yes"]);
  equal(choices.savedChoices(prefs, "quick").computer_after, "15s");
  equal(choices.savedChoices(prefs, "computers", { board: "5x5x4" }).board, "5x5x4");
});

test("the first tap begins what the form would begin, without a choice", () => {
  const { settings: _, ...rest } = start("computer", CHOSEN);
  equal({ ...FIRST_GAME, shuffle: false }, rest);
});

test("the strategies with strengths are those of the table", () => {
  const { needs } = some(choices.fieldsOf("computer").find(({ name }) => name === "strength"), "the strength");
  const all = some(choices.fieldsOf("computer").find(({ name }) => name === "strategy"), "the strategy").values;
  equal(needs, [{ setting: "strategy", values: all.filter(hasStrengths) }]);
});

test("every choice against the computer is in the intent", () => {
  const values = {
    ...CHOSEN, strength: "very_weak", mark: "o", board: "5x5x4", first: "loser", move_time: "30s",
    listed: "yes", hints: "no",
  };
  const { seats, settings, shuffle } = start("computer", values);
  equal(seats.o, "you");
  equal(seats.x.computer, { strategy: "minimax", strength: "very_weak" });
  equal(shuffle, false);
  const board = { width: 5, height: 5, line: 4 };
  equal(settings, { variant: "line", board, first: "loser", move_time_ms: 30_000, listed: true, hints: false, adapts: false, comments: false });
});

test("what is not offered is not sent", () => {
  const values = { ...CHOSEN, device: "two", listed: "yes", evaluation: "yes", spectators: "no" };
  const sent = (/** @type {object} */ given, features = ALL_ON) =>
    start("friend", { ...values, ...given }, features).settings;
  equal([sent({}).spectators, sent({}).listed, sent({}).evaluation], [false, true, undefined]);
  equal(sent({ spectators: "yes" }).evaluation, true);
  const off = sent({ spectators: "yes" }, { ...ALL_ON, listing: false, spectators: false });
  equal([off.listed, off.spectators, off.evaluation], [undefined, undefined, undefined]);
});

test("every form begins with an offered value of each field", () => {
  for (const form of /** @type {const} */ (["friend", "both", "quick", "computer", "exhibition"])) {
    const fields = choices.fieldsOf(form);
    some(fields.length > 1, form);
    for (const { name, kind, values } of fields) {
      equal(values.includes(CHOSEN[name]), kind !== "name", name);
    }
  }
});

test("a variant comes with one of its boards", () => {
  const fields = choices.fieldsOf("computer");
  const chosen = (/** @type {object} */ values, /** @type {string} */ variant) =>
    choices.withChoice(fields, { ...CHOSEN, ...values }, "variant", variant);
  equal(chosen({}, "gravity").board, "7x6x4");
  equal(chosen({ board: "6x6x4" }, "gravity").board, "6x6x4", "a board of both");
  equal(chosen({ variant: "ultimate", board: "9x9x3" }, "line").board, "3x3x3");
  const { settings } = start("computer", { ...chosen({}, "ultimate"), majority: "yes" });
  equal([settings.variant, settings.board, settings.majority], ["ultimate", { width: 9, height: 9, line: 3 }, true]);
  equal(start("computer", { ...CHOSEN, majority: "yes" }).settings.majority, undefined, "of another variant");
  equal(start("quick", chosen({}, "gravity")).variant, "gravity");
});

test("a mark by chance is the server's to draw", () => {
  equal(start("computer", { ...CHOSEN, mark: "random" }).shuffle, true);
});

test("a friend gets the open seat; both sides before one screen are ours", () => {
  equal(start("friend", CHOSEN).seats, { x: "you", o: "open" });
  equal(choices.formOf("friend", { ...CHOSEN, device: "one" }), "both");
  equal(start("both", CHOSEN).seats, { x: "you", o: "you" });
});

test("two computers may differ", () => {
  const values = { ...CHOSEN, strategy_o: "heuristic", strength_o: "weak" };
  const { seats } = start("exhibition", values);
  equal(seats.x.computer.strategy, "minimax");
  equal(seats.o.computer, { strategy: "heuristic", strength: "weak" });
});

test("swap2 is for boards that are large enough, and only there", () => {
  for (const board of ["15x15x5", "9x9x5"]) {
    const intent = start("friend", { ...CHOSEN, board, opening: "swap2" });
    equal(intent.settings.opening, board === "15x15x5" ? "swap2" : undefined, board);
  }
});

test("a board is read where there can be one", () => {
  const usual = choices.fieldsOf("quick").flatMap(({ kind, values }) => (kind === "board" ? values : []));
  for (const board of usual) some(choices.parseBoard(board), board);
  for (const text of ["", "3x3", "2x3x3", "3x20x3", "3x3x4", "3x3x2", "axbxc", "3.5x4x3"]) {
    equal(choices.parseBoard(text), null, text);
  }
});

test("a quick match is given to the computer after a while, or never", () => {
  const quick = (/** @type {string} */ text) =>
    start("quick", { ...CHOSEN, computer_after: text }).computer;
  equal(quick("30s").after_ms, 30_000);
  equal(quick("none"), null);
});

test("a large board of five in a row has nine strengths for minimax, all others the five with a name", () => {
  const count = (/** @type {string} */ board, variant = "line", strategy = "minimax") =>
    strengthsOf({ board: choices.parseBoard(board), variant }, strategy).length;
  equal([count("15x15x5"), count("9x9x5"), count("15x15x5", "exact")], [9, 9, 9]);
  equal([count("8x8x5"), count("15x15x4"), count("15x15x5", "gravity"), count("15x15x5", "line", "heuristic")], [5, 5, 5, 5]);
});

test("a strength that a board does not have is shown and sent as the next weaker one", () => {
  const chosen = { ...CHOSEN, board: "15x15x5", strength: "level_4" };
  equal(start("computer", chosen).seats.o.computer.strength, "level_4");
  equal(start("computer", { ...chosen, board: "3x3x3" }).seats.o.computer.strength, "weak");
  equal(start("exhibition", { ...chosen, strength_x: "level_8", board: "3x3x3" }).seats.x.computer.strength, "strong");
});

test("a strength is near a rating, one step for each 175 points", () => {
  const near = (/** @type {number} */ rating, deviation = 90) => choices.strengthNear({ class: "five", rating, deviation, games: 17 });
  equal(near(1600, 290), null, "after one game");
  equal([0, 1500, 1587, 1588, 3000].map((rating) => near(rating)), ["very_weak", "average", "average", "level_6", "very_strong"]);
});

test("a computer may say why on 3 × 3, and elsewhere where it is at most average", () => {
  const says = (/** @type {string} */ board, /** @type {string} */ strength, strategy = "minimax") =>
    start("computer", { ...CHOSEN, board, strength, strategy, comments: "yes" }).settings.comments;
  equal([says("3x3x3", "very_strong"), says("3x3x3", "weak", "perfect"), says("15x15x5", "average")], [true, true, true]);
  equal([says("15x15x5", "level_6"), says("15x15x5", "weak", "perfect")], [undefined, undefined]);
  const setting = some(choices.fieldsOf("computer").find(({ name }) => name === "comments"), "the setting");
  const keeps = (/** @type {string} */ strength, strategy = "minimax") => {
    const values = { ...CHOSEN, board: "15x15x5", strength, strategy };
    return [choices.isShown(setting, values, ALL_ON), choices.isTooStrong(setting, values)];
  };
  equal([keeps("average"), keeps("level_6"), keeps("weak", "perfect")], [[true, false], [true, true], [false, false]]);
});

test("a strength among nine says how many there are, and has its name if it has one", () => {
  const large = { board: { width: 15, height: 15, line: 5 } };
  const small = { board: { width: 3, height: 3, line: 3 } };
  const [average, sixth] = /** @type {import("../../server/web/js/client/protocol.js").Computer[]} */ (
    ["average", "level_6"].map((strength) => ({ strategy: "minimax", strength })));
  equal([average, sixth].map((one) => strengthName(one, large)), ["level 5 of\u00a09, average", "level 6 of\u00a09"]);
  equal([strengthName(average, small), strengthName(average)], ["average", "average"]);
  equal(computerParts({ ...average, strategy: "heuristic" }, large), ["average", "heuristic"]);
  equal(computerName(average, large), "Computer (level 5 of\u00a09 · average)");
});
