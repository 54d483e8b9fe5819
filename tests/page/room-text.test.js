// The texts about a room and the title of its tab.
// @ts-check

import { callTo } from "../../server/web/js/view.js";
import { html, render } from "../../server/web/js/html.js";
import { titleOf } from "../../server/web/js/room/alerts.js";
import { spokenCell } from "../../server/web/js/room/cell.js";
import { changesText } from "../../server/web/js/room/changes-text.js";
import { Moves } from "../../server/web/js/room/moves.js";
import { RoomBar } from "../../server/web/js/room/room-bar.js";
import { isolated, playerName } from "../../server/web/js/room/room-text.js";
import { detail, headline, howText, offlineText, roleText, scoreText } from "../../server/web/js/room/status-text.js";
import { whyText } from "../../server/web/js/room/why-text.js";
import { whyNot } from "../../server/web/js/client/rules.js";
import { loadPart } from "../../server/web/js/later.js";
import { VARIANTS } from "../../server/web/js/parts.js";
import { knownText } from "../../server/web/js/views/summary.js";
import { addStrings } from "../../server/web/js/strings.js";
import { rulesText } from "../../server/web/js/variant-text.js";
import { equal, some, test } from "./runner.js";
import { inWindow, one } from "./sheet.js";
import { ROOM, golden, inRoom, presence } from "./test-client.js";

/** @param {object} [change] @param {string} [name] */
const room = (change = {}, name = "snapshot") => ({ ...inRoom(golden(name)).room, ...change });

/** @param {any} result @param {object} [change] @returns {[string, string]} the headline, and how */
function text(result, change) {
  const where = room(change);
  const ended = { ...where, game: { ...some(where.game, "game"), moves: [3, 6, 0], result, opening: null } };
  return [headline(ended), howText(ended)];
}

test("the title tells whose turn it is", () => {
  equal(titleOf(room()), `Your turn – Room ${ROOM}`);
  some(titleOf(room({ you: ["o"] })).startsWith("Ada’s turn"), "the other's");
  equal(callTo(room()), titleOf(room()), "the start page");
  const alone = { seats: { ...room().seats, o: /** @type {any} */ ({ kind: "computer", strategy: "minimax", strength: "weak" }) } };
  equal([null, room({ you: ["o"] }), room({}, "snapshot.over"), room(alone), room({ closed: "host" })].map(callTo), ["", "", "", "", ""]);
  const over = titleOf(room({}, "snapshot.over"));
  const turn = titleOf(room());
  some(over !== turn && over.includes(ROOM), over);
});

test("the title tells of the other's request, and not of the own one", () => {
  const asks = (/** @type {object} */ change, name = "snapshot") => titleOf(room({ presence: { ...room({}, name).presence, ...change } }, name));
  equal(asks({ takeBack: "o" }), "Ben Łoś asks to take back a move.");
  equal(asks({ takeBack: "x" }), titleOf(room()));
  const { seats } = room();
  const over = (/** @type {"x" | "o"} */ rematch) => titleOf(room({ seats, presence: { ...room().presence, rematch } }, "snapshot.over"));
  equal(over("o"), "Ben Łoś wants to play again.");
  equal(over("x"), titleOf(room({}, "snapshot.over")));
});

test("who took back a move is named, and so is the viewer", () => {
  const before = room();
  const game = some(before.game, "game");
  const after = { ...before, game: { ...game, moves: game.moves.slice(0, -1) } };
  const told = (/** @type {object} */ change) => changesText({ ...before, ...change }, { ...after, ...change });
  const by = game.moves.length % 2 ? "X" : "O";
  some(told({ you: [by === "X" ? "o" : "x"] }).includes(`${by} took back a move.`), "the other");
  some(told({ you: [by.toLowerCase()] }).includes("You took back a move."), "the viewer");
});

test("at a table of a party the bar has its number in place of the code", () => {
  const title = (/** @type {object} */ settings) => {
    const root = document.createElement("div");
    const bar = { room: room({ settings: { ...room().settings, ...settings } }), phase: "open", back() {}, openMenu() {} };
    render(html`<${RoomBar} ...${bar} />`, root);
    return root.querySelector("h1")?.textContent?.trim();
  };
  equal([title({}), title({ party: { party: "NGHTS", pairing: 1, table: 3, game: 1 } })], [`Room ${ROOM}`, "Table 3"]);
});

test("how things stand", () => {
  equal(headline(room({ you: ["o"] })), "Ada’s turn");
  const closed = room({ closed: "left" });
  equal([headline(closed), detail(closed)], ["The room is closed.", "All players have left."]);
});

