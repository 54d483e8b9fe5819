// The sounds of each change of a room, and the stored loudness.
// @ts-check

import { soundOf } from "../../server/web/js/identity.js";
import { cuesOf } from "../../server/web/js/room/cues.js";
import { equal, some, test } from "./runner.js";
import { ADA, BEN, ROOM, golden, inRoom } from "./test-client.js";

/** A room of Ada (X) and Ben (O) with these moves. @param {number[]} moves @param {object} [change] @returns {any} */
const state = (moves, change = {}) => {
  const { state } = inRoom(golden("snapshot"));
  const game = { ...some(state.room?.game, "a game"), moves };
  return { room: { ...state.room, game, ...change }, unanswered: [] };
};

/** @param {any} from @param {number} cell @returns {any} the same with the viewer's move on its way */
const sending = (from, cell) => ({
  ...from,
  unanswered: [{ type: "play", room: ROOM, game: from.room.game.number, ply: from.room.game.moves.length, cell, id: 1 }],
});

/** @param {any} from @param {object} result */
const over = (from, result) => ({ ...from, room: { ...from.room, game: { ...from.room.game, result } } });

const COMPUTER = { kind: "computer", strategy: "minimax", strength: "average" };

test("each mark sounds once, when it is drawn", () => {
  const none = state([]);
  const one = state([4]);
  const two = state([4, 0]);
  equal(cuesOf(none, sending(none, 4)), ["x"], "drawn before the server answers");
  equal(cuesOf(sending(none, 4), one), [], "confirmed");
  equal(cuesOf(sending(none, 4), none), [], "refused");
  equal(cuesOf(one, two), ["o", "turn"]);
  equal(cuesOf(sending(none, 4), two), ["o", "turn"], "confirmed and answered at once");
  equal(cuesOf(two, two), []);
});

test("a room that was just entered is silent", () => {
  equal(cuesOf(null, state([4])), []);
  equal(cuesOf(state([4], { code: "BCDFG" }), state([4, 0])), []);
});

test("the turn sounds against a person, not against a computer, for a spectator or at one screen", () => {
  const seats = { x: { kind: "human", player: ADA, name: "Ada" }, o: COMPUTER };
  equal(cuesOf(state([4], { seats }), state([4, 0], { seats })), ["o"]);
  for (const you of [[], ["x", "o"], ["o"]]) equal(cuesOf(state([4], { you }), state([4, 0], { you })), ["o"]);
});

test("three marks of one opening are one turn", () => {
  const opening = { state: "placing", by: "x", until_ply: 3 };
  const placing = (/** @type {number[]} */ moves) => {
    const from = state(moves);
    return { ...from, room: { ...from.room, game: { ...from.room.game, opening } } };
  };
  equal(cuesOf(placing([4]), placing([4, 0])), ["o"]);
});

test("a game that ends sounds as it ended for the viewer", () => {
  const before = state([4, 0]);
  const after = state([4, 0, 8]);
  const won = { how: "resignation", winner: "x" };
  equal(cuesOf(before, over(after, won)), ["x", "win"]);
  equal(cuesOf(before, over(before, { how: "resignation", winner: "o" })), ["loss"]);
  equal(cuesOf(before, over(before, { how: "board_full" })), ["draw"]);
  equal(cuesOf(over(before, won), over(before, won)), [], "once");
  const watching = over(state([4, 0], { you: [] }), { how: "time", winner: "o" });
  equal(cuesOf(state([4, 0], { you: [] }), watching), ["win"]);
});

test("somebody who comes is heard, and so is a game that begins with the viewer's turn", () => {
  const open = { x: { kind: "human", player: ADA, name: "Ada" }, o: { kind: "open" } };
  const taken = { ...open, o: { kind: "human", player: BEN, name: "Ben" } };
  equal(cuesOf(state([], { seats: open, game: null }), state([], { seats: taken })), ["came", "turn"]);
  equal(cuesOf(state([], { seats: open, you: [] }), state([], { seats: taken, you: ["o"] })), [], "oneself");
});

test("the stored loudness of an earlier page is kept", () => {
  equal([true, false, undefined, "soft", "loud"].map(soundOf), ["on", "off", "off", "soft", "off"]);
});
