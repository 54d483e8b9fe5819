// The buttons of a room: which stand in which place, which are possible, what they say and send.
// @ts-check

import { LEAVE, RESIGN, menuActions, nextButtons, nextStrength, openingButtons, rowButtons } from "../../server/web/js/room/actions.js";
import { html, render } from "../../server/web/js/html.js";
import { Room as RoomScreen } from "../../server/web/js/views/room.js";
import { ignoreSecondTaps } from "../../server/web/js/second-tap.js";
import { addStrings } from "../../server/web/js/strings.js";
import { equal, some, test } from "./runner.js";
import { InPage, inElement } from "./sheet.js";
import { ADA, BEN, ROOM, golden, inRoom } from "./test-client.js";

/** @typedef {import("../../server/web/js/core/state.js").Room} Room */
/** @typedef {import("../../server/web/js/room/actions.js").Button} Button */

/** @param {string} name of a snapshot @param {Partial<Room>} [change] @returns {Room} */
const room = (name, change) => ({ ...some(inRoom(golden(name)).state.room, name), ...change });

/** A button that is not possible is in brackets. @param {Button[]} buttons */
const keys = (buttons) => buttons.map(({ action, on }) => (on ? action.key : `(${action.key})`));

const running = room("snapshot", { maker: ADA });
const offered = (/** @type {"x" | "o" | null} */ rematch) => ({ presence: { ...running.presence, rematch } });
const over = room("snapshot.over", { ...offered(null), seats: running.seats });
const open = { seats: { ...over.seats, o: /** @type {const} */ ({ kind: "open" }) } };
const computer = { seats: { ...over.seats, o: /** @type {any} */ ({ kind: "computer", strategy: "minimax", strength: "weak" }) } };

/** The wide place and the row, in each state of a room. @type {readonly [string, Room, string[], string[]][]} */
const PLACES = [
  ["a game at my turn", running, [], ["room.hint", "room.back.move", "room.resign"]],
  ["the other's turn", { ...running, you: ["o"] }, [], ["(room.hint)", "room.back.move", "room.resign"]],
  ["no hints", { ...running, settings: { ...running.settings, hints: false } }, [], ["room.back.move", "room.resign"]],
  ["before my first move", { ...running, you: ["o"], game: { ...some(running.game, "game"), moves: [4] } }, [], ["room.hint", "(room.back.move)", "room.resign"]],
  ["a quick match", { ...running, maker: null }, [], ["room.hint", "room.resign"]],
  ["before the first game", room("snapshot.waiting"), [], []],
  ["a game that is over", over, ["room.rematch"], ["review.ask", "room.series"]],
  ["a game that is kept", room("snapshot.over.kept", { ...offered(null), seats: running.seats }), ["room.rematch"], ["review.ask", "room.shareGame.short", "room.series"]],
  ["a computer", { ...over, ...computer }, ["room.rematch"], ["review.ask", "room.series"]],
  ["the other offers", { ...over, ...offered("o") }, ["room.rematch"], ["review.ask", "room.rematch.decline"]],
  ["I offer", { ...over, ...offered("x") }, ["room.rematch.withdraw"], ["review.ask", "(room.series)"]],
  ["the opponent has left", { ...over, ...open }, [], ["review.ask"]],
  ["a spectator", { ...running, you: [] }, [], []],
  ["a spectator, an open seat", { ...running, ...open, you: [] }, ["room.seat.take"], []],
  ["a spectator of a party, an open seat", { ...running, ...open, you: [], settings: { ...running.settings, party: /** @type {any} */ ({}) } }, ["room.party"], []],
  ["a closed room", { ...over, closed: "left" }, ["room.closed.menu"], ["review.ask"]],
];

for (const [what, where, next, row] of PLACES) {
  test(`the places of the buttons: ${what}`, () => {
    equal(keys(nextButtons(where)), next);
    equal(keys(rowButtons(where)), row);
  });
}