test("without a connection only who plays a computer reads that the game waits for them", () => {
  const seats = { ...room().seats, o: { kind: "computer", strategy: "minimax", strength: "weak" } };
  const untimed = { moveDeadline: null };
  equal(offlineText(room(untimed), false), "Offline. If only you are away, Ben Łoś may claim the win.");
  equal(offlineText(room({ ...untimed, seats }), false), "Offline. The game waits for you.");
  equal(offlineText(room({ seats }), false), "Offline. The clock runs on.");
  equal(offlineText(room(), true), "Offline. Keep this page open: your move is sent as soon as you are back.");
  equal(offlineText(room({ you: [] }), false), "Offline. You see the game again as soon as you are back.");
});

test("a way back keeps a name that is read from right to left apart", async () => {
  await addStrings("room");
  const game = { board: { width: 3, height: 3, line: 3 } };
  const text = (/** @type {string} */ name) => knownText(/** @type {any} */ ({ game, foe: { kind: "human", name } })).replace(/\u00a0/g, " ");
  equal(["Ben", "دانا"].map(text), ["3 × 3 against Ben", "3 × 3 against \u2068دانا\u2069"]);
});

test("on the lowest phones a game has no list of moves that cannot be pressed", () => inWindow(568, 320, (root) => {
  const height = (/** @type {any} */ go) => {
    const moves = html`<div class="room-moves"><${Moves} room=${room()} ply=${null} go=${go} /></div>`;
    render(html`<section class="room"><div class="room-table"><div class="room-panel">${moves}</div></div></section>`, root);
    return one(root, ".room-moves").getBoundingClientRect().height;
  };
  equal([height(null), height(() => {}) > 40], [0, true]);
  render(null, root);
}));

test("who asks to take back a move reads who has to allow it", () => {
  const asked = (/** @type {object} */ change) => detail(room({ presence: { ...room().presence, takeBack: "x" }, ...change }));
  some(asked({}).startsWith("You take back your move if Ben Łoś allows it."), asked({}));
  some(asked({ you: ["o"] }).startsWith("Ada asks to take back a move."), "the other");
});

test("a move that ends a game is said once, with the result", () => {
  const game = { number: 1, first: "x", moves: [0, 3, 1, 4], result: null };
  const client = inRoom({ ...golden("snapshot"), game });
  const lines = [{ kind: "row", number: 1, cells: [0, 1, 2] }];
  const over = { result: { how: "line", winner: "x", lines }, score: { x: 1, o: 0, draws: 0 } };
  const event = { kind: "moved", game: 1, ply: 4, mark: "x", cell: 2, over };
  const before = client.room;
  client.receive(/** @type {any} */ ({ type: "event", room: ROOM, v: 6, event }));
  equal(changesText(before, client.room), "You win! With row 1. X took 3.");
  const ended = client.room;
  client.receive({ type: "presence", room: ROOM, ...presence({ spectators: 0 }) });
  equal(changesText(ended, client.room), "");
});

test("a computer says why it made a move, until the next one, and what it plays now", () => {
  const seat = { kind: "computer", strategy: "minimax", strength: "weak" };
  const { seats } = golden("snapshot");
  const game = { number: 1, first: "o", moves: [0, 4], result: null };
  const client = inRoom({ ...golden("snapshot"), seats: { ...seats, o: seat }, game });
  const reason = { code: "blocks", lines: [{ kind: "row", number: 1, cells: [0, 1, 2] }] };
  let { v } = client.room;
  const tell = (/** @type {any} */ event) => {
    const before = client.room;
    v += 1;
    client.receive(/** @type {any} */ ({ type: "event", room: ROOM, v, event }));
    return [detail(client.room), changesText(before, client.room)];
  };
  equal(tell({ kind: "moved", game: 1, ply: 2, mark: "o", cell: 1, reason }),
    ["O took 2. It blocks your row.", "Your turn. O took 2. It blocks your row."]);
  equal(tell({ kind: "seated", mark: "o", seat: { ...seat, strength: "level_4" } }),
    ["O took 2. It blocks your row. The computer plays level 4 of\u00a09 now.", "The computer plays level 4 of\u00a09 now."]);
  equal(tell({ kind: "moved", game: 1, ply: 3, mark: "x", cell: 8 })[0], "X took 9.");
  tell({ kind: "seated", mark: "o", seat });
  equal(tell({ ...golden("event.game_started").event, game: 2 })[0].includes("weak"), false, "it was said of the game before");
});

test("a snapshot that changes nothing says nothing", () => {
  for (const before of [room({}, "snapshot.waiting"), room()]) equal(changesText(before, structuredClone(before)), "");
});

