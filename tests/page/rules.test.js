// The page's rules: whose turn it is, playable cells and reasons, names of cells.
// @ts-check

import { whyBlocked } from "../../server/web/js/client/checks.js";
import * as rules from "../../server/web/js/client/rules.js";
import { equal, some, test } from "./runner.js";
import { ADA, BEN, golden, inRoom } from "./test-client.js";

/** @param {object} [change] @param {string} [name] @param {string} [player] */
const room = (change = {}, name = "snapshot", player = ADA) => ({
  ...inRoom(golden(name), "player", player).room,
  ...change,
});

test("a cell may be played when it is free, on the board, and our turn", () => {
  const whyNot = (/** @type {any} */ room, /** @type {number} */ cell) =>
    rules.whyNot({ room, unanswered: [] }, cell);
  const now = room();
  equal([8, 4, 0].map((cell) => whyNot(now, cell)), [null, "cell_taken", "cell_taken"]);
  equal([-1, 9, 1.5].map((cell) => whyNot(now, cell)), Array(3).fill("no_such_cell"));
  equal(whyNot(room({ you: ["o"] }), 8), "not_your_turn");
  equal(whyNot(room({ you: [] }), 8), "not_seated");
  equal(whyNot(room({ you: ["x", "o"] }), 8), null);
  equal(whyNot(room({ game: null }), 8), "not_now");
    equal(whyNot(room({}, "snapshot.over"), 8), "game_over");
  equal(whyNot(room({}, "snapshot.opening", BEN), 8), "choose_first");
});

test("what is not possible is refused with the server's code", () => {
  const why = (/** @type {string} */ type, /** @type {any} */ change = {}, name = "snapshot") =>
    whyBlocked(/** @type {any} */ ({ room: room(change, name) }), /** @type {any} */ ({ type, room: "KQRZX" }));
  equal([why("hint", { you: ["o"] }), why("claim"), why("resign", { you: [] })], ["not_your_turn", "too_early", "not_seated"]);
  equal(["hint", "claim", "resign", "review"].map((type) => why(type, {}, "snapshot.over")), ["game_over", "game_over", "game_over", null]);
  equal([why("resign", { game: null }), why("rematch"), why("review")], ["not_now", "not_now", "not_now"]);
});

test("a move or choice is on its way while it is unanswered and the game is still there", () => {
  const play = { type: /** @type {const} */ ("play"), room: "KQRZX", game: 1, ply: 2, cell: 7, id: 1 };
  const sent = (/** @type {any} */ change, /** @type {any} */ message) =>
    rules.sentMove({ room: room(change), unanswered: [message] });
  equal(sent({}, play), { cell: 7, mark: "x" });
  equal(rules.whyNot({ room: room(), unanswered: [play] }, 8), "sending");
  for (const change of [{ ply: 1 }, { game: 2 }, { room: "BCDFG" }]) {
    equal(sent({}, { ...play, ...change }), null);
  }
  equal([sent({ closed: "idle" }, play), sent({ game: null }, play)], [null, null]);
  const choose = { type: /** @type {const} */ ("choose"), room: "KQRZX", game: 1, choice: "add", id: 1 };
  equal(sent({ game: room({}, "snapshot.opening", BEN).game }, choose), { choice: "add" });
  equal(sent({}, choose), null);
});

test("it is nobody's turn after a game, and in an opening the turn of the one who acts", () => {
  equal([rules.turn(room()), rules.isMyTurn(room())], ["x", true]);
  equal(rules.turn(room({}, "snapshot.over")), null);
  equal(rules.turn(room({}, "snapshot.opening")), "o");
});

const BOARD = { width: 3, height: 3, line: 3 };

/** @param {object} change @returns {import("../../server/web/js/client/room.js").Game} */
const game = (change) => ({
  number: 1, first: "x", moves: [], placed: null, effects: null, playable: null, result: null, opening: null, id: null, ...change,
});

test("a cell may be played that is empty, and one that the server has named where it names some", () => {
  const check = (/** @type {object} */ change) => (/** @type {number} */ cell) => rules.check(BOARD, game({ moves: [4, 0], ...change }), cell);
  const none = Array(3).fill("no_such_cell");
  equal([8, 4, 9, -1, 0.5].map(check({})), [null, "cell_taken", ...none]);
  equal([8, 7, 4, 9].map(check({ playable: { cells: [7] } })), ["not_playable", null, "cell_taken", "no_such_cell"]);
});

test("a tap in a column of gravity plays its free cell, elsewhere the cell itself", () => {
  const room = (/** @type {any} */ variant, /** @type {object} */ change) => ({ settings: /** @type {any} */ ({ board: BOARD, variant }), game: game(change) });
  equal(rules.landing(room("gravity", { moves: [6], playable: { cells: [3, 7, 8] } }), 0), 3);
  equal(rules.landing(room("gravity", { moves: [6, 3, 0, 7, 8, 4, 5] }), 8), 2, "only the top row is free");
  equal(rules.landing(room("gravity", { moves: [6, 3, 0] }), 6), 6, "a full column");
  equal(rules.landing(room(undefined, { playable: { cells: [3] } }), 0), 0);
});

