// The room reducer: what each event changes and what it leaves unchanged.
// @ts-check

import { roomReducer, roomFromSnapshot } from "../../server/web/js/room-reducer.js";
import { equal, some, test } from "./runner.js";
import { golden } from "./test-client.js";

/** @typedef {import("../../server/web/js/state.js").Room} Room */

const ME = "8f14e45fceea167a";

/** @param {string} name @param {object} [change] @returns {Room} */
const room = (name, change = {}) => some(roomFromSnapshot({ ...golden(name), ...change }, 1_000), name);

/** @param {Room} before @param {any} event @param {number} [at] @returns {Room} */
const after = (before, event, at = 2_000) => some(roomReducer(before, event, at, ME), event.kind);

/** A swap2 room in which nothing of X's is like O's. */
function uneven() {
  const before = room("snapshot.opening", {
    score: { x: 3, o: 1, draws: 2 },
    offers: { x: true, o: false },
  });
  return { ...before, claimAt: { x: 7_000, o: null } };
}

test("a swap2 exchange takes seats, score, offers and claims to the other mark", () => {
  const before = uneven();
  const swapped = { kind: "opening", game: 1, phase: { state: "done" }, swapped: true };
  const now = after(before, swapped);
  equal(now.seats, { x: before.seats.o, o: before.seats.x }, "seats");
  equal(now.score, { x: 1, o: 3, draws: 2 }, "score");
  equal(now.offers, { x: false, o: true }, "offers");
  equal(now.claimAt, { x: null, o: 7_000 }, "claims");
  equal(now.you, ["x"], "our mark");
  equal(now.game?.opening, null, "the opening is over");
  const back = after(now, swapped);
  for (const key of /** @type {const} */ (["seats", "score", "offers", "claimAt", "you"])) {
    equal(back[key], before[key], `${key} after a second exchange`);
  }
});

test("a swap2 opening without an exchange leaves them where they are", () => {
  const before = uneven();
  const phase = { state: "placing", by: "o", until_ply: 5 };
  const now = after(before, { kind: "opening", game: 1, phase, swapped: false });
  for (const key of /** @type {const} */ (["seats", "score", "offers", "claimAt", "you"])) {
    equal(now[key], before[key], key);
  }
  equal(now.game?.opening, phase);
  equal(now.moveDeadline, 32_000, "the time restarts");
});

test("both marks on one screen stay ours in an exchange, and the two keep their names", () => {
  const you = /** @type {const} */ (["x", "o"]);
  const before = { ...uneven(), you, names: { x: "Ada", o: "Ben" } };
  const swapped = { kind: "opening", game: 1, phase: { state: "done" }, swapped: true };
  const now = after(before, swapped);
  equal([now.you, now.names], [["x", "o"], { x: "Ben", o: "Ada" }]);
});

test("a new game has the score that it is told, and no offers", () => {
  const score = { x: 4, o: 2, draws: 1 };
  const now = after(room("snapshot.over"), { kind: "game_started", game: 2, first: "o", score });
  equal([now.score, now.offers], [score, { x: false, o: false }]);
  equal([now.game?.number, now.game?.first, now.game?.moves], [2, "o", []]);
});

test("a move clears the hint, the evaluation and the sent move", () => {
  const before = {
    ...room("snapshot"),
    hint: golden("hint"),
    evaluation: golden("evaluation"),
    sent: { game: 1, ply: 2, cell: 8 },
  };
  const now = after(before, { kind: "moved", game: 1, ply: 2, mark: "x", cell: 8 });
  equal([now.hint, now.evaluation, now.sent, now.game?.moves], [null, null, null, [4, 0, 8]]);
  equal(now.moveDeadline, 32_000);
});

test("after the move that ends a game it is nobody's turn until the result", () => {
  const game = { number: 1, first: "x", moves: [0, 3, 1, 4], result: null };
  const won = after(room("snapshot", { game }), { kind: "moved", game: 1, ply: 4, mark: "x", cell: 2 });
  equal([won.game?.settling, won.moveDeadline], [true, null]);
  const full = { ...game, moves: [0, 1, 2, 4, 3, 5, 7, 6] };
  const last = after(room("snapshot", { game: full }), { kind: "moved", game: 1, ply: 8, mark: "x", cell: 8 });
  equal(last.game?.settling, true, "a full board");
  const late = { kind: "moved", game: 1, ply: 5, mark: "o", cell: 8 };
  equal(roomReducer(won, /** @type {any} */ (late), 0, ME), null, "no move after it");
});

test("lines in all four directions end a game, of exactly as many as the board wants or more", () => {
  const board = { width: 5, height: 5, line: 4 };
  const settings = { ...golden("snapshot").settings, board };
  for (const line of [[5, 6, 7, 8], [1, 6, 11, 16], [0, 6, 12, 18], [4, 8, 12, 16]]) {
    const others = [20, 22, 24];
    const moves = [0, 1, 2].flatMap((at) => [line[at], others[at]]);
    const before = room("snapshot", { settings, game: { number: 1, first: "x", moves, result: null } });
    const last = { kind: "moved", game: 1, ply: 6, mark: "x", cell: line[3] };
    equal(after(before, last).game?.settling, true, line.join());
    equal(after(before, { ...last, cell: 23 }).game?.settling, false, `not ${line.join()}`);
  }
});

test("an absence sets when the win may be claimed, and a return clears that", () => {
  const before = room("snapshot");
  const away = { kind: "presence", mark: "o", presence: { state: "away", claim_in_ms: 500 } };
  const now = after(before, away);
  equal(now.claimAt, { x: null, o: 2_500 });
  const here = { kind: "presence", mark: "o", presence: { state: "connected" } };
  equal(after(now, here).claimAt, { x: null, o: null });
  const gone = { kind: "presence", mark: "o", presence: { state: "gone" } };
  equal(after(now, gone).claimAt, { x: null, o: 2_000 }, "at once");
});

test("a seat that is taken or left decides which marks are ours", () => {
  const open = after(room("snapshot"), { kind: "seated", mark: "x", seat: { kind: "open" } });
  equal(open.you, []);
  const { seats } = golden("snapshot");
  equal(after(open, { kind: "seated", mark: "o", seat: seats.x }).you, ["o"]);
});