test("who plays a computer makes it weaker or stronger, as far as its board has strengths", () => {
  /** @param {string} strength @param {Partial<Room>} [change] @param {string} [strategy] */
  const steps = (strength, change = {}, strategy = "minimax") => {
    const seats = { ...over.seats, o: /** @type {any} */ ({ kind: "computer", strategy, strength }) };
    const where = { ...running, seats, ...change };
    return [nextStrength(where, -1), nextStrength(where, 1)];
  };
  const { settings } = running;
  const large = { settings: { ...settings, board: { width: 15, height: 15, line: 5 } } };
  equal(steps("weak"), ["very_weak", "average"]);
  equal(steps("level_4"), ["very_weak", "average"], "it plays as a weak one here");
  equal(steps("weak", large), ["level_2", "level_4"]);
  equal([steps("very_weak"), steps("very_strong", large)], [[null, "weak"], ["level_8", null]]);
  const party = { settings: { ...settings, party: { party: "BCDFG", pairing: 1, table: 1, game: 1 } } };
  for (const none of [{ you: [] }, { closed: /** @type {const} */ ("left") }, party]) equal(steps("weak", none), [null, null]);
  equal(steps("average", {}, "perfect"), [null, null]);
});

test("through a whole game the same buttons are in the same places", () => {
  const bare = (/** @type {Room} */ where) => keys(rowButtons(where)).map((key) => key.replace(/[()]/g, ""));
  const back = { presence: { ...running.presence, takeBack: /** @type {const} */ ("o") } };
  for (const where of [running, { ...running, you: /** @type {const} */ (["o"]) }, { ...running, ...back }]) {
    equal(bare(/** @type {Room} */ (where)).length, 3);
  }
});

test("the opponent's request to take back is answered where the own one stands and beside it", () => {
  const asked = (/** @type {"x" | "o" | null} */ takeBack) => {
    const where = { ...running, you: /** @type {const} */ (["o"]), presence: { ...running.presence, takeBack } };
    const [, ...both] = rowButtons(/** @type {any} */ (where));
    return both.map(({ action, on }) => [on, action.label?.(/** @type {any} */ (where)) ?? action.key, /** @type {any} */ (action.intent?.(/** @type {any} */ (where))).offer]);
  };
  const resign = [true, "room.resign", undefined];
  equal(asked(null), [[true, "Take back", true], resign]);
  equal(asked("x"), [[true, "Allow", true], [true, "room.back.no", false]]);
  equal(asked("o"), [[true, "Keep the move", false], resign]);
});

test("a refusal is told until the next request, and no other end of the request", async () => {
  await addStrings("room");
  const { state } = inRoom(golden("snapshot"));
  /** @type {any[]} */
  const sent = [];
  const page = { send: (/** @type {any} */ intent) => sent.push(intent), navigate() {}, dispatch() {} };
  const root = document.createElement("div");
  const show = (/** @type {Partial<Room>} */ change, phase = "open") => {
    const shown = { ...state, connection: { ...state.connection, phase }, room: { ...running, ...change } };
    // The next ones draw what the screen, and then its parts, have set after the first one.
    for (let time = 0; time < 3; time += 1) render(html`<${InPage} page=${page}><${RoomScreen} page=${page} state=${shown} /><//>`, root);
    return root.textContent?.includes("said no");
  };
  const asked = { presence: { ...running.presence, takeBack: /** @type {const} */ ("x") } };
  const refused = (/** @type {() => void} */ meanwhile, /** @type {Partial<Room>} */ then = {}) => {
    render(null, root);
    show({});
    show(asked);
    meanwhile();
    return show(then);
  };
  equal(refused(() => {}), true);
  equal(show(asked), false, "another request");
  render(null, root);
  equal([offered(null), offered("x"), offered(null)].map((offer) => show({ ...over, ...offer })), [false, false, true], "an offer");
  render(null, root);
  equal(refused(() => {}, { v: running.v + 1 }), false, "a move");
  equal(refused(() => show(asked, "lost")), false, "a lost connection");
  const cancel = () => [...root.querySelectorAll("button")].find((button) => button.textContent === "Keep the move")?.click();
  equal(refused(cancel), false, "the own wish");
  equal(sent.at(-1), { type: "take_back", room: ROOM, game: running.game?.number, ply: running.game?.moves.length, offer: false });
  render(null, root);
});