test("the mark of a move is the chosen one where the server lets one choose", () => {
  const free = game({ playable: { marks: ["x", "o"] }, moves: [0] });
  equal([rules.inkFor(free), rules.inkFor(free, "x"), rules.inkFor(game({}), "o")], ["o", "x", "x"]);
  equal(rules.inkFor(game({ playable: { marks: ["x"] }, moves: [0] }), "o"), "x", "one mark for both");
});

test("marks are those that were placed, without those that a move has taken away", () => {
  const placed = game({ moves: [0, 1, 2], placed: ["o", "o", "x"] });
  equal(rules.marksAfter(BOARD, placed).slice(0, 4), ["o", "o", "x", null]);
  const moves = [0, 1, 2, 3, 0, 1];
  const vanishing = game({ moves, effects: [{ ply: 3, removed: 1 }, { ply: 4, removed: 2 }] });
  equal(rules.marksAfter(BOARD, vanishing, 3), ["x", "o", "x", ...Array(6).fill(null)]);
  equal(rules.marksAfter(BOARD, vanishing).slice(0, 4), ["x", "o", null, "o"]);
});

test("boards are decided from the move on that decides them", () => {
  const decided = { board: 4, winner: /** @type {const} */ ("x"), cells: [0] };
  const told = game({ effects: [{ ply: 2, decided }] });
  equal([rules.decidedAfter(told, 2), rules.decidedAfter(told, 3)], [[], [decided]]);
});

test("a room keeps what a move is told to have led to, until the next one", () => {
  const client = inRoom({ ...golden("snapshot"), game: { number: 1, first: "x", moves: [4, 0], result: null, playable: { cells: [8] } } });
  const playable = { marks: ["x", "o"] };
  const effect = { removed: 4 };
  const moved = (/** @type {object} */ event, v = 6) =>
    client.receive(/** @type {any} */ ({ type: "event", room: "KQRZX", v, event: { kind: "moved", game: 1, ...event } }));
  moved({ ply: 2, mark: "x", cell: 7 });
  equal(client.sent().map(({ type }) => type), ["sync"], "a cell that the server has not named");
  moved({ ply: 2, mark: "x", cell: 8, placed: "o", effect, playable });
  const { placed, effects } = some(client.room.game, "a game");
  equal([placed, effects, client.room.game?.playable], [["x", "o", "o"], [{ ply: 2, removed: 4 }], playable]);
  moved({ ply: 3, mark: "o", cell: 4 }, 7);
  equal([client.room.game?.placed, client.room.game?.playable], [["x", "o", "o", "o"], null]);
});

test("the marks of a player are those of their seats", () => {
  /** @param {string} player @returns {import("../../server/web/js/client/protocol.js").Seat} */
  const human = (player) => ({ kind: "human", player, name: "" });
  const open = { kind: /** @type {const} */ ("open") };
  const one = human("1");
  equal(rules.marksOf({ x: one, o: human("2") }, "1"), ["x"]);
  equal(rules.marksOf({ x: open, o: one }, "1"), ["o"]);
  equal(rules.marksOf({ x: one, o: one }, "1"), ["x", "o"]);
  equal([rules.marksOf({ x: one, o: open }, "2"), rules.marksOf({ x: open, o: open }, null)], [[], []]);
});

test("the position after n moves", () => {
  const { game } = room({}, "snapshot.over");
  equal(rules.marksAfter(BOARD, game), ["x", "x", "x", "o", "o", null, null, null, null]);
  equal(rules.marksAfter(BOARD, game, 2), ["x", null, null, "o", ...Array(5).fill(null)]);
  equal(rules.marksAfter(BOARD, null), Array(9).fill(null));
});

test("cells of a small board have numbers, those of a larger one coordinates", () => {
  const [small, large] = [3, 19].map((side) => ({ width: side, height: side, line: 3 }));
  equal([0, 8].map((cell) => rules.cellName(small, cell)), ["1", "9"]);
  equal([0, 18, 19, 360].map((cell) => rules.cellName(large, cell)), ["a1", "s1", "a2", "s19"]);
  equal(rules.position(large, 20), { row: 2, column: 2 });
});

test("who won, and by which lines", () => {
  const over = room({}, "snapshot.over");
  equal([rules.winner(over.game), rules.winner(room().game)], ["x", null]);
  equal(rules.winningLines(over.game).map(({ cells }) => cells), [[0, 1, 2]]);
});

test("offers of a rematch: ours, theirs, and none", () => {
  const offers = (/** @type {object} */ change) => {
    const now = room(change);
    return [rules.iOffer(now), rules.theyOffer(now)];
  };
  const offered = { presence: { ...room().presence, rematch: "x" } };
  equal(offers(offered), [true, false]);
  equal(offers({ ...offered, you: ["o"] }), [false, true]);
  equal(offers({ you: ["o"] }), [false, false]);
});

test("who has gone on to the next game of a party has not lost the connection", () => {
  const presence = { x: null, o: { state: "away", claimAt: 5 } };
  const over = room({ presence }, "snapshot.over");
  equal(rules.isAway(/** @type {any} */ (over), "o"), true);
  const ofParty = { ...over, settings: { ...over.settings, party: { party: "KQRZX", pairing: 1, table: 1, game: 1 } } };
  equal(rules.isAway(/** @type {any} */ (ofParty), "o"), false);
  const played = { ...ofParty, game: room().game };
  equal(rules.isAway(/** @type {any} */ (played), "o"), true, "while the game is played");
});
