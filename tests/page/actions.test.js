// Which actions of a room are possible, what their buttons say, and what they send.
// @ts-check

import { actionsOf } from "../../server/web/js/room/actions.js";
import { equal, some, test } from "./runner.js";
import { ROOM, golden, inRoom } from "./test-client.js";

/** @typedef {import("../../server/web/js/core/state.js").Room} Room */
/** @typedef {import("../../server/web/js/room/actions.js").Action} Action */

/** @param {string} name of a snapshot @param {Partial<Room>} [change] @returns {Room} */
const room = (name, change) => ({ ...some(inRoom(golden(name)).state.room, name), ...change });

/** @param {Room} where @param {Action["group"]} [group] @param {boolean} [reviewing] */
const keys = (where, group, reviewing) => actionsOf(where, group, reviewing).map(({ key }) => key);

const running = room("snapshot");
const offered = (/** @type {"x" | "o" | null} */ rematch) => ({ presence: { ...running.presence, rematch } });
const over = room("snapshot.over", { ...offered(null), seats: running.seats });
const open = { seats: { ...over.seats, o: /** @type {const} */ ({ kind: "open" }) } };

/** @type {readonly [string, Room, string[]][]} */
const BELOW_THE_BOARD = [
  ["a game at my turn", running, ["room.hint", "room.resign", "room.leave"]],
  ["the other's turn", { ...running, you: ["o"] }, ["room.resign", "room.leave"]],
  ["no hints", { ...running, settings: { ...running.settings, hints: false } }, ["room.resign", "room.leave"]],
  ["a spectator", { ...running, you: [] }, ["room.leave"]],
  ["a spectator, an open seat", { ...running, ...open, you: [] }, ["room.seat.take", "room.leave"]],
  ["before the first game", room("snapshot.waiting"), ["room.leave"]],
  ["a game that is over", over, ["room.rematch", "review.ask", "room.leave"]],
  ["the other offers", { ...over, ...offered("o") }, ["room.rematch", "review.ask", "room.leave"]],
  ["I offer", { ...over, ...offered("x") }, ["room.rematch.withdraw", "review.ask", "room.leave"]],
  ["the opponent has left", { ...over, ...open }, ["review.ask", "room.leave"]],
  ["an opening", room("snapshot.opening"), ["room.resign", "room.leave"]],
  ["a closed room", { ...over, closed: "left" }, ["review.ask", "room.closed.menu"]],
];

for (const [what, where, expected] of BELOW_THE_BOARD) {
  test(`what can be done: ${what}`, () => equal(keys(where), expected));
}

test("the review is not offered while the player steps through the game", () => {
  equal(keys(over, undefined, true), ["room.rematch", "room.leave"]);
});

test("a side is added only where the opening allows it", () => {
  const sides = ["room.opening.x", "room.opening.o"];
  const opening = { state: /** @type {const} */ ("choosing"), by: /** @type {const} */ ("x") };
  const choosing = (/** @type {boolean} */ may_add) =>
    ({ ...running, game: { ...some(running.game, "game"), opening: { ...opening, may_add } } });
  equal(keys(choosing(true), "opening"), [...sides, "room.opening.add"]);
  equal(keys(choosing(false), "opening"), sides);
});

test("each intent is about the room, and of its game if it is about a game", () => {
  const sent = (/** @type {Room} */ where) => actionsOf(where).map((action) => action.intent?.(where));
  const about = { room: ROOM, game: some(running.game, "game").number };
  const leave = { type: "leave", room: ROOM };
  equal(sent(running), [{ type: "hint", ...about }, { type: "resign", ...about }, leave]);
  equal(sent({ ...running, ...open, you: [] }), [{ type: "join", room: ROOM, role: "player" }, leave]);
});

test("a rematch is offered, accepted, or with a computer just played", () => {
  const label = (/** @type {Room} */ where) => some(actionsOf(where)[0].label, "label")(where);
  const computer = { kind: "computer", strategy: "minimax", strength: "strong" };
  equal(label(over), "Offer a rematch");
  equal(label({ ...over, ...offered("o") }), "Accept the rematch");
  equal(label({ ...over, seats: { ...over.seats, o: /** @type {any} */ (computer) } }), "Play again");
});

test("what cannot be undone is asked", () => {
  const asks = (/** @type {Room} */ where) =>
    actionsOf(where).filter((action) => action.question?.(where)).map(({ key }) => key);
  equal(asks(running), ["room.resign", "room.leave"]);
  equal(asks(over), []);
  equal(asks({ ...running, you: [] }), []);
});