test("whoever has made a room of two computers steps while they are paused", () => {
  const seat = /** @type {any} */ (computer.seats.o);
  const two = { ...running, you: [], isMaker: true, seats: { x: seat, o: seat } };
  const paused = { ...two, pace: /** @type {const} */ ("paused") };
  equal(keys(nextButtons(two)), ["(room.step)"]);
  equal(keys(nextButtons(paused)), ["room.step"]);
  equal(keys(rowButtons(paused)), []);
  equal(keys(nextButtons({ ...paused, isMaker: false })), []);
  const { game } = paused;
  equal(nextButtons(paused)[0].action.intent?.(paused), {
    type: "step",
    room: ROOM,
    game: game?.number,
    ply: game?.moves.length,
  });
});

test("the win of an absent opponent is claimed in the wide place, once the time is over", () => {
  equal(keys(nextButtons(running, 1)), []);
  equal(keys(nextButtons(running, 0)), ["room.claim.win", "room.claim.draw"]);
  equal(keys(nextButtons(over, 0)), ["room.rematch"]);
});

test("a side is added only where the opening allows it", () => {
  const sides = ["room.opening.x", "room.opening.o"];
  const opening = { state: /** @type {const} */ ("choosing"), by: /** @type {const} */ ("x") };
  const choosing = (/** @type {boolean} */ may_add) =>
    ({ ...running, game: { ...some(running.game, "game"), opening: { ...opening, may_add } } });
  equal(keys(openingButtons(choosing(true))), [...sides, "room.opening.add"]);
  equal(keys(openingButtons(choosing(false))), sides);
  equal(openingButtons(running), []);
});

test("each intent is about the room, and of its game if it is about a game", () => {
  const sent = (/** @type {Room} */ where) =>
    [...nextButtons(where), ...rowButtons(where)].map(({ action }) => action.intent?.(where)).filter(Boolean);
  const about = { room: ROOM, game: some(over.game, "game").number };
  equal(sent(over), [{ type: "rematch", offer: true, ...about }]);
  equal(sent({ ...running, ...open, you: [] }), [{ type: "join", room: ROOM, role: "player" }]);
  equal(LEAVE.intent?.(running), { type: "leave", room: ROOM });
  equal(RESIGN.intent?.(over), { type: "resign", ...about });
});

test("the wide button says what the other waits for", () => {
  const label = (/** @type {Room} */ where) => some(nextButtons(where)[0].action.label, "label")(where);
  equal(label(over), "Play again");
  equal(label({ ...over, ...offered("o") }), "Yes, play again");
  const series = { presence: { ...running.presence, rematch: /** @type {const} */ ("o"), series: { first_to: 5 } } };
  equal(label({ ...over, ...series }), "Yes, series: first to 5");
});

test("the menu asks before what cannot be undone", () => {
  const asks = (/** @type {Room} */ where) => menuActions(where).map((action) => [action.key, Boolean(action.question?.(where))]);
  equal(asks(running), [["room.resign", true], ["room.leave", true]]);
  equal(asks(over), [["room.leave", false]]);
  equal(asks({ ...running, you: [] }), []);
  equal(asks({ ...over, closed: "idle" }), []);
});

test("the question of a resignation speaks of a series only where one goes on", () => {
  const asks = (/** @type {object} */ change) => RESIGN.question?.(/** @type {Room} */ ({ ...running, ...change }));
  const series = { first_to: 3 };
  const text = (/** @type {object} */ change) => /** @type {{text: string}} */ (asks(change)).text;
  equal(text({}), "room.resign.text");
  equal(text({ series, score: { x: 0, o: 1, draws: 0 } }), "room.resign.series");
  equal(text({ series, score: { x: 0, o: 2, draws: 0 } }), "room.resign.text", "it decides the series");
});

