// The game on one device: its rules and its small player against the lines that the server's engine has checked.
// @ts-check

import { BOARDS, again, answer, outcomeOf, play, read, takeBack } from "../../server/web/js/here/game.js";
import { outcome, pressing, smallMove } from "../../server/web/js/here/rules.js";
import { initialState } from "../../server/web/js/core/state.js";
import { Here } from "../../server/web/js/here/main.js";
import { html, render } from "../../server/web/js/html.js";
import { remove, write } from "../../server/web/js/storage.js";
import { addStrings } from "../../server/web/js/strings.js";
import { equal, some, test } from "./runner.js";
import { inElement } from "./sheet.js";

test("the rules are the true ones, and the small player wins and blocks as the weak computer does", async () => {
  const lines = (await (await fetch("here.txt")).text()).trim().split("\n");
  some(lines.length > 100, "positions");
  for (const line of lines) {
    const [name, moves, stands, weak] = line.split(";").map((field) => field.trim());
    const [width, height, wins] = name.split("x").map(Number);
    const board = { width, height, line: wins };
    const played = moves.split(" ").map(Number);
    equal(outcome(board, played) ?? "running", stands, line);
    some(Object.values(BOARDS).some((one) => JSON.stringify(one) === JSON.stringify(board)), name);
    if (stands !== "running") continue;
    const chosen = smallMove(board, played, () => 0);
    some(!played.includes(chosen) && chosen < width * height, line);
    const must = pressing(board, played);
    const may = weak ? weak.split(" ").map(Number) : [];
    equal(may.filter((cell) => !must.includes(cell)), [], line);
    some(weak === "" || must.includes(chosen), line);
    some(weak !== "" || must.length !== 1, line);
  }
});

test("other rules end a running game only after a question", () => inElement(async (root) => {
  await addStrings("here");
  const draw = () => render(html`<${Here} state=${initialState({ screen: "here", against: "people" })} />`, root);
  const press = async (/** @type {string} */ button) => {
    const dialog = root.querySelector("dialog");
    const closed = dialog && new Promise((resolve) => dialog.addEventListener("close", resolve));
    some(/** @type {HTMLElement | null} */ (root.querySelector(button)), button).click();
    await closed;
    draw();
    return [root.querySelectorAll(".cell").length, root.querySelectorAll(".cell[data-mark]").length, root.querySelector("dialog") !== null];
  };
  draw();
  const board = (/** @type {string} */ name) => `input[name=board][value="${name}"]`;
  equal(await press(board("5x5")), [25, 0, false], "before the first move");
  equal(await press("[data-cell='7']"), [25, 1, false]);
  equal(await press(board("3x3")), [25, 1, true]);
  equal(await press("dialog .button-quiet"), [25, 1, false]);
  equal(/** @type {HTMLInputElement} */ (root.querySelector(board("5x5"))).checked, true);
  await press(board("3x3"));
  equal(await press("dialog .button-danger"), [9, 0, false]);
}));

test("a tap on the menu's board ends a running game only after a question", () => inElement(async (root) => {
  await addStrings("here");
  write(() => localStorage, "noughts-here", { against: "people", board: "3x3", moves: [0, 1, 2] });
  const draw = () => render(html`<${Here} state=${initialState({ screen: "here", against: "computer", cell: 8 })} />`, root);
  const marked = () => [...root.querySelectorAll(".cell[data-mark]")].map((cell) => cell.getAttribute("data-cell"));
  draw();
  equal([marked(), root.querySelector("dialog")?.open], [["0", "1", "2"], true]);
  some(/** @type {HTMLElement | null} */ (root.querySelector("dialog .button-danger")), "yes").click();
  draw();
  equal(marked(), ["8"]);
  remove(() => localStorage, "noughts-here");
}));

test("a game on one device counts wins, takes moves back, and is read again as far as it is one", () => {
  const begun = read(null);
  const won = [0, 3, 1, 4, 2].reduce(play, begun);
  equal([outcomeOf(won), won.score, play(won, 8) === won], ["x", { x: 1, o: 0 }, true]);
  equal([takeBack(won) === won, again(won).moves, takeBack(play(begun, 4)).moves], [true, [], []]);
  equal(read(JSON.parse(JSON.stringify(won))), won);
  equal(read({ board: "7x7", moves: [4, 4, 99, "x", 0], score: { x: "1" } }), { ...begun, moves: [4, 0] });
  equal(takeBack({ ...begun, against: "computer", moves: [4, 0, 1] }).moves, [4, 0], "while the small player thinks");
  const alone = play({ ...begun, against: "computer" }, 4);
  equal([answer(alone, () => 0).moves.length, takeBack(answer(alone, () => 0)).moves], [2, []]);
});