test("the text of a result depends on the winner, the reason and the viewer", () => {
  const row = { how: "line", winner: "x", lines: [{ kind: "row", number: 1, cells: [0, 1, 2] }] };
  equal(text(row), ["You win!", "With row 1."]);
  equal(text(row, { you: ["o"] }), ["You lose.", "X wins with row 1."]);
  equal(text(row, { you: [] }), ["Ada wins!", "With row 1."]);
  equal(text({ ...row, lines: [{ kind: "counter_diagonal", cells: [2, 4, 6] }] }),
    ["You win!", "With a diagonal."]);
  equal(text({ how: "board_full" }), ["Draw.", "The board is full."]);
  equal(text({ how: "absence" }), ["Draw.", "One player was away too long."]);
  equal(text({ how: "absence", party: "decided" }), ["Draw.", "The host has decided it."]);
  equal(text({ how: "absence", party: "ended" }), ["The game is over.", "The party is over."]);
  equal(text({ how: "absence", winner: "x", party: "decided" }), ["You win!", "The host has decided it."]);
  equal(text({ how: "resignation", winner: "x" }), ["You win!", "Ben Łoś resigned."]);
  equal(text({ how: "resignation", winner: "o" }), ["You lose.", "You resigned."]);
  equal(text({ how: "absence", winner: "x" }), ["You win!", "Ben Łoś was away too long."]);
  const claimed = room({ game: { number: 1, first: "x", moves: [4], result: { how: "absence", winner: "x" } } });
  equal(detail(claimed, 0), "Ben Łoś was away too long.", "that he is away is said once");
  equal(text({ how: "time", winner: "o" }), ["You lose.", "You ran out of time."]);
  equal(text({ how: "prevented", winner: "o" }), ["You lose.", "No line can be made any more."]);
  equal(text({ how: "more_boards", winner: "x" }), ["You win!", "With more boards."]);
  equal(text({ how: "repetition" }), ["Draw.", "The same position came for the third time."]);
});

test("who completes a line and does not win has lost by it", () => {
  const row = { how: "line", winner: "o", lines: [{ kind: "boards", boards: [0, 4, 8], cells: [0] }] };
  equal(text(row), ["You lose.", "You completed boards 1, 5 and 9."]);
  equal(text(row, { you: ["o"] }), ["You win!", "Ada completed boards 1, 5 and 9 and loses."]);
});

/** @param {string} variant @param {string} size such as 9x9x3 @param {object} [game] @returns {any} */
function playing(variant, size, game) {
  const [width, height, line] = size.split("x").map(Number);
  const now = room();
  return { ...now, settings: { ...now.settings, variant, board: { width, height, line } }, game: { ...some(now.game, "game"), ...game } };
}

test("what is told of the next move is said, as is why a cell is not for it", async () => {
  await loadPart(VARIANTS);
  const why = (/** @type {any} */ where, /** @type {number} */ cell) =>
    whyText(where, /** @type {any} */ (whyNot({ room: where, unanswered: [] }, cell)), cell);
  const sent = playing("ultimate", "9x9x3", { moves: [0, 1], playable: { cells: [3, 4, 12] } });
  equal([detail(sent), why(sent, 80)], ["O took b1. Next: board 2.", "The last move leads to board 2: play there."]);
  const free = playing("ultimate", "9x9x3", { moves: [0, 1], playable: { cells: [3, 80] } });
  equal([detail(free), why(free, 40)], ["O took b1. Next: any open board.", "Board 5 is decided: choose another one."]);
  const pale = playing("vanish", "3x3x3", { moves: [4, 0], playable: { leaving: 4 } });
  equal([detail(pale), why(pale, 4)], ["O took 1. The mark on 5 goes next.", "This mark goes only with your move: choose an empty cell."]);
  equal(why(playing("line", "9x9x5", { moves: [0, 1] }), 1), "b1 is taken by O: choose an empty cell.");
  const full = playing("gravity", "4x4x4", { moves: [12, 8, 4, 0] });
  equal(why(full, 0), "This column is full: choose another one.");
  const dead = playing("notakto", "6x3x3", { moves: [0, 1], placed: ["x", "x"], playable: { cells: [3], marks: ["x"] } });
  equal([detail(dead), why(dead, 8)], ["Ben Łoś put X on b1.", "Board 1 is dead: choose another one."]);
});

