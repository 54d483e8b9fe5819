// The board's drawings, names of cells in hints and reviews, and the steps through a finished game.
// @ts-check

import { starPoints } from "../../server/web/js/room/board-svg.js";
import { hintText } from "../../server/web/js/room/hint-text.js";
import { gridStrokes, lineStroke, markSeed, markStrokes, roomSeed } from "../../server/web/js/room/pen.js";
import { Moves, judgement } from "../../server/web/js/room/moves.js";
import { Share } from "../../server/web/js/room/share.js";
import { positionOf } from "../../server/web/js/room/position.js";
import { BARE } from "../../server/web/js/room/board.js";
import { ZoomableBoard } from "../../server/web/js/room/zoomable-board.js";
import { html, render } from "../../server/web/js/html.js";
import { loadPart } from "../../server/web/js/later.js";
import { VARIANTS } from "../../server/web/js/parts.js";
import { reviewText, stepsFrom } from "../../server/web/js/people/review.js";
import { spokenCell } from "../../server/web/js/room/cell.js";
import { coordinates } from "../../server/web/js/client/rules.js";
import { addStrings } from "../../server/web/js/strings.js";
import { equal, some, test } from "./runner.js";
import { all, inElement, inWindow, one } from "./sheet.js";
import { golden, inRoom } from "./test-client.js";

const SMALL = { width: 3, height: 3, line: 3 };
const LARGE = { width: 15, height: 15, line: 5 };

/** @param {string} d @returns {number[]} all numbers of a path */
const numbers = (d) => (d.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);

test("a mark has the same strokes for everybody, and others in another cell or game", () => {
  const seed = (/** @type {number} */ game, /** @type {number} */ cell) => markSeed(roomSeed("KQRZX", game), cell);
  equal(markStrokes("x", seed(1, 4)), markStrokes("x", seed(1, 4)));
  equal([markStrokes("x", seed(1, 4)).length, markStrokes("o", seed(1, 4)).length], [2, 1]);
  const drawn = [seed(1, 4), seed(1, 5), seed(2, 4)].map((one) => markStrokes("o", one).join());
  equal(new Set(drawn).size, 3);
});

test("marks stay inside of their square", () => {
  for (let cell = 0; cell < 361; cell += 1) {
    const seed = markSeed("KQRZX 1", cell);
    for (const d of [...markStrokes("x", seed), ...markStrokes("o", seed)]) {
      some(numbers(d).every((at) => at > 3 && at < 21), d);
    }
  }
});

test("grid lines stay near their places, however long they are", () => {
  for (let side = 3; side <= 9; side += 1) {
    const lines = gridStrokes({ width: side, height: side }, 0, "KQRZX 1").split("M").slice(1);
    equal(lines.length, 2 * (side - 1));
    lines.slice(0, side - 1).forEach((line, at) => {
      const across = numbers(line).filter((_, index) => index % 2 === 0);
      some(across.every((x) => Math.abs(x - (at + 1)) < 0.1), line);
    });
  }
  equal(lineStroke({ x: 0, y: 0 }, { x: 3, y: 0 }, "a"), lineStroke({ x: 0, y: 0 }, { x: 3, y: 0 }, "a"));
});

test("large boards have the star points of a go board", () => {
  const names = (/** @type {number} */ side) => {
    const board = { width: side, height: side, line: 5 };
    return starPoints(board).map((cell) => coordinates(board, cell)).join(" ");
  };
  equal(names(9), "c3 e3 g3 c5 e5 g5 c7 e7 g7");
  equal(names(15), "d4 h4 l4 d8 h8 l8 d12 h12 l12");
  equal([names(13).split(" ").length, names(19).split(" ").length, names(10)], [9, 9, ""]);
  equal(starPoints({ width: 15, height: 9, line: 5 }).length, 9);
  equal(starPoints({ width: 9, height: 8, line: 5 }), []);
});

test("a cell is heard by the name that is read everywhere, and a number by its place too", () => {
  equal([spokenCell(SMALL, 4), spokenCell(LARGE, 96)], ["5, row 2, column 2", "g7"]);
});

