// Rewards of a result: the change of the rating, wins in a row, the tally with the opponent.
// @ts-check

import { applyEvent } from "../../server/web/js/client/room.js";
import { rewardsOf, tallyQuestion, tallyText } from "../../server/web/js/room/rewards.js";
import { equal, some, test } from "./runner.js";
import { ADA, BEN, golden, inRoom } from "./test-client.js";

/** @typedef {import("../../server/web/js/core/state.js").Room} Room */

const { state } = inRoom(golden("snapshot"));
const running = some(state.room, "a room");

/** The room after games with these winners. @param {("x" | "o" | null)[]} winners @returns {Room} */
const after = (winners) =>
  winners.reduce((/** @type {any} */ room, winner, at) => {
    const number = (room.game?.number ?? 0) + at;
    const result = winner ? { how: "resignation", winner } : { how: "absence", winner: null };
    const over = applyEvent(room, /** @type {any} */ ({ kind: "game_over", game: room.game.number, result, score: room.score }), 0, ADA);
    if (at === winners.length - 1) return { ...room, ...over };
    const next = applyEvent(some(over, "over"), /** @type {any} */ ({ kind: "game_started", game: number + 1, first: "x", score: room.score }), 0, ADA);
    return { ...room, ...next };
  }, running);

test("wins in a row are counted for the viewer, until somebody else wins or nobody does", () => {
  equal(rewardsOf(running), []);
  equal(rewardsOf(after(["x"])), []);
  equal(rewardsOf(after(["x", "x"])), ["2 wins in a row"]);
  equal(rewardsOf(after(["x", "x", "x"])), ["3 wins in a row"]);
  equal(rewardsOf(after(["x", "o", "x"])), []);
  equal(rewardsOf(after(["x", null, "x"])), []);
  equal(rewardsOf(after(["o", "o"])), [], "that is the opponent's");
  equal(rewardsOf({ ...after(["x", "x"]), you: [] }), []);
});

test("the change of the own rating stands first", () => {
  const ratings = { rated: true, x: { rating: 1531, before: 1519 }, o: { rating: 1600, before: 1612 } };
  const room = { ...after(["x"]), presence: { ...running.presence, ratings } };
  equal(rewardsOf(room), ["+12"]);
  equal(rewardsOf({ ...room, you: ["o"] }), ["−12"]);
});

test("the tally with the opponent is told once the server has answered for them", () => {
  const room = after(["x"]);
  const told = (/** @type {string} */ player, /** @type {number} */ draws) => {
    const found = { kind: "profile", profile: { you: { wins: 12, losses: 9, draws } } };
    return tallyText(/** @type {any} */ ({ ...state, room, questions: { profile: { message: { type: "profile", player }, found } } }));
  };
  equal(tallyQuestion({ ...state, room }), { type: "profile", player: BEN });
  const name = room.seats.o.kind === "human" ? room.seats.o.name : "";
  equal(told(BEN, 0), `You and ${name}: 12–9.`);
  equal(told(BEN, 4), `You and ${name}: 12–9–4.`);
  equal(told(ADA, 0), "", "an answer about somebody else");
  room.presence = { ...room.presence, rematch: "o" };
  equal(told(BEN, 0), "", "that they want another game has its place");
  equal(tallyText({ ...state, room, questions: {} }), "");
  equal(tallyQuestion({ ...state, room: { ...room, you: [] } }), null);
});
