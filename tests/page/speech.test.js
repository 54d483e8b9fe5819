// Tests of the live regions and of the focus.
// @ts-check

import { Component, html, render } from "../../server/web/js/html.js";
import { FaceButton } from "../../server/web/js/faces/chooser.js";
import { loadPart } from "../../server/web/js/later.js";
import { PUZZLE, VARIANTS } from "../../server/web/js/parts.js";
import { Actions } from "../../server/web/js/room/actions.js";
import { Status } from "../../server/web/js/room/status.js";
import { Room } from "../../server/web/js/views/room.js";
import { initialState } from "../../server/web/js/core/state.js";
import { addStrings } from "../../server/web/js/strings.js";
import { show } from "../../server/web/js/view.js";
import { equal, test } from "./runner.js";
import { InPage, all, inElement, one } from "./sheet.js";
import { ROOM, golden, inRoom, presence } from "./test-client.js";

/** Components draw what has changed after the microtasks of now. */
const drawn = async () => { for (let time = 0; time < 9; time += 1) await null; };

/** Ada's room, with her `TestClient`. @param {object} [change] of the snapshot */
async function entered(change) {
  await addStrings("room");
  const client = inRoom({ ...golden("snapshot"), ...change });
  const root = document.createElement("div");
  return {
    client,
    root,
    /** The text of the live region, after the room is drawn. */
    async heard() {
      render(html`<${Status} state=${client.state} room=${client.room} note="" left=${null} silent=${false} />`, root);
      await drawn();
      return one(root, "[role=status]").textContent?.trim();
    },
    shown: () => one(root, ".status-detail").textContent?.trim(),
  };
}

test("who enters a game hears the role and the limit, and the clock once in each own move", async () => {
  const { setTimeout: later } = globalThis;
  const { client, root, heard } = await entered({ move_ms_left: null });
  /** @type {[() => void, number][]} */
  const timers = [];
  try {
    globalThis.setTimeout = /** @type {any} */ ((/** @type {() => void} */ run, /** @type {number} */ ms) => timers.push([run, ms]));
    equal((await heard())?.endsWith("You play X. 30 seconds a move."), true);
    const deadline = performance.now() + 30_000;
    client.state = { ...client.state, room: { ...client.room, moveDeadline: deadline } };
    await heard();
    equal(timers.map(([, ms]) => Math.round(ms / 1_000)), [20]);
    client.state = { ...client.state, room: { ...client.room, moveDeadline: performance.now() + 9_000, you: ["o"] } };
    await heard();
    equal(timers.length, 1, "the clock of the other player");
    client.state = { ...client.state, room: { ...client.room, moveDeadline: performance.now() + 9_200, you: ["x"] } };
    await heard();
    timers.at(-1)?.[0]();
    equal(await heard(), "9 seconds left.");
  } finally {
    globalThis.setTimeout = later;
    render(null, root);
  }
});

test("who is offline hears that and what becomes of a move, and on return first what is new", async () => {
  const { client, root, heard, shown } = await entered({ move_ms_left: null });
  await heard();
  client.lose();
  equal(await heard(), "Offline. If only you are away, Ben Łoś may claim the win.");
  const { moves } = golden("snapshot").game;
  client.send(/** @type {any} */ ({ type: "play", room: ROOM, game: 1, ply: moves.length, cell: 8 }));
  equal(await heard(), "Offline. Keep this page open: your move is sent as soon as you are back.");
  client.receive(golden("welcome"));
  equal(await heard(), "Offline. Keep this page open: your move is sent as soon as you are back.", "what has happened is not known yet");
  client.receive({ ...golden("snapshot"), move_ms_left: null });
  equal([await heard(), shown()], ["Back. Nothing was lost.", "Back. Nothing was lost."]);
  client.lose();
  await heard();
  client.receive(golden("welcome"));
  await heard();
  const game = { ...golden("snapshot").game, result: { how: "time", winner: "o" } };
  client.receive({ ...golden("snapshot"), v: 9, game, move_ms_left: null });
  equal([await heard(), shown()], ["You lose. You ran out of time.", "You ran out of time."]);
  render(null, root);
});

test("one region alone says what has happened in a room", () => inElement(async (root) => {
  await addStrings("room");
  const client = inRoom();
  const page = { send() {}, navigate() {}, dispatch() {}, arrived() {} };
  const heard = async () => {
    render(html`<${InPage} page=${page}><${Room} page=${page} state=${client.state} /><//>`, root);
    await drawn();
    return all(root, "[aria-live=polite]").map(({ textContent }) => textContent?.trim()).filter(Boolean);
  };
  await heard();
  client.receive({ ...golden("event.moved"), v: 6, event: { kind: "moved", game: 1, ply: 2, mark: "x", cell: 1 } });
  equal(await heard(), ["Ben Łoś’s turn. X took 2."]);
}));

