// A series of games: its dots, its end, and what is celebrated.
// @ts-check

import { html, render } from "../../server/web/js/html.js";
import { celebrates } from "../../server/web/js/room/celebrate.js";
import { Players, roomFacts } from "../../server/web/js/room/players.js";
import { watchers } from "../../server/web/js/room/room-bar.js";
import { dotsOf, seriesWinner } from "../../server/web/js/room/series.js";
import { addStrings } from "../../server/web/js/strings.js";
import { equal, some, test } from "./runner.js";
import { all, inWindow, isWhole, one } from "./sheet.js";
import { golden, inRoom } from "./test-client.js";

/** @typedef {import("../../server/web/js/core/state.js").Room} Room */

/** @param {string} name @param {object} [change] @returns {Room} */
const room = (name, change) => ({ ...inRoom(golden(name)).room, ...change });

test("the facts of a room have its clock in words, and whether the computer adjusts or nothing is taken back", () => {
  const { settings } = room("snapshot");
  const facts = (/** @type {object} */ change) => roomFacts(room("snapshot", { settings: { ...settings, ...change } })).slice(-2);
  const board = { width: 15, height: 15, line: 5 };
  const [day, back] = facts({ board, opening: "swap2", move_time_ms: 86_400_000 });
  equal([day.replaceAll("\u00a0", " "), back], ["15 × 15, 5 in a row, swap2, 1 day a move", "no taking back"]);
  equal(facts({ adapts: true })[1], "the computer adjusts");
});

test("dots are won games, and those that are left", () => {
  equal(dotsOf(0, null), { filled: 0, open: 0, count: "" });
  equal(dotsOf(2, null), { filled: 2, open: 0, count: "" });
  equal(dotsOf(2, 5), { filled: 2, open: 3, count: "" });
  equal(dotsOf(8, null), { filled: 8, open: 0, count: "" });
});

test("many won games are a number", () => {
  equal(dotsOf(9, null), { filled: 1, open: 0, count: "9" });
  equal(dotsOf(2, 11), { filled: 1, open: 0, count: "2/11" });
});

test("a series is decided when a game ends with enough wins", () => {
  const series = { first_to: 3 };
  const score = { x: 3, o: 1, draws: 0 };
  equal(seriesWinner(room("snapshot.over", { series, score })), "x");
  equal(seriesWinner(room("snapshot", { series, score })), null);
  equal(seriesWinner(room("snapshot.over", { series, score: { x: 2, o: 2, draws: 4 } })), null);
  equal(seriesWinner(room("snapshot.over", { series: { first_to: null }, score: { x: 9, o: 0, draws: 0 } })), null);
});

test("beside the dots of a long series nothing is cut, and the clock stays inside of the seat", async () => {
  await addStrings("room");
  const timed = { series: { first_to: 5 }, moveDeadline: performance.now() + 60_000 };
  for (const [width, height] of [[320, 568], [360, 740], [390, 844], [568, 320], [844, 390]]) {
    await inWindow(width, height, (root) => {
      render(html`<section class="room" style="--w: 3; --h: 3"><div class="room-table"><${Players} room=${room("snapshot", timed)} linked=${false} /></div></section>`, root);
      const line = one(root, ".seat.is-turn > .seat-line");
      const clock = one(line, ".seat-clock");
      equal(clock.textContent, "1:00");
      some(clock.getBoundingClientRect().right <= line.getBoundingClientRect().right + 1, `${width}: the clock`);
      some(all(line, ".chip").every(isWhole), `${width}: who one is`);
      render(null, root);
    });
  }
});

test("a win is celebrated when it is made, and not by the one who lost", () => {
  const running = room("snapshot");
  const game = some(running.game, "game");
  const won = { ...running, game: { ...game, result: /** @type {const} */ ({ how: "time", winner: "x" }) } };
  equal(celebrates(running, won), true);
  equal(celebrates(won, won), false);
  equal(celebrates(null, won), false);
  equal(celebrates({ ...running, you: ["o"] }, { ...won, you: ["o"] }), false);
  equal(celebrates({ ...running, you: [] }, { ...won, you: [] }), true);
  const drawn = { ...won, game: { ...game, result: /** @type {const} */ ({ how: "board_full" }) } };
  equal(celebrates(running, /** @type {any} */ (drawn)), false);
});

test("a spectator does not count as somebody else who watches", () => {
  const presence = { ...room("snapshot").presence, spectators: 2 };
  equal(watchers(room("snapshot", { presence })), 2);
  equal(watchers(room("snapshot", { presence, you: [] })), 1);
});
