// The texts about a room and the title of its tab.
// @ts-check

import { titleOf } from "../../server/web/js/room/alerts.js";
import { resultText, statusText } from "../../server/web/js/room/room-text.js";
import { strings } from "../../server/web/js/strings.js";
import { equal, some, test } from "./runner.js";
import { ROOM, golden, inRoom } from "./test-client.js";

/** @param {object} [change] @param {string} [name] */
const room = (change = {}, name = "snapshot") => ({ ...inRoom(golden(name)).room, ...change });

/** @param {any} result @param {object} [change] */
const text = (result, change) => resultText(strings, room(change), result);

test("the title tells whose turn it is", () => {
  equal(titleOf(strings, room()), `Your turn – Room ${ROOM}`);
  some(titleOf(strings, room({ you: ["o"] })).startsWith("Ada’s turn"), "the other's");
  const [over, turn] = [titleOf(strings, room({}, "snapshot.over")), titleOf(strings, room())];
  some(over !== turn && over.includes(ROOM), over);
});

test("how things stand", () => {
  equal(statusText(strings, room({ you: ["o"] })), "Ada’s turn.");
  equal(statusText(strings, room({ closed: "left" })), "The room is closed. All players have left.");
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