test("a hint names one cell and one reason", () => {
  const hint = (/** @type {string} */ name) => hintText({ board: SMALL }, golden(name));
  equal(hint("hint"), "Hint: 3 wins.");
  equal(hint("hint.blocks"), "Hint: 6 blocks row 2.");
  equal(hint("hint.double_threat"), "Hint: 7 makes two threats.");
  equal(hint("hint.only_move"), "Hint: 5, every other move loses.");
  equal(hint("hint.best"), "Hint: 2 keeps the draw.");
  equal(hintText({ board: SMALL }, { ...golden("hint"), placed: "o" }), "Hint: O on 3 wins.");
  const unknown = { ...golden("hint"), reason: { code: "charms" }, message: "charms" };
  equal(hintText({ board: LARGE }, unknown), "Hint: c1, charms.");
});

test("the board shows one cell of a hint", () => {
  const state = inRoom(golden("snapshot")).state;
  const room = some(state.room, "a room");
  const game = some(room.game, "a game");
  const hinted = { ...room, hint: { ...golden("hint"), cells: [7, 8] } };
  equal(positionOf(state, hinted, game, null).hinted?.cell, 7);
  equal(positionOf(state, { ...room, hint: null }, game, null).hinted, null);
});

test("where the clock stands still no mark is offered", () => {
  const { state, room } = inRoom(golden("snapshot"));
  const ghost = (/** @type {object} */ change) => positionOf(state, { ...room, ...change }, some(room.game, "a game"), null).ghost;
  equal([ghost({}), ghost({ standsAt: 5_000 })], ["x", null]);
});

test("each step through a game stays inside of it", () => {
  equal(stepsFrom(0, 7), { first: 0, previous: 0, next: 1, last: 7 });
  equal(stepsFrom(7, 7), { first: 0, previous: 6, next: 7, last: 7 });
});

test("the review says where one is, what a move changed, and what was better", async () => {
  await addStrings("people");
  const { state } = inRoom(golden("snapshot.over"));
  const room = some(state.room, "a room");
  const game = some(room.game, "a game");
  const mistake = { ply: 1, cell: game.moves[1], verdict: "mistake", before: "drawn", after: "lost", best: 8 };
  const fine = { ply: 0, cell: game.moves[0], verdict: "fine", before: "drawn", after: "drawn" };
  const review = { type: "review", room: room.code, game: game.number, first: "x", proven: true, moves: [fine, mistake] };
  const reviewed = /** @type {any} */ ({ ...room, review });
  equal(reviewText(reviewed, 0)[1], "1 mistake, proven.");
  equal(reviewText(reviewed, 1)[1], "A fine move.");
  const [place, verdict] = reviewText(reviewed, 2);
  equal(place, `Move 2 of ${game.moves.length}: O on ${game.moves[1] + 1}`);
  equal(verdict, "A mistake: 9 was better. O could have had a draw.");
  const wild = { ...reviewed, game: { ...game, placed: game.moves.map(() => "x") } };
  equal(reviewText(wild, 2)[1], "A mistake: O on 9 was better. O could have had a draw.", "a chosen mark");
  const lost = { ...review, moves: [{ ...fine, before: "lost", after: "lost" }] };
  equal(reviewText(/** @type {any} */ ({ ...room, review: lost }), 1)[1], "X was losing already.");
  equal(judgement("X", /** @type {any} */ (lost.moves[0])), "X was losing already.", "the list of moves says the same");
  equal(judgement("X", /** @type {any} */ (fine)), "A fine move");
  equal(reviewText({ ...room, review: null }, 0)[1], "Checking every move…");
  const shown = positionOf(state, reviewed, game, 2);
  equal([shown.better, shown.verdict], [{ cell: 8, mark: "o" }, "mistake"]);
  equal(positionOf(state, reviewed, game, 1).better, null);
});

const EMPTY = { ...BARE, marks: new Array(LARGE.width * LARGE.height).fill(null), ghost: "x", seed: "tools" };

