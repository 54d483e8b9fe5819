// The room reducer: what each event changes and what it leaves unchanged.
// @ts-check

import { roomReducer, roomFromSnapshot } from "../../server/web/js/room-reducer.js";
import { isMyTurn, turn } from "../../server/web/js/rules.js";
import { equal, some, test } from "./runner.js";
import { ADA, BEN, VISITOR, golden, presence } from "./test-client.js";

/** @typedef {import("../../server/web/js/state.js").Room} Room */

/** @param {string} name @param {object} [change] @param {string} [player] @returns {Room} */
const room = (name, change = {}, player = ADA) =>
  some(roomFromSnapshot({ ...golden(name), ...change }, 1_000, player), name);

/** @param {Room} before @param {any} event @param {string} [player] @returns {Room} */
const after = (before, event, player = ADA) =>
  some(roomReducer(before, event, 2_000, player), event.kind);

/** @param {object} change @returns {any} a move to the last cell of a row */
const wins = (change) => {
  const lines = [{ kind: "row", number: 1, cells: [0, 1, 2] }];
  const over = { result: { how: "line", winner: "x", lines }, score: { x: 4, o: 0, draws: 2 } };
  return { kind: "moved", game: 1, ply: 4, mark: "x", cell: 2, over, ...change };
};

/** A room whose next move wins. */
const decisive = () => {
  const game = { number: 1, first: "x", moves: [0, 3, 1, 4], result: null };
  return room("snapshot", { game, score: { x: 3, o: 0, draws: 2 } });
};

/** Who sits where after an exchange. @param {Room} before */
const exchanged = ({ seats: { x, o } }) => ({ x: o, o: x });

/** A swap2 room in which nothing of X's is like O's. @param {string} [player] */
const uneven = (player = BEN) => {
  const x = { state: "away", claim_in_ms: 6_000 };
  const change = { score: { x: 3, o: 1, draws: 2 }, presence: presence({ x }) };
  return room("snapshot.opening", change, player);
};

test("a move that ends the game brings the board, the result and the score", () => {
  const before = decisive();
  const now = after(before, wins({}));
  equal([now.v, now.game?.moves], [before.v + 1, [0, 3, 1, 4, 2]]);
  equal(now.game?.result, wins({}).over.result);
  equal([now.score, now.moveDeadline], [{ x: 4, o: 0, draws: 2 }, null]);
  equal([turn(now), isMyTurn(now)], [null, false]);
});

test("a move ends a game only if it says so, whatever is on the board", () => {
  const now = after(decisive(), wins({ over: undefined }));
  equal([now.game?.result, turn(now), now.moveDeadline], [null, "o", 32_000]);
  equal(now.score, { x: 3, o: 0, draws: 2 });
});

test("no move, choice or result comes after the end of a game", () => {
  const now = after(decisive(), wins({}));
  const { seats, score } = now;
  for (const late of /** @type {any[]} */ ([
    { kind: "moved", game: 1, ply: 5, mark: "o", cell: 8 },
    { kind: "chosen", game: 1, choice: "o", seats, score },
    { kind: "game_over", game: 1, result: { how: "time", winner: "o" }, score },
  ])) {
    equal(roomReducer(now, late, 0, ADA), null, late.kind);
  }
});

test("a game that no move ends has its result and score from game_over", () => {
  const result = { how: "resignation", winner: "x" };
  const score = { x: 4, o: 1, draws: 2 };
  const now = after(uneven(), { kind: "game_over", game: 1, result, score });
  equal([now.game?.result, now.game?.opening, now.score], [result, null, score]);
  equal([turn(now), now.moveDeadline], [null, null]);
});

test("a swap2 exchange takes over seats and score, and what passes goes with the players", () => {
  const before = uneven();
  const [seats, score] = [exchanged(before), { x: 1, o: 3, draws: 2 }];
  equal(before.you, ["o"]);
  const now = after(before, { kind: "chosen", game: 1, choice: "x", seats, score }, BEN);
  equal([now.seats, now.score, now.you], [seats, score, ["x"]]);
  const away = { state: "away", claimAt: 7_000 };
  equal(now.presence, { ...presence(), x: { state: "connected", claimAt: null }, o: away });
  equal([now.game?.opening, now.moveDeadline], [null, 32_000]);
  equal(turn(now), "o", "Ada moves, who plays O now");
});

