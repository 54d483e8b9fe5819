// A series of games: its dots, its end, and what is celebrated.
// @ts-check

import { celebrates } from "../../server/web/js/room/celebrate.js";
import { watchers } from "../../server/web/js/room/room-bar.js";
import { dotsOf, seriesWinner } from "../../server/web/js/room/series.js";
import { equal, some, test } from "./runner.js";
import { golden, inRoom } from "./test-client.js";

/** @typedef {import("../../server/web/js/core/state.js").Room} Room */

/** @param {string} name @param {object} [change] @returns {Room} */
const room = (name, change) => ({ ...inRoom(golden(name)).room, ...change });

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
