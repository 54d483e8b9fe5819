// The texts about a room and the title of its tab.
// @ts-check

import { titleOf } from "../../server/web/js/room/alerts.js";
import { changesText, resultText, statusText } from "../../server/web/js/room/room-text.js";
import { equal, some, test } from "./runner.js";
import { ROOM, golden, inRoom, presence } from "./test-client.js";

/** @param {object} [change] @param {string} [name] */
const room = (change = {}, name = "snapshot") => ({ ...inRoom(golden(name)).room, ...change });

/** @param {any} result @param {object} [change] */
const text = (result, change) => resultText(room(change), result);

test("the title tells whose turn it is", () => {
  equal(titleOf(room()), `Your turn – Room ${ROOM}`);
  some(titleOf(room({ you: ["o"] })).startsWith("Ada’s turn"), "the other's");
  const [over, turn] = [titleOf(room({}, "snapshot.over")), titleOf(room())];
  some(over !== turn && over.includes(ROOM), over);
});

test("how things stand", () => {
  equal(statusText(room({ you: ["o"] })), "Ada’s turn.");
  equal(statusText(room({ closed: "left" })), "The room is closed. All players have left.");
});

test("a move that ends a game is said once, with the result", () => {
  const game = { number: 1, first: "x", moves: [0, 3, 1, 4], result: null };
  const client = inRoom({ ...golden("snapshot"), game });
  const lines = [{ kind: "row", number: 1, cells: [0, 1, 2] }];
  const over = { result: { how: "line", winner: "x", lines }, score: { x: 1, o: 0, draws: 0 } };
  const event = { kind: "moved", game: 1, ply: 4, mark: "x", cell: 2, over };
  const before = client.room;
  client.receive(/** @type {any} */ ({ type: "event", room: ROOM, v: 6, event }));
  equal(changesText(before, client.room), "You win with row 1. X took row 1, column 3.");
  const ended = client.room;
  client.receive({ type: "presence", room: ROOM, ...presence({ spectators: 0 }) });
  equal(changesText(ended, client.room), "");
});

test("a snapshot that changes nobody's seat says nothing of seats", () => {
  const before = room({}, "snapshot.waiting");
  equal(changesText(before, structuredClone(before)), "");
});

test("the text of a result depends on the winner, the reason and the viewer", () => {
  const row = { how: "line", winner: "x", lines: [{ kind: "row", number: 1, cells: [0, 1, 2] }] };
  equal(text(row), "You win with row 1.");
  equal(text(row, { you: ["o"] }), "Ada wins with row 1.");
  equal(text({ ...row, lines: [{ kind: "counter_diagonal", cells: [2, 4, 6] }] }),
    "You win with the counter diagonal.");
  equal(text({ how: "board_full" }), "Draw: the board is full.");
  equal(text({ how: "resignation", winner: "x" }), "You win: Ben Łoś resigned.");
  equal(text({ how: "resignation", winner: "o" }), "Ben Łoś wins: you resigned.");
  equal(text({ how: "absence", winner: "x" }), "You win: Ben Łoś was away too long.");
  some(text({ how: "time", winner: "o" }).includes("you ran out of time"), "time");
});
