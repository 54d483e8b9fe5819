// The drawings of the forms: small boards, and strengths as tally marks.
// @ts-check

import { fieldsOf, isFolded, isShown, parseBoard, savedChoices } from "../../server/web/js/choices.js";
import { ALL_ON } from "../../server/web/js/client/features.js";
import { DEFAULT_PREFS } from "../../server/web/js/core/state.js";
import { VARIANTS } from "../../server/web/js/client/generated/variants.js";
import { PICTURE_SIDE, pictureOf, shownLine } from "../../server/web/js/views/board-picture.js";
import { tally } from "../../server/web/js/views/tally.js";
import { equal, some, test } from "./runner.js";

/** @param {string} text */
const line = (text) => shownLine(/** @type {any} */ (parseBoard(text))).map(({ column, row }) => [column, row]);

test("the shown line is in the middle of the board and as long as the one that wins", () => {
  equal(line("3x3x3"), [[0, 0], [1, 1], [2, 2]]);
  equal(line("6x6x4"), [[1, 1], [2, 2], [3, 3], [4, 4]]);
  equal(line("7x6x4"), [[1, 1], [2, 2], [3, 3], [4, 4]]);
  equal(line("9x3x5"), [[2, 1], [3, 1], [4, 1], [5, 1], [6, 1]], "a row, because no diagonal is so long");
  equal(line("3x9x5"), [[1, 2], [1, 3], [1, 4], [1, 5], [1, 6]], "a column");
});

test("every offered board has a picture in which all of it lies", () => {
  const usual = fieldsOf("quick").flatMap(({ kind, values }) => (kind === "board" ? values : []));
  for (const text of [...usual, ...Object.values(VARIANTS).flatMap(({ boards }) => boards)]) {
    const board = /** @type {any} */ (parseBoard(text));
    const { right, bottom, grid, marks } = pictureOf(board);
    some(Math.abs(Math.max(right, bottom) - PICTURE_SIDE) < 0.1, text);
    equal(grid.split("M").length - 1, board.width + board.height - 2, text);
    equal(marks.split("M").length - 1, board.line, text);
    for (const { column, row } of shownLine(board)) some(column < board.width && row < board.height, text);
  }
});

test("a strength has as many strokes, and the fifth goes through the others", () => {
  for (const count of [1, 2, 3, 4, 5]) equal(tally(count).split("M").length - 1, count);
  some(tally(5).startsWith("M"), "a path");
  some(!tally(5).startsWith(tally(4)), "each strength has its own hand");
});

test("a strength keeps its place, and the strategy is behind more options", () => {
  const values = { ...savedChoices(DEFAULT_PREFS, "computer"), strategy: "perfect" };
  const fields = fieldsOf("computer").filter((field) => isShown(field, values, ALL_ON));
  const names = (/** @type {boolean} */ folded) => fields.filter((field) => isFolded(field) === folded).map(({ name }) => name);
  equal(names(false), ["strength", "variant", "board", "mark", "comments"]);
  equal(names(true), ["strategy", "first", "move_time", "listed", "hints"]);
});