/** Draws an empty board, asks something of it, and takes it away. @param {any} props @param {(root: HTMLElement) => any} ask */
const onBoard = (props, ask) => inElement(async (root) => {
  root.style.inlineSize = "300px";
  render(html`<${ZoomableBoard} board=${LARGE} position=${EMPTY} ply=${0} play=${() => {}} mayPlay=${() => true} ...${props} />`, root);
  await Promise.resolve();
  return ask(root);
});

test("the tools of a large board are there before the browser draws it", async () => {
  some(await onBoard({}, (root) => root.querySelector(".board-tools")), "the tools");
});

test("where a touch is confirmed, the second one on the same cell plays", async () => {
  const touched = (/** @type {boolean} */ confirms) => {
    /** @type {number[]} */
    const played = [];
    const play = (/** @type {number} */ cell) => played.push(cell);
    return onBoard({ board: SMALL, confirms, play }, async (root) => {
      for (const cell of [4, 0, 0]) {
        const button = some(root.querySelectorAll(".cell")[cell], "the cell");
        button.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, pointerType: "touch" }));
        button.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
        await Promise.resolve();
      }
      return played;
    });
  };
  equal([await touched(true), await touched(false)], [[0], [4, 0, 0]]);
});

test("a board is zoomed while its cells are small, and where marks fall a column is large enough", async () => {
  const zoomed = (/** @type {HTMLElement} */ root) => root.querySelector(".is-zoomed") !== null;
  const tap = (/** @type {object} */ props, /** @type {string} */ width) => onBoard(props, async (root) => {
    root.style.inlineSize = "200px";
    const button = some(root.querySelector(".cell"), "a cell");
    button.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, pointerType: "touch" }));
    button.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
    await Promise.resolve();
    const before = zoomed(root);
    root.style.inlineSize = width;
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    return [before, zoomed(root)];
  });
  equal(await tap({}, "900px"), [true, false], "as the window grows");
  const fall = { board: { width: 7, height: 6, line: 4 }, position: { ...EMPTY, marks: new Array(42).fill(null), variant: "gravity" } };
  await loadPart(VARIANTS);
  equal(await tap(fall, "200px"), [false, false], "a column");
});

test("the list of moves beside a board shows whole lines, four of them where a chat leaves it little", () => inWindow(1366, 768, (root) => {
  const { room } = inRoom(golden("snapshot"));
  const moves = Array.from({ length: 40 }, (_, at) => at);
  const played = { ...room, settings: { ...room.settings, board: LARGE }, game: { ...some(room.game, "a game"), moves } };
  render(html`<section class="room"><div class="room-panel" style="block-size: 9.5rem">
    <div class="room-moves"><${Moves} room=${played} ply=${null} go=${null} /></div>
  </div></section>`, root);
  const { top, bottom } = one(root, ".moves").getBoundingClientRect();
  const rows = all(root, ".moves > li").map((row) => row.getBoundingClientRect());
  const seen = rows.filter((row) => row.bottom > top + 1 && row.top < bottom - 1);
  equal([seen.length, seen.filter((row) => row.top >= top - 1 && row.bottom <= bottom + 1).length], [8, 8]);
  render(null, root);
}));

test("on a phone's side the invitation is whole, and nothing of it lies on another part", () => inWindow(568, 320, (root) => {
  const invitation = html`<${Share} title="Invite someone" code="KQRZX" link="http://127.0.0.1:7333/r/KQRZX" />`;
  render(html`<section class="room"><div class="bar room-bar"><h1>Room</h1></div><div class="room-table">
    <div class="room-players"></div><div class="room-board">${invitation}</div><div class="room-panel"></div>
  </div></section>`, root);
  const places = [".share-scan > button", ".share-code", ".share-ways", ".share-text"].map((part) => one(root, part).getBoundingClientRect());
  const lies = places.flatMap((one, at) => places.slice(at + 1).filter((other) =>
    one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1));
  equal([lies.length, places.every(({ bottom }) => bottom <= 320)], [0, true]);
  render(null, root);
}));
