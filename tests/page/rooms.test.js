// The rooms that the start page offers to return to: which ones are remembered, and what is known of each.
// @ts-check

import { inOrder, roomsAfter, roomsFrom } from "../../server/web/js/core/rooms.js";
import { html, render } from "../../server/web/js/html.js";
import { ReturnBanner } from "../../server/web/js/views/welcome.js";
import { equal, test } from "./runner.js";
import { BEN, golden, inRoom, presence } from "./test-client.js";

const COMPUTER = { kind: "computer", strategy: "minimax", strength: "level_6" };
const BOB = { kind: "human", player: BEN, name: "Bob" };

/** A room of ours, as X. @param {string} code @param {any} o the other seat @returns {any} */
function roomWith(code, o) {
  const { room } = inRoom();
  return { ...room, code, seats: { ...room.seats, o } };
}

/** The codes after rooms have been entered, one after the other: `c` with a computer, `p` with people. @param {string[]} codes */
function entered(...codes) {
  /** @type {readonly import("../../server/web/js/core/rooms.js").KnownRoom[]} */
  let rooms = [];
  for (const code of codes) rooms = roomsAfter(rooms, roomWith(code, code.startsWith("c") ? COMPUTER : BOB), null);
  return rooms.map(({ code }) => code);
}

test("of a room is known what is played, against whom, and how its game stands", () => {
  const { settings: { board, variant } } = golden("snapshot");
  const game = { board, variant };
  const [bob] = roomsAfter([], roomWith("KQRZX", BOB), null);
  equal(bob, { code: "KQRZX", game, foe: { kind: "human", name: "Bob" }, stands: "turn" });
  const [computer] = roomsAfter([], roomWith("KQRZX", COMPUTER), null);
  equal(computer.foe, COMPUTER);
  const both = { ...roomWith("KQRZX", BOB), you: ["x", "o"] };
  const [shared] = roomsAfter([], both, null);
  equal([shared.foe, shared.stands], [undefined, "turn"]);
});

test("what is known follows the game, and is stored when it changes", () => {
  const client = inRoom();
  equal(client.state.rooms.map(({ stands }) => stands), ["turn"]);
  client.receive({ ...golden("event.moved"), v: 6, event: { kind: "moved", game: 1, ply: 2, mark: "x", cell: 1 } });
  equal(client.state.rooms.map(({ stands }) => stands), ["runs"]);
  equal(client.take(), [{ type: "rooms", rooms: client.state.rooms }]);
  client.receive({ type: "presence", room: client.room.code, ...presence({ spectators: 3 }) });
  equal(client.take(), []);
});

test("the start page lists the running games first, and those that are over last", () => {
  const ways = [inRoom(golden("snapshot.over")), inRoom(golden("snapshot.waiting")), inRoom(golden("snapshot"), "player", BEN), inRoom()];
  const rooms = ways.flatMap(({ room }, at) => roomsAfter([], { ...room, code: String(at) }, null));
  equal(inOrder(rooms).map(({ code, stands }) => [code, stands]), [["3", "turn"], ["2", "runs"], ["1", null]], "none against a computer that is over");
  const over = roomsAfter([], { ...roomWith("4", BOB), game: inRoom(golden("snapshot.over")).room.game }, null);
  equal(inOrder([...over, ...rooms]).at(-1)?.code, "4");
});

test("rooms with people stay before those with computers", () => {
  equal(entered("p1", "c1", "c2", "c3", "c4"), ["c4", "p1", "c3", "c2"]);
  equal(entered("p1", "p2", "p3", "p4", "c1"), ["c1", "p4", "p3", "p2", "p1"]);
  equal(entered("p1", "p2", "p3", "p4", "c1", "c2"), ["c2", "p4", "p3", "p2", "p1"]);
});

test("of too many rooms the games that are over leave first", () => {
  const many = Array.from({ length: 12 }, (_, at) => `p${at}`);
  equal(entered(...many), [...many].reverse());
  const over = many.slice(0, 5).map((code) => ({ code, foe: { kind: /** @type {const} */ ("human"), name: "Bob" }, stands: /** @type {const} */ ("over") }));
  const running = many.slice(5).map((code) => ({ ...over[0], code, stands: /** @type {const} */ ("turn") }));
  equal(roomsAfter([...over, ...running], roomWith("new", BOB), null).map(({ code }) => code), ["new", ...many.slice(5), ...many.slice(0, 4)]);
});

test("a stored list is read as it was, also that of an earlier version and a spoilt one", () => {
  const rooms = roomsAfter([], roomWith("KQRZX", COMPUTER), null);
  const stored = JSON.parse(JSON.stringify(rooms));
  equal(roomsFrom(stored), stored);
  equal(roomsFrom(["KQRZX", "", 7, null]), [{ code: "KQRZX" }]);
  const { game } = stored[0];
  const spoilt = [
    { game: { board: { width: 3 } } }, { game: 7 }, { foe: BOB }, { game, foe: { kind: "human" } }, { game, foe: { ...COMPUTER, strength: "god" } }, { game, foe: 7 },
  ];
  for (const facts of spoilt) equal(roomsFrom([{ code: "KQRZX", ...facts }]), [{ code: "KQRZX" }]);
  equal([roomsFrom(null), roomsFrom({})], [[], []]);
});

test("of many ways back one stands on the start page, and the rest are folded; a turn is said, and nothing else", () => {
  const root = document.createElement("div");
  const shown = (/** @type {number} */ count) => {
    const rooms = Array.from({ length: count }, (_, at) => ({ code: `R${at}`, stands: at === 0 ? "turn" : "runs" }));
    render(html`<${ReturnBanner} state=${{ room: null, rooms, prefs: { forms: {} } }} />`, root);
    const texts = (/** @type {string} */ selector) => [...root.querySelectorAll(selector)].map(({ textContent }) => textContent?.trim());
    return [texts(".return > button").length, texts("summary"), texts("[role=status]")];
  };
  equal([2, 4].map(shown), [[2, [], ["Back to R0: your turn"]], [1, ["3 more"], ["Back to R0: your turn"]]]);
  render(null, root);
});