test("what has come under the finger does nothing at the second tap of a double tap", () => inElement((root) => {
  ignoreSecondTaps(root);
  /** @type {string[]} */
  const done = [];
  const show = (/** @type {string} */ name, role = "grid") =>
    render(html`<div key=${name} role=${role}><button onclick=${() => done.push(name)}>${name}</button></div>`, root);
  let at = 0;
  /** So many milliseconds after the last one. */
  const tap = (/** @type {number} */ late, x = 100, detail = 1) => {
    const event = new MouseEvent("click", { bubbles: true, clientX: x, clientY: 100, detail });
    at += late;
    Object.defineProperty(event, "timeStamp", { value: at });
    some(root.querySelector("button"), "a button").dispatchEvent(event);
    return done.splice(0);
  };
  show("Play", "group");
  equal(tap(5_000), ["Play"]);
  show("a cell");
  equal([tap(600, 110), tap(110, 110), tap(50, 110)], [[], ["a cell"], ["a cell"]], "the board is there by now");
  show("another board");
  equal(tap(100, 200), ["another board"], "elsewhere");
  show("a board by keys");
  equal(tap(100, 200, 0), ["a board by keys"]);
  show("Pause", "group");
  equal(tap(100, 200), ["Pause"], "neither a board nor an emote");
}));

test("a room that opens with a result asks for the tally too", () => inElement((root) => {
  /** @type {any[]} */
  const sent = [];
  const page = { send: (/** @type {any} */ intent) => sent.push(intent), navigate() {}, dispatch() {}, arrived() {} };
  for (const where of [running, over]) {
    render(html`<${InPage} page=${page}><${RoomScreen} key=${where.v} page=${page} state=${{ ...inRoom().state, room: where }} /><//>`, root);
  }
  equal(sent, [{ type: "profile", player: BEN }]);
}));

test("a refusal stays neither over a result nor over what the other asks", () => inElement(async (root) => {
  const page = { send() {}, navigate() {}, dispatch() {}, arrived() {} };
  const told = async (/** @type {Room} */ where, tap = false) => {
    render(html`<${InPage} page=${page}><${RoomScreen} page=${page} state=${{ ...inRoom().state, room: where }} /><//>`, root);
    if (tap) some(root.querySelector(".cell.is-empty"), "a cell").dispatchEvent(new MouseEvent("click", { bubbles: true }));
    await new Promise((done) => setTimeout(done));
    return root.querySelector(".status-detail")?.textContent?.trim();
  };
  const waits = { ...running, you: [/** @type {const} */ ("o")] };
  equal([await told(waits, true), await told(waits)], ["Not your turn yet.", "Not your turn yet."]);
  equal((await told({ ...waits, presence: { ...waits.presence, takeBack: "x" } }))?.split(".")[0], "Ada asks to take back a move");
  const ended = await told(over);
  equal([await told(over, true), ended?.includes("With")], [ended, true]);
}));

test("an arrow key leads to the board, but not out of what uses it itself", () => inElement((root) => {
  const page = { send() {}, navigate() {}, dispatch() {}, arrived() {} };
  const state = { ...inRoom().state, room: running };
  const leads = (/** @type {string} */ from) => {
    const start = /** @type {HTMLElement} */ (root.querySelector(from));
    start.focus();
    const event = new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true });
    start.dispatchEvent(event);
    return event.defaultPrevented && document.activeElement?.matches("[data-cell]");
  };
  render(html`<${InPage} page=${page}><${RoomScreen} page=${page} state=${state} /><//>`, root);
  equal(leads("h1"), true, "the heading");
  equal(leads(".actions button"), true, "a button");
  equal(leads(".moves"), false, "the list of moves");
}));
