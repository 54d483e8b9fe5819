// Resync of a room: after a gap in `v`, after a pong with another `v`, after an impossible event, and
// after the server has removed us from the room.
// @ts-check

import { equal, test } from "./runner.js";
import { ROOM, TestClient, golden, inRoom, presence } from "./test-client.js";

const SYNC = { type: "sync", room: ROOM };

/** @param {number} v @param {object} event @returns {any} an event of the room */
const event = (v, event) => ({ type: "event", room: ROOM, v, event });

/** @param {number} v @param {string | null} [room] @returns {any} */
const pong = (v, room = ROOM) => ({
  type: "pong",
  id: 1,
  room,
  v,
  presence: room && presence(),
});

/** @param {number} v @param {number} ply @param {number} cell @returns {any} */
const move = (v, ply, cell) =>
  event(v, { kind: "moved", game: 1, ply, mark: ply % 2 === 0 ? "x" : "o", cell });

/** @param {TestClient} client asked for a snapshot, gets one, and is as the room is */
function heals(client) {
  const snapshot = golden("snapshot");
  Object.assign(snapshot, { v: 9, game: { ...snapshot.game, moves: [4, 0, 8, 2] } });
  client.receive(snapshot);
  const { room } = client;
  equal([room.v, room.desynced, room.game?.moves], [9, "no", [4, 0, 8, 2]]);
  client.receive(move(10, 4, 1));
  equal([client.room.v, client.room.game?.moves.length], [10, 5], "goes on from there");
  equal(client.take(), [], "and asks for nothing more");
}

test("a gap in v asks for a snapshot, and heals by it", () => {
  const client = inRoom().receive(move(7, 3, 2));
  equal(client.takeWithoutIds(), [SYNC]);
  equal([client.room.v, client.room.desynced], [5, "behind"], "what came is not taken in");
  client.receive(move(8, 4, 1));
  equal(client.take(), [], "asked for once");
  heals(client);
});

test("an event after a gap is not taken in, also where it could be", () => {
  const seat = { kind: "open" };
  const client = inRoom().receive(event(7, { kind: "seated", mark: "o", seat }));
  equal(client.takeWithoutIds(), [SYNC]);
  equal([client.room.v, client.room.seats.o.kind], [5, "human"]);
  heals(client);
});

for (const v of [4, 6, 9]) {
  test(`a pong that tells of version ${v} instead of 5 asks for a snapshot, and heals by it`, () => {
    const client = inRoom().receive(pong(v));
    equal(client.takeWithoutIds(), [SYNC]);
    client.receive(pong(v));
    equal(client.take(), [], "asked for once");
    heals(client);
  });
}

test("a pong of our own version changes nothing", () => {
  const client = inRoom();
  const before = client.state;
  client.receive(pong(5));
  equal([client.state === before, client.take()], [true, []]);
});

test("a pong about no room, or about another, enters the room again", () => {
  for (const room of [null, "BCDFG"]) {
    const client = inRoom().receive(pong(5, room));
    equal(client.takeWithoutIds(), [{ type: "join", room: ROOM, role: "player" }]);
    heals(client);
  }
});

test("a refused sync is asked for again by the next pong, and enters the room where we are out", () => {
  for (const [code, sent] of /** @type {const} */ ([
    ["too_many", [SYNC]],
    ["not_in_room", []],
  ])) {
    const client = inRoom().receive(pong(6));
    const [{ id }] = client.take();
    client.receive({ type: "refused", id, code, message: "no" });
    const entered = client.takeWithoutIds();
    equal(entered.length, sent.length === 0 ? 1 : 0);
    client.receive(pong(6));
    equal(client.takeWithoutIds(), sent);
  }
});

test("an event that breaks the rules asks for a snapshot", () => {
  for (const wrong of [
    move(6, 2, 4),
    move(6, 3, 8),
    move(6, 2, 9),
    event(6, { kind: "moved", game: 2, ply: 2, mark: "x", cell: 8 }),
    event(6, { kind: "moved", game: 1, ply: 2, mark: "o", cell: 8 }),
    event(6, { kind: "game_over", game: 2, result: { how: "board_full" }, score: {} }),
  ]) {
    const client = inRoom().receive(wrong);
    equal(client.takeWithoutIds(), [SYNC], JSON.stringify(wrong));
    heals(client);
  }
});

test("an event of before, or of another room, changes nothing", () => {
  const client = inRoom();
  const before = client.state;
  client.receive(move(5, 1, 0)).receive({ ...move(6, 2, 8), room: "BCDFG" });
  equal([client.state === before, client.take()], [true, []]);
});

test("an event of an unknown kind counts, and changes nothing else", () => {
  const client = inRoom().receive(event(6, { kind: "weather", sunny: true }));
  equal([client.room.v, client.room.game?.moves], [6, [4, 0]]);
  equal(client.take(), []);
});

test("a break forgets that a snapshot was asked for: the room is entered again anyway", () => {
  const client = inRoom().receive(pong(9));
  client.take();
  client.lose();
  equal(client.room.desynced, "no");
  client.receive(golden("welcome"));
  const sent = client.takeWithoutIds();
  equal(sent[0], { type: "join", room: ROOM, role: "player" });
  heals(client);
});

test("a closed room is not asked about", () => {
  const client = inRoom().receive(event(6, { kind: "closed", reason: "left" })).receive(pong(9));
  equal(client.take(), []);
});

test("a snapshot whose moves break the rules is not taken in", () => {
  const client = inRoom();
  const wrong = { ...golden("snapshot"), v: 9 };
  wrong.game.moves = [4, 4];
  client.receive(wrong);
  equal([client.room.v, client.state.notice?.key], [5, "notice.impossible"]);
});

test("a room of another code is not entered by a snapshot that nobody awaits", () => {
  const client = new TestClient().receive(golden("welcome")).receive(golden("snapshot"));
  equal(client.state.room, null);
});
