// The page's rules: whose turn it is, playable cells and reasons, names of cells.
// @ts-check

import * as rules from "../../server/web/js/rules.js";
import { equal, test } from "./runner.js";
import { golden, inRoom } from "./test-client.js";

/** @param {object} [change] @param {string} [name] */
const room = (change = {}, name = "snapshot") => ({ ...inRoom(golden(name)).room, ...change });

test("a cell may be played when it is free, on the board, and our turn", () => {
  const now = room();
  equal([8, 4, 0].map((cell) => rules.whyNot(now, cell)), [null, "cell_taken", "cell_taken"]);
  equal([-1, 9, 1.5].map((cell) => rules.whyNot(now, cell)), Array(3).fill("no_such_cell"));
  equal(rules.whyNot(room({ you: ["o"] }), 8), "not_your_turn");
  equal(rules.whyNot(room({ you: [] }), 8), "not_seated");
  equal(rules.whyNot(room({ you: ["x", "o"] }), 8), null);
  equal(rules.whyNot(room({ game: null }), 8), "not_now");
  equal(rules.whyNot(room({ sent: { game: 1, ply: 2, cell: 7 } }), 8), "sending");
  equal(rules.whyNot(room({}, "snapshot.over"), 8), "game_over");
  equal(rules.whyNot(room({}, "snapshot.opening"), 8), "choose_first");
});

test("it is nobody's turn while a result is on its way", () => {
  const { game } = room();
  equal([rules.turn(room()), rules.isMyTurn(room())], ["x", true]);
  equal(rules.turn(room({ game: game && { ...game, settling: true } })), null);
});

test("the position after n moves", () => {
  const board = { width: 3, height: 3, line: 3 };
  const { game } = room({}, "snapshot.over");
  equal(rules.marksAfter(board, game), ["x", "x", "x", "o", "o", null, null, null, null]);
  equal(rules.marksAfter(board, game, 2), ["x", null, null, "o", ...Array(5).fill(null)]);
  equal(rules.marksAfter(board, null), Array(9).fill(null));
});

test("cells of a small board have numbers, those of a larger one coordinates", () => {
  const [small, large] = [3, 19].map((side) => ({ width: side, height: side, line: 3 }));
  equal([0, 8].map((cell) => rules.label(small, cell)), ["1", "9"]);
  equal([0, 18, 19, 360].map((cell) => rules.label(large, cell)), ["a1", "s1", "a2", "s19"]);
  equal(rules.position(large, 20), { row: 2, column: 2 });
});

test("who won, and by which lines", () => {
  const over = room({}, "snapshot.over");
  equal([rules.winner(over.game), rules.winner(room().game)], ["x", null]);
  equal(rules.winningLines(over.game).map(({ cells }) => cells), [[0, 1, 2]]);
  equal([rules.lastOver(over), rules.lastOver(room())], [1, 0]);
});

test("offers of a rematch: ours, theirs, and both ours on one screen", () => {
  const offers = { x: true, o: false };
  equal([rules.iOffer(room({ offers })), rules.theyOffer(room({ offers }))], [true, null]);
  const theirs = room({ offers, you: ["o"] });
  equal([rules.iOffer(theirs), rules.theyOffer(theirs)], [false, "x"]);
  equal(rules.iOffer(room({ offers, you: ["x", "o"] })), false);
});
