// The page's reducer takes every message of the golden files.
// @ts-check

import { equal, some, test } from "./runner.js";
import { GOLDEN, ROOM, golden, inRoom } from "./test-client.js";

/** @param {any} message @returns {any} the snapshot after which a message may come */
function before(message) {
  const snapshot = golden("snapshot");
  if (typeof message.v === "number") {
    snapshot.v = message.type === "event" ? message.v - 1 : message.v;
  }
  const ply = message.event?.ply;
  if (typeof ply === "number") {
    snapshot.game.moves.length = ply;
  }
  return snapshot;
}

test("there are golden messages", () => {
  some(Object.keys(GOLDEN).length > 40, "files of a server's messages");
});

for (const name of Object.keys(GOLDEN)) {
  test(`the reducer takes ${name}`, () => {
    const message = structuredClone(GOLDEN[name]);
    const { state } = inRoom(before(message)).receive(message);
    const room = some(state.room, "the room");
    equal(room.desynced, name === "server.pong.no_room" ? "outside" : "no");
    switch (message.type) {
      case "event":
      case "snapshot":
        equal(room.v, message.v);
        break;
      case "lobby":
        equal(state.lobby?.waiting, message.waiting);
        break;
      case "presence":
        equal([room.presence.x?.state, room.presence.o?.state], [message.x?.state, message.o?.state]);
        equal(room.presence.spectators, message.spectators);
        equal(room.presence.rematch, message.rematch);
        break;
      case "review":
        equal(room.review?.moves, message.moves);
        break;
      case "pass":
        equal(state.pass?.code, message.code);
        break;
      default:
        equal(room.code, ROOM);
    }
  });
}