test("a choice without an exchange leaves the players where they are", () => {
  const before = { ...uneven(), chosen: { game: 1, choice: /** @type {const} */ ("add") } };
  const opening = { state: "placing", by: "o", until_ply: 5 };
  const { seats, score } = structuredClone(before);
  const now = after(before, { kind: "chosen", game: 1, choice: "add", opening, seats, score }, BEN);
  for (const key of /** @type {const} */ (["seats", "score", "presence", "you"])) {
    equal(now[key], before[key], key);
  }
  equal([now.game?.opening, now.moveDeadline, now.chosen], [opening, 32_000, null]);
});

test("two at one screen keep their names, which go with them in an exchange", () => {
  const hot = room("snapshot.opening", { seats: golden("snapshot.both_marks").seats });
  const before = { ...hot, names: { x: "Ada", o: "Ben" } };
  const { seats, score } = before;
  for (const [choice, names] of [
    ["x", { x: "Ben", o: "Ada" }],
    ["o", { x: "Ada", o: "Ben" }],
    ["add", { x: "Ada", o: "Ben" }],
  ]) {
    const now = after(before, { kind: "chosen", game: 1, choice, seats, score });
    equal([now.you, now.names], [["x", "o"], names], `${choice}`);
  }
});

test("a new game has the score and the opening that it tells, and ends the rematch offer", () => {
  const score = { x: 4, o: 2, draws: 1 };
  const opening = { state: "placing", by: "o", until_ply: 3 };
  const over = room("snapshot.over", { presence: presence({ rematch: "x" }) });
  for (const phase of [opening, undefined]) {
    const now = after(over, { kind: "game_started", game: 2, first: "o", score, opening: phase });
    equal([now.score, now.presence.rematch, now.game?.opening], [score, null, phase ?? null]);
    equal([now.game?.number, now.game?.first, now.game?.moves], [2, "o", []]);
  }
});

test("the last mark of a phase begins the next phase, another mark leaves it", () => {
  const phase = { state: "placing", by: "x", until_ply: 3 };
  const game = { number: 1, first: "x", moves: [112], result: null, opening: phase };
  const mark = { kind: "moved", game: 1, ply: 1, mark: "o", cell: 128 };
  const second = after(room("snapshot.opening", { game }), mark);
  equal([second.game?.opening, turn(second)], [phase, "x"]);
  const opening = { state: "choosing", by: "o", may_add: true };
  const third = after(second, { ...mark, ply: 2, mark: "x", cell: 100, opening });
  equal([third.game?.opening, turn(third)], [opening, "o"]);
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

test("a seat that is taken or left decides which marks are ours", () => {
  const open = after(room("snapshot"), { kind: "seated", mark: "x", seat: { kind: "open" } });
  equal(open.you, []);
  const { seats } = golden("snapshot");
  equal(after(open, { kind: "seated", mark: "o", seat: seats.x }).you, ["o"]);
});

test("an absence and a rematch offer end with the player's seat, and a new name keeps them", () => {
  const o = { state: "gone" };
  const before = room("snapshot", { presence: presence({ o, rematch: "o" }) });
  const known = { state: "gone", claimAt: 0 };
  equal([before.presence.o, before.presence.rematch], [known, "o"]);
  const seat = { ...golden("snapshot").seats.o, name: "Benno" };
  const renamed = after(before, { kind: "seated", mark: "o", seat });
  equal([renamed.presence.o, renamed.presence.rematch], [known, "o"]);
  for (const next of [{ kind: "open" }, { ...seat, player: VISITOR }]) {
    const now = after(before, { kind: "seated", mark: "o", seat: next });
    equal([now.presence.o, now.presence.rematch], [null, null]);
    equal(now.presence.x, before.presence.x);
  }
});
