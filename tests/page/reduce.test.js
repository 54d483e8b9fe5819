// The view of a room heals: after a gap in `v`, after a pong that tells of another `v`, after an
// event that cannot be, and after the server no longer has us in the room.
// @ts-check

import { equal, test } from "./runner.js";
import { ROOM, Visit, golden, inRoom } from "./test-client.js";

const SYNC = { type: "sync", room: ROOM };

/** @param {number} v @param {object} event @returns {any} an event of the room */
const event = (v, event) => ({ type: "event", room: ROOM, v, event });

/** @param {number} v @param {string | null} [room] @returns {any} */
const pong = (v, room = ROOM) => ({ type: "pong", id: 1, room, v });

/** @param {number} v @param {number} ply @param {number} cell @returns {any} */
const move = (v, ply, cell) =>
  event(v, { kind: "moved", game: 1, ply, mark: ply % 2 === 0 ? "x" : "o", cell });

/** @param {Visit} visit asked for a snapshot, gets one, and is as the room is */
function heals(visit) {
  const snapshot = golden("snapshot");
  Object.assign(snapshot, { v: 9, game: { ...snapshot.game, moves: [4, 0, 8, 2] } });
  visit.hear(snapshot);
  const { room } = visit;
  equal([room.v, room.desynced, room.game?.moves], [9, "no", [4, 0, 8, 2]]);
  visit.hear(move(10, 4, 1));
  equal([visit.room.v, visit.room.game?.moves.length], [10, 5], "goes on from there");
  equal(visit.take(), [], "and asks for nothing more");
}

test("a gap in v asks for a snapshot, and heals by it", () => {
  const visit = inRoom().hear(move(7, 3, 2));
  equal(visit.takeWithoutIds(), [SYNC]);
  equal([visit.room.v, visit.room.desynced], [5, "behind"], "what came is not taken in");
  visit.hear(move(8, 4, 1));
  equal(visit.take(), [], "asked for once");
  heals(visit);
});

test("an event after a gap is not taken in, also where it could be", () => {
  const visit = inRoom().hear(event(7, { kind: "rematch", mark: "o", offered: true }));
  equal(visit.takeWithoutIds(), [SYNC]);
  equal([visit.room.v, visit.room.offers], [5, { x: false, o: false }]);
  heals(visit);
});

for (const v of [4, 6, 9]) {
  test(`a pong that tells of version ${v} instead of 5 asks for a snapshot, and heals by it`, () => {
    const visit = inRoom().hear(pong(v));
    equal(visit.takeWithoutIds(), [SYNC]);
    visit.hear(pong(v));
    equal(visit.take(), [], "asked for once");
    heals(visit);
  });
}

test("a pong of our own version changes nothing", () => {
  const visit = inRoom();
  const before = visit.state;
  visit.hear(pong(5));
  equal([visit.state === before, visit.take()], [true, []]);
});

test("a pong about no room, or about another, enters the room again", () => {
  for (const room of [null, "BCDFG"]) {
    const visit = inRoom().hear(pong(5, room));
    equal(visit.takeWithoutIds(), [{ type: "join", room: ROOM, role: "player" }]);
    heals(visit);
  }
});

test("a refused sync is asked for again by the next pong, and enters the room where we are out", () => {
  for (const [code, sent] of /** @type {const} */ ([
    ["too_many", [SYNC]],
    ["not_in_room", []],
  ])) {
    const visit = inRoom().hear(pong(6));
    const [{ id }] = visit.take();
    visit.hear({ type: "refused", id, code, message: "no" });
    const entered = visit.takeWithoutIds();
    equal(entered.length, sent.length === 0 ? 1 : 0);
    visit.hear(pong(6));
    equal(visit.takeWithoutIds(), sent);
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
    const visit = inRoom().hear(wrong);
    equal(visit.takeWithoutIds(), [SYNC], JSON.stringify(wrong));
    heals(visit);
  }
});

test("an event of before, or of another room, changes nothing", () => {
  const visit = inRoom();
  const before = visit.state;
  visit.hear(move(5, 1, 0)).hear({ ...move(6, 2, 8), room: "BCDFG" });
  equal([visit.state === before, visit.take()], [true, []]);
});

test("an event of an unknown kind counts, and changes nothing else", () => {
  const visit = inRoom().hear(event(6, { kind: "weather", sunny: true }));
  equal([visit.room.v, visit.room.game?.moves], [6, [4, 0]]);
  equal(visit.take(), []);
});

test("a break forgets that a snapshot was asked for: the room is entered again anyway", () => {
  const visit = inRoom().hear(pong(9));
  visit.take();
  visit.lose();
  equal(visit.room.desynced, "no");
  visit.hear(golden("welcome"));
  const sent = visit.takeWithoutIds();
  equal(sent[0], { type: "join", room: ROOM, role: "player" });
  heals(visit);
});

test("a closed room is not asked about", () => {
  const visit = inRoom().hear(event(6, { kind: "closed", reason: "left" })).hear(pong(9));
  equal(visit.take(), []);
});

test("a snapshot whose moves break the rules is not taken in", () => {
  const visit = inRoom();
  const wrong = { ...golden("snapshot"), v: 9 };
  wrong.game.moves = [4, 4];
  visit.hear(wrong);
  equal([visit.room.v, visit.state.notice?.key], [5, "notice.impossible"]);
});

test("a room of another code is not entered by a snapshot that nobody awaits", () => {
  const visit = new Visit().hear(golden("welcome")).hear(golden("snapshot"));
  equal(visit.state.room, null);
});