test("where both place the same marks, names say who plays, or numbers", async () => {
  await loadPart(VARIANTS);
  const wild = playing("wild", "3x3x3", { moves: [0], placed: ["o"] });
  const computer = { kind: "computer", strategy: "minimax", strength: "weak" };
  equal([detail(wild), detail({ ...wild, you: ["o"] })], ["You put O on 1.", "Ada put O on 1."]);
  for (const change of [{ you: ["x", "o"] }, { you: [], seats: { x: computer, o: computer } }]) {
    const both = /** @type {any} */ ({ ...wild, ...change });
    equal([headline(both), detail(both)], ["Player 2 to move", "Player 1 put O on 1."]);
  }
  const lines = [{ kind: "row", number: 1, cells: [0, 1, 2] }];
  const lost = { ...wild, game: /** @type {any} */ ({ ...wild.game, moves: [0, 1, 3, 2], result: { how: "line", winner: "o", lines } }) };
  some(howText(lost).startsWith("Ben Łoś wins with row 1."), howText(lost));
  equal(headline({ ...playing("line", "3x3x3", { moves: [0] }), you: ["x", "o"] }), "O to move");
});

test("a cell is heard by its board or its layer", async () => {
  await loadPart(VARIANTS);
  const heard = (/** @type {any} */ variant, /** @type {string} */ size, /** @type {number} */ cell) =>
    spokenCell(playing(variant, size).settings.board, cell, variant);
  equal(heard("ultimate", "9x9x3", 40), "e5, board 5, cell 5");
  equal(heard("notakto", "6x3x3", 17), "f3, board 2, cell 9");
  equal(heard("qubic", "4x16x4", 21), "b6, layer 2, row 2, column 2");
  equal(heard("gravity", "7x6x4", 8), "b2");
});

test("rules are named in short", () => {
  const short = (/** @type {string} */ variant, /** @type {string} */ size) => rulesText(playing(variant, size).settings);
  equal(short("line", "3x3x3"), "3 × 3, 3 in a row");
  equal(short("ultimate", "9x9x3"), "Ultimate");
  equal(short("gravity", "7x6x4"), "Gravity, 7 × 6, 4 in a row");
  equal([short("notakto", "3x3x3"), short("notakto", "9x3x3")], ["Notakto, 1 board", "Notakto, 3 boards"]);
  equal(short("qubic", "4x16x4"), "Qubic, 4 × 4 × 4");
});

test("a resignation stays said after the opponent has left", () => {
  const seats = { ...room().seats, o: { kind: "open" } };
  equal(text({ how: "resignation", winner: "x" }, { seats }), ["You win!", "The opponent resigned and left."]);
});

test("the opponent of who adds two marks to an opening reads so", () => {
  const opening = (/** @type {number} */ until_ply) => {
    const game = { ...some(room().game, "game"), opening: { state: "placing", by: "o", until_ply } };
    const shown = room({ you: ["x"], game: /** @type {any} */ (game) });
    return [headline(shown), detail(shown)];
  };
  equal(opening(3), ["Ben Łoś places three marks", "X, O, X by one player, then the other chooses a side. Next: X."]);
  equal(opening(5), ["Ben Łoś adds two marks", "O and X. Next: X."]);
});

test("a series that is decided is the headline", () => {
  const result = { how: "resignation", winner: "x" };
  const series = { series: { first_to: 3 }, score: { x: 3, o: 1, draws: 2 } };
  equal(text(result, series)[0], "You win the series!");
  equal(text(result, { ...series, you: ["o"] })[0], "You lose the series.");
  equal(text(result, { ...series, you: [] })[0], "Ada wins the series!");
  equal(text(result, { ...series, score: { x: 2, o: 1, draws: 0 } })[0], "You win!");
});

test("the score of a series that is decided has the viewer's wins first", () => {
  const result = { how: "resignation", winner: "x" };
  const game = { ...some(room().game, "game"), result };
  const decided = (/** @type {string[]} */ you) =>
    scoreText(room({ game, you, series: { first_to: 3 }, score: { x: 3, o: 1, draws: 0 } }));
  equal([decided(["x"]), decided(["o"]), decided([])], ["3 : 1.", "1 : 3.", "3 : 1."]);
  equal(scoreText(room({ game })), "");
});

test("a name in a headline is whole, and keeps to itself where it is read from right to left", () => {
  equal(isolated("Maximiliana-Alexandrine"), "Maximiliana-Alexandrine");
  equal(isolated("שלום"), "\u2068שלום\u2069");
});

test("a player without a name at one screen has a number, and two of them have their marks", () => {
  const one = (/** @type {object} */ names) => room({ you: ["x", "o"], names });
  equal(playerName(one({ x: "Ada", o: "" }), "o"), "Player 2");
  equal(headline(one({ x: "", o: "Ben" })), "Player 1’s turn");
  equal(headline(one({ x: "", o: "" })), "X to move");
});

test("where the opening decides who plays X, nobody plays it before", () => {
  const settings = { ...room().settings, opening: /** @type {const} */ ("swap2") };
  equal(roleText(room({ settings, game: null })), "The opening decides who plays X.");
  equal(roleText(room({ settings })), "You play X.", "after it");
});
