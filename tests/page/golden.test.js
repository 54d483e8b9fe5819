// The page takes every message of the golden files.
// @ts-check

import { equal, some, test } from "./runner.js";
import { GOLDEN, ROOM, golden, inRoom } from "./test-client.js";

/** @param {any} message @returns {any} the snapshot after which a message may come */
function before({ v, event }) {
  const large = event?.kind === "chosen" || event?.opening || event?.cell >= 9;
  const snapshot = golden(large ? "snapshot.opening" : "snapshot");
  if (typeof v === "number") {
    snapshot.v = event ? v - 1 : v;
  }
  if (event?.game) {
    snapshot.game.number = event.game;
  }
  if (event?.kind === "moved") {
    if (event.ply >= 9) snapshot.settings.board = { width: 19, height: 19, line: 5 };
    const cells = [...Array(event.ply + 1).keys()].filter((cell) => cell !== event.cell);
    snapshot.game.moves = cells.slice(0, event.ply);
  }
  return snapshot;
}

/** @param {import("../../server/web/js/core/state.js").Room} room @param {any} event */
function tookOver(room, event) {
  const end = event.kind === "game_over" ? event : event.over;
  if (end) {
    equal([room.game?.result, room.score], [end.result, end.score]);
  }
  if (event.opening) {
    equal(room.game?.opening, event.opening);
  }
  if (event.kind === "chosen") {
    equal([room.seats, room.score], [event.seats, event.score]);
  }
  if (event.kind === "seated") {
    equal(room.seats[/** @type {"x" | "o"} */ (event.mark)], event.seat);
  }
}

test("there are golden messages", () => {
  some(Object.keys(GOLDEN).length > 50, "files of a server's messages");
});

for (const name of Object.keys(GOLDEN)) {
  test(`the page takes ${name}`, () => {
    const message = structuredClone(GOLDEN[name]);
    const client = inRoom(before(message));
    if (message.type === "lobby") {
      client.goTo({ screen: "lobby" }).take();
    }
    const { state } = client.receive(message);
    const room = some(state.room, "the room");
    const returns = message.type === "welcome" || name === "server.pong.no_room";
    equal(client.sent().map(({ type }) => type), returns ? ["join"] : []);
    switch (message.type) {
      case "event":
        equal(room.v, message.v);
        tookOver(room, message.event);
        break;
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