test("nothing is said that ends in a moment: the wait of two who are there, the turn whose move is made", async () => {
  const joined = await entered({ game: null, move_ms_left: null });
  equal(await joined.heard(), "");
  render(null, joined.root);
  const tapped = await entered({ move_ms_left: null });
  const { number, moves } = golden("snapshot").game;
  tapped.client.send(/** @type {any} */ ({ type: "play", room: ROOM, game: number, ply: moves.length, cell: 8 }));
  equal(await tapped.heard(), "You play X. 30 seconds a move.");
  render(null, tapped.root);
});

test("a room of a variant is told of once its texts are there", async () => {
  await loadPart(VARIANTS);
  const { module } = VARIANTS;
  const { settings, game } = golden("snapshot");
  const ultimate = { ...settings, variant: "ultimate", board: { width: 9, height: 9, line: 3 }, move_time_ms: null };
  const sent = { ...game, moves: [40, 41], playable: { cells: [30, 31] } };
  const { root, heard } = await entered({ settings: ultimate, game: sent, move_ms_left: null });
  VARIANTS.module = null;
  try {
    equal(await heard(), "");
  } finally {
    VARIANTS.module = module;
  }
  equal(await heard(), "Your turn. O took f5. Next: board 5. You play X.");
  render(null, root);
});

test("an absent opponent's claim is promised only where it comes before the clock ends", async () => {
  const away = presence({ o: { state: "away", claim_in_ms: 56_000 } });
  const day = 86_400_000;
  for (const [you, move_ms_left, text, move_time_ms = 30_000] of /** @type {[string, number | null, string, number?][]} */ ([
    ["x", 10_000, "Ben Łoś is away. Your clock runs on."],
    ["o", 10_000, "Ben Łoś is away. You win if the time runs out."],
    ["x", 90_000, "Ben Łoś is away. You can claim the win in 0:56."],
    ["x", null, "Ben Łoś is away. You can claim the win in 0:56."],
    ["o", day, "Ben Łoś is away. You win if the time runs out.", day],
  ])) {
    const game = { ...golden("snapshot").game, moves: you === "x" ? [0, 1] : [0, 1, 2], first: "x" };
    const { client, root } = await entered({ game, presence: away, move_ms_left, settings: { ...golden("snapshot").settings, move_time_ms } });
    render(html`<${Status} state=${client.state} room=${client.room} note="" left=${56_000} silent=${false} />`, root);
    equal(one(root, ".status-detail").textContent?.trim(), text);
    render(null, root);
  }
});

test("the step beyond the last strength keeps its button, and the focus", () => inElement(async (root) => {
  await addStrings("room");
  const seats = { ...golden("snapshot").seats, o: { kind: "computer", strategy: "minimax", strength: "strong" } };
  const { room } = inRoom({ ...golden("snapshot"), seats });
  let acts = 0;
  const at = (/** @type {string} */ strength) =>
    render(html`<${Actions} room=${{ ...room, seats: { ...seats, o: { ...seats.o, strength } } }} left=${null} steps=${null}
      sending=${false} isOffline=${false} act=${() => (acts += 1)} />`, root);
  at("strong");
  const harder = one(root, ".actions-strength:last-child > button");
  harder.focus();
  harder.click();
  at("very_strong");
  harder.click();
  equal([acts, document.activeElement === harder, harder.getAttribute("aria-disabled")], [1, true, "true"]);
}));

test("a face is said after it was chosen, and not where it comes with the screen", async () => {
  await addStrings("faces");
  const root = document.createElement("div");
  const player = { id: () => "0123456789abcdef", face: () => null, wear() {} };
  render(html`<${FaceButton} player=${player} />`, root);
  equal([one(root, "[role=status]").textContent, one(root, "button").getAttribute("aria-description")], ["", "Your face: wren, blue"]);
  one(root, "button").click();
  await drawn();
  equal(one(root, "[role=status]").textContent, "Your face: wren, blue");
  render(null, root);
});

test("a heading that is replaced when its screen has loaded leaves the focus to the next one", async () => {
  await loadPart(PUZZLE);
  const { fetch } = globalThis;
  const root = document.body.appendChild(document.createElement("main"));
  root.id = "app";
  /** @type {() => void} */
  let draw = () => {};
  const player = { guest: false, name: () => "Ada", isRenamed: () => false, id: () => "", face: () => null };
  const page = /** @type {any} */ ({ state: initialState({ screen: "nowhere", path: "" }), player, subscribe: (/** @type {() => void} */ run) => (draw = run) });
  const focused = () => document.activeElement?.textContent;
  try {
    let answer = (/** @type {any} */ _) => {};
    globalThis.fetch = /** @type {any} */ (() => new Promise((done) => (answer = done)));
    show(page);
    page.state = { ...page.state, route: { screen: "puzzle", date: "2026-01-02" } };
    draw();
    equal(focused(), "Puzzle of the day");
    const puzzle = { date: "2026-01-02", number: 2, board: { width: 5, height: 5, line: 4 }, x: [], o: [], answers: [[14]], replies: [] };
    answer({ status: 200, ok: true, json: async () => puzzle });
    while (!root.querySelector(".puzzle-state")) await new Promise(requestAnimationFrame);
    equal(focused(), "X wins in one");
  } finally {
    globalThis.fetch = fetch;
    render(null, root);
    root.remove();
  }
});
