// A whole series, told fact by fact: after each fact the room could have come from a snapshot.
// @ts-check

import { roomFromSnapshot } from "../../server/web/js/room-reducer.js";
import { isRunning } from "../../server/web/js/rules.js";
import { equal, test } from "./runner.js";
import { ADA, BEN, ROOM, golden, inRoom } from "./test-client.js";

/** @typedef {import("../../server/web/js/state.js").Room} Room */

const ada = { kind: "human", player: ADA, name: "Ada" };
const ben = { kind: "human", player: BEN, name: "Ben" };
const line = { kind: "stretch", direction: "down", from: 0, to: 60, cells: [0, 15, 30, 45, 60] };

/** @param {number} ply @param {number} cell @param {object} [more] */
const moved = (ply, cell, more) =>
  ({ kind: "moved", game: 1, ply, mark: ply % 2 === 0 ? "x" : "o", cell, ...more });

/** @param {string} choice @param {object} more */
const chosen = (choice, more) =>
  ({ kind: "chosen", game: 1, choice, score: { x: 0, o: 0, draws: 0 }, ...more });

/** @param {string} by @param {number} until_ply */
const placing = (by, until_ply) => ({ opening: { state: "placing", by, until_ply } });

/** @param {string} by @param {boolean} may_add */
const choosing = (by, may_add) => ({ opening: { state: "choosing", by, may_add } });

/** Ben adds two marks, Ada chooses O and wins, Ben resigns the next game and leaves. */
const SERIES = [
  { kind: "seated", mark: "o", seat: ben },
  { kind: "game_started", game: 1, first: "x", score: { x: 0, o: 0, draws: 0 }, ...placing("x", 3) },
  moved(0, 100),
  moved(1, 0),
  moved(2, 102, choosing("o", true)),
  chosen("add", { ...placing("o", 5), seats: { x: ada, o: ben } }),
  moved(3, 15),
  moved(4, 104, choosing("x", false)),
  chosen("o", { seats: { x: ben, o: ada } }),
  moved(5, 30),
  moved(6, 106),
  moved(7, 45),
  moved(8, 108),
  moved(9, 60, {
    over: { result: { how: "line", winner: "o", lines: [line] }, score: { x: 0, o: 1, draws: 0 } },
  }),
  { kind: "game_started", game: 2, first: "x", score: { x: 0, o: 1, draws: 0 }, ...placing("o", 3) },
  {
    kind: "game_over",
    game: 2,
    result: { how: "resignation", winner: "o" },
    score: { x: 0, o: 2, draws: 0 },
  },
  { kind: "seated", mark: "x", seat: { kind: "open" } },
];

/** The room that a snapshot of a room makes. @param {Room} room @param {string} player */
function again(room, player) {
  const { v, settings, seats, score, game, presence, moveDeadline } = room;
  const left = isRunning(room) ? moveDeadline : null;
  /** @type {any} */
  const snapshot = { type: "snapshot", room: ROOM, v, settings, seats, score, game, presence };
  return roomFromSnapshot({ ...snapshot, move_ms_left: left }, 0, player);
}

for (const [name, player] of [["Ada", ADA], ["Ben", BEN]]) {
  test(`after each fact of a series the room could be a snapshot, for ${name}`, () => {
    const { settings } = golden("snapshot.opening");
    const client = inRoom({ ...golden("snapshot.waiting"), settings }, "spectator", player);
    for (const event of SERIES) {
      client.receive(/** @type {any} */ ({ type: "event", room: ROOM, v: client.room.v + 1, event }));
      equal(client.room.desynced, "no", event.kind);
      equal(client.room, again(client.room, player), event.kind);
    }
    const { room } = client;
    equal([room.seats, room.score], [{ x: { kind: "open" }, o: ada }, { x: 0, o: 2, draws: 0 }]);
    equal([room.presence.x, room.presence.o?.state], [null, "connected"], "Ada's presence went with her");
  });
}
