// The page around the core: routes and their requests, notices, refused and closed rooms, names,
// stored values.
// @ts-check

import { PARTY_CORE } from "../../server/web/js/client/party.js";
import { useParty } from "../../server/web/js/client/party-hook.js";
import { howText } from "../../server/web/js/room/status-text.js";
import { html, render } from "../../server/web/js/html.js";
import { viewFor } from "../../server/web/js/view-for.js";
import { Shell, textOf } from "../../server/web/js/shell.js";
import { equal, some, test } from "./runner.js";
import { inElement, inWindow, one } from "./sheet.js";
import { ADA, BEN, ROOM, TestClient, VISITOR, golden, inRoom, presence } from "./test-client.js";

const LOBBY = Object.freeze({ screen: /** @type {const} */ ("lobby") });
const HOME = Object.freeze({ screen: /** @type {const} */ ("welcome") });
/** The menu, from where nothing leads back to the room. */
const AFTER_ROOM = Object.freeze({ ...HOME, gone: true });

const HERE = Object.freeze({ screen: /** @type {const} */ ("room"), code: ROOM });

/** @param {"player" | "spectator"} role */
const join = (role) => ({ type: /** @type {const} */ ("join"), room: ROOM, role });

/** The presence of a party in which nothing counts down. */
const QUIET = Object.freeze({ away: [], ready: [], checks: [], spectators: 1 });

const LEAVE = { type: "leave", room: ROOM };

/** @returns {TestClient} welcomed by the server */
function welcomed() {
  const client = new TestClient().receive(golden("welcome"));
  client.take();
  return client;
}

/** @param {TestClient} client @param {number} id @param {string} code */
const refuse = (client, id, code) => client.receive({ type: "refused", id, code, message: "no" });

/** @param {object} event @param {number} [v] @returns {any} */
const fact = (event, v = 6) => ({ type: "event", room: ROOM, v, event });

/** @param {TestClient} client @returns {number} the id of the last message */
const lastId = (client) => client.state.session.nextId - 1;

/** @param {TestClient} client */
const notice = ({ state }) => state.notice?.key ?? null;

test("the welcome tells who we are, and is stored", () => {
  const client = new TestClient().receive(golden("welcome"));
  const { name, token, player, server } = golden("welcome");
  equal(client.take(), [{ type: "welcomed", name, token }]);
  equal([client.state.me, client.state.server], [{ player, name }, server]);
  equal(client.state.connection, { phase: "open", code: null, reason: "" });
  client.act({ type: "ended", code: 4001, reason: "elsewhere" });
  equal(client.state.connection, { phase: "ended", code: 4001, reason: "elsewhere" });
});

test("who is asked to play is named in the room where one waits, and their no ends that room", () => {
  const client = welcomed();
  client.act({ type: "challenge", player: BEN, name: "Ben" });
  equal(client.sent(), [{ type: "challenge", player: BEN }]);
  client.receive({ type: "ok", id: lastId(client), room: ROOM }).receive(golden("snapshot.waiting"));
  equal([client.state.asked?.player, client.state.asked?.name], [BEN, "Ben"]);
  client.take();
  client.receive({ type: "declined", player: VISITOR, name: "Eve" });
  equal([client.state.asked?.player, client.rooms], [BEN, [ROOM]], "who was asked before");
  client.receive({ type: "declined", player: BEN, name: "Ben" });
  equal([client.state.asked, notice(client), client.rooms, client.state.route], [null, "notice.declined", [], AFTER_ROOM]);
  equal(client.sent(), [LEAVE]);
});

/** Catches a notice over the way back, over the names and clocks of a phone, and over what is said or offered. */
test("a notice stands at the end of the window where it would cover more at its beginning", async () => {
  const said = '<div class="announcements"><div class="announcement"></div></div>';
  const call = '<div class="party-call"></div>';
  for (const [screen, width, height, beside, isLow] of /** @type {[string, number, number, string, boolean][]} */ ([
    ["welcome", 1366, 768, "", true], ["welcome", 390, 844, "", true], ["welcome", 390, 844, said, false],
    ["room", 390, 844, "", true], ["room", 390, 844, said, false], ["room", 390, 844, call, false], ["room", 1366, 768, "", false],
  ])) {
    await inWindow(width, height, (root) => {
      root.dataset.screen = screen;
      root.innerHTML = `<div class="shell"><div><div class="notice"><p>You have just asked.</p></div></div>${beside}</div>`;
      const { top, bottom } = one(root, ".notice").getBoundingClientRect();
      equal(isLow ? height - bottom : top, 6, `${screen} ${width} ${beside}`);
      delete root.dataset.screen;
      root.replaceChildren();
    });
  }
});

test("a notice that only informs goes by itself, and stays while the focus is in it", () => inElement((root) => {
  const { setTimeout: later } = globalThis;
  /** @type {[() => void, number][]} */
  const timers = [];
  const client = welcomed();
  const page = { dispatch: (/** @type {any} */ action) => client.act(action), player: { guest: false } };
  const show = () => render(html`<${Shell} page=${page} state=${client.state} screen="room" />`, root);
  try {
    globalThis.setTimeout = /** @type {any} */ ((/** @type {() => void} */ run, /** @type {number} */ ms) => timers.push([run, ms]));
    show();
    refuse(client, client.send(join("player")), "seats_taken");
    show();
    equal([one(root, ".notice").hidden, timers.map(([, ms]) => ms)], [false, [8_000]]);
    one(root, ".notice button").focus();
    timers[0][0]();
    equal([notice(client), timers.length], ["notice.watching", 2]);
    one(root, ".notice button").blur();
    timers[1][0]();
    show();
    equal([notice(client), one(root, ".notice").hidden], [null, true]);
  } finally {
    globalThis.setTimeout = later;
  }
}));

test("the lobby is watched while it is looked at, also after a break", () => {
  const client = welcomed().goTo(LOBBY);
  equal(client.sent(), [{ type: "watch_lobby" }]);
  client.receive({ type: "ok", id: lastId(client) }).receive(golden("lobby"));
  equal(client.state.lobby?.waiting, golden("lobby").waiting);
  equal(client.lose().receive(golden("welcome")).sent(), [{ type: "watch_lobby" }]);
  equal(client.goTo(HOME).sent(), [], "the menu shows a public game too");
  equal(client.goTo({ screen: "friend" }).sent(), [{ type: "unwatch_lobby" }]);
  equal(client.state.lobby, null);
});

test("a room that is entered from the lobby ends the watch", () => {
  const client = welcomed().goTo(LOBBY);
  client.take();
  const id = client.send(join("player"));
  client.receive({ type: "ok", id, room: ROOM }).receive(golden("snapshot"));
  equal(client.sent(), [join("player"), { type: "unwatch_lobby" }]);
  equal(client.state.route, HERE);
});

test("an address is asked for as soon as there is a connection", () => {
  for (const [route, sent] of /** @type {[any, object][]} */ ([
    [LOBBY, { type: "watch_lobby" }],
    [HERE, join("spectator")],
  ])) {
    const client = new TestClient().goTo(route);
    equal([client.take(), client.state.unanswered], [[], []]);
    equal(client.receive(golden("welcome")).sent(), [sent]);
    equal(client.receive(golden("pong.no_room")).sent(), [], "once");
  }
});

const CREATE = /** @type {const} */ ({ type: "create", seats: { x: "you", o: { computer: {} } } });

/** The first tap on the board of the start page. @param {TestClient} client */
const tap = (client, cell = 4) => client.act({ type: "begin", intent: /** @type {any} */ (CREATE), cell });

/** The golden room before its first move, where Ada plays X and begins. @returns {any} */
function emptyBoard() {
  const snapshot = golden("snapshot");
  return { ...snapshot, game: { ...snapshot.game, first: "x", moves: [], result: null } };
}

const FIRST = { type: "play", room: ROOM, game: emptyBoard().game.number, ply: 0, cell: 4 };

test("the first tap begins a game with its move, and a second tap is nothing", () => {
  const client = tap(tap(new TestClient().receive({ ...golden("welcome"), player: ADA })), 5);
  equal([client.sent(), client.state.firstMove], [[CREATE], { cell: 4 }]);
  client.receive({ type: "ok", id: lastId(client), room: ROOM }).receive(emptyBoard());
  equal([client.sent(), client.state.route, client.state.firstMove], [[FIRST], HERE, null]);
});

test("a tap waits for the connection, and outlives its breaks", () => {
  const client = tap(new TestClient());
  equal([client.sent(), client.state.firstMove], [[], { cell: 4 }]);
  const welcome = { ...golden("welcome"), player: ADA };
  equal(client.receive(welcome).sent(), [CREATE]);
  equal(client.lose().receive(welcome).sent(), [CREATE], "it was not answered");
  client.receive({ type: "ok", id: lastId(client), room: ROOM }).lose();
  equal(client.receive(welcome).sent(), [join("player")]);
  client.receive({ type: "ok", id: lastId(client), room: ROOM }).receive(emptyBoard());
  equal(client.sent(), [FIRST]);
  equal(client.lose().receive(welcome).sent(), [join("spectator"), FIRST]);
});

test("a player who waits for a connection is told after some seconds why there is none", () => {
  const proxied = /** @type {const} */ ({ type: "broke", code: 0, reason: "" });
  const client = new TestClient().act(proxied);
  equal(notice(client), null, "it may come in a moment");
  equal(notice(client.wait(5_000).act({ type: "broke", code: 1006, reason: "" })), "notice.offline");
  equal(notice(client.act(proxied)), "notice.proxy");
  equal(notice(client.act({ type: "dismiss" }).act(proxied)), null, "once");
  equal(notice(tap(client)), "notice.proxy", "and again after a tap");
  equal(notice(client.receive(golden("welcome"))), null);
  equal(client.sent().map(({ type }) => type), ["create"], "the tap was kept");
  const watcher = welcomed().lose().wait(5_000).lose();
  equal(notice(watcher), null, "who waits for nothing sees the status alone");
});

test("a tap whose game is refused can be made again", () => {
  const client = tap(welcomed());
  client.take();
  refuse(client, lastId(client), "too_many_rooms");
  equal([client.state.firstMove, notice(client), client.sent()], [null, "refused.too_many_rooms", []]);
  equal(tap(client).sent(), [CREATE]);
});

test("the move of a tap is not made in another room or on a board with moves", () => {
  const elsewhere = tap(welcomed());
  const id = elsewhere.send(join("player"));
  equal(elsewhere.state.firstMove, null, "the player has chosen another room");
  elsewhere.take();
  elsewhere.receive({ type: "ok", id, room: ROOM }).receive(emptyBoard());
  equal(elsewhere.sent(), []);
  const late = tap(new TestClient().receive({ ...golden("welcome"), player: ADA }));
  late.take();
  late.receive({ type: "ok", id: lastId(late), room: ROOM }).receive(golden("snapshot"));
  equal([late.sent(), late.state.firstMove], [[], null]);
});

test("leaving the screen of the queue leaves the queue", () => {
  const client = welcomed().goTo({ screen: "quick" });
  const id = client.send({ type: "quick_match" });
  equal([client.state.matching?.message.id, client.state.matching?.since], [id, 3]);
  client.receive({ type: "ok", id });
  equal(client.state.matching?.since, 3);
  client.take();
  equal(client.goTo(HOME).sent(), [{ type: "cancel_match" }]);
  equal(client.goTo({ screen: "quick" }).goTo(HOME).sent(), [], "once");
  client.receive({ type: "ok", id: lastId(client) });
  equal(client.state.matching, null);
});

test("a refused queue ends with a notice", () => {
  const client = welcomed();
  refuse(client, client.send({ type: "quick_match" }), "too_many_rooms");
  equal([client.state.matching, notice(client)], [null, "refused.too_many_rooms"]);
});

test("a link offers the open seat, and the player watches where there is none", () => {
  for (const [name, watching, told] of /** @type {const} */ ([
    ["snapshot", ROOM, "notice.watching"],
    ["snapshot.waiting", null, null],
  ])) {
    const client = new TestClient().receive({ ...golden("welcome"), player: VISITOR }).goTo(HERE);
    client.receive({ type: "ok", id: lastId(client), room: ROOM }).receive(golden(name));
    equal([client.state.watching, notice(client), client.state.route], [watching, told, HERE]);
  }
});

test("a player who finds both seats taken watches instead", () => {
  const client = welcomed();
  const id = client.send(join("player"));
  client.take();
  equal(refuse(client, id, "seats_taken").sent(), [join("spectator")]);
  equal([notice(client), client.state.failed], ["notice.watching", null]);
  client.receive({ type: "ok", id: lastId(client), room: ROOM }).receive(golden("snapshot"));
  equal(notice(client), "notice.watching", "until it is read");
});

test("both seats taken, and nobody may watch: the refusal is shown", () => {
  const client = welcomed().goTo(HERE);
  refuse(client, lastId(client), "no_spectators");
  equal(client.state.failed, { room: ROOM, code: "no_spectators", text: "no" });
  const id = client.send(join("player"));
  equal(client.state.failed?.code, "no_spectators", "the screen has nothing else to show");
  client.take();
  equal(refuse(client, id, "seats_taken").sent(), []);
  equal(client.state.failed?.code, "seats_taken");
  client.goTo(HOME);
  equal(client.state.failed, null);
});

test("a room that does not exist is not asked for again, and no longer remembered", () => {
  const client = inRoom();
  client.lose().receive(golden("welcome"));
  client.goTo(HOME);
  const id = client.send({ ...join("player"), room: "BCDFG" });
  refuse(client, id, "no_such_room");
  equal([client.state.failed?.room, client.rooms], ["BCDFG", [ROOM]], "another room");
  const other = client.send({ ...join("player"), room: "DFGHJ" });
  equal(client.state.failed, null, "a refusal is of its own room");
  refuse(client, other, "full");
  client.take();
  equal(client.goTo({ screen: "room", code: "BCDFG" }).sent().length, 1, "a new visit asks again");
  equal(refuse(client, lastId(client), "no_such_room").sent(), []);
  const back = new TestClient(ROOM).receive(golden("welcome")).goTo(HERE);
  equal(refuse(back, lastId(back), "no_such_room").rooms, []);
});

test("a list of rooms that is refused stays as it is", () => {
  const client = welcomed().goTo(LOBBY);
  refuse(client, lastId(client), "rate_limited");
  equal([notice(client), client.state.route], [null, LOBBY]);
});

test("who sees a game keeps its board when a player leaves", () => {
  const client = new TestClient().receive({ ...golden("welcome"), player: VISITOR }).goTo(HERE);
  client.receive({ type: "ok", id: lastId(client), room: ROOM }).receive(golden("snapshot.waiting"));
  equal(viewFor(client.state), "invite", "the seat is offered");
  const seated = (/** @type {any} */ seat) =>
    client.receive(/** @type {any} */ ({ type: "event", room: ROOM, v: client.room.v + 1, event: { kind: "seated", mark: "o", seat } }));
  seated({ kind: "human", player: BEN, name: "Ben" });
  equal([viewFor(client.state), notice(client)], ["room", "notice.watching"], "somebody else has taken it");
  client.act({ type: "dismiss" });
  seated({ kind: "open" });
  seated({ kind: "human", player: BEN, name: "Ben" });
  seated({ kind: "open" });
  equal([viewFor(client.state), notice(client)], ["room", null]);
});

test("a spectator who does not get the open seat keeps watching", () => {
  const client = new TestClient().receive({ ...golden("welcome"), player: VISITOR }).goTo(HERE);
  client.receive({ type: "ok", id: lastId(client), room: ROOM }).receive(golden("snapshot.waiting"));
  equal([client.state.watching, client.rooms], [null, []], "the seat is offered");
  const id = client.send(join("player"));
  client.take();
  equal(refuse(client, id, "seats_taken").sent(), []);
  equal([client.state.watching, notice(client), client.state.failed], [ROOM, "refused.seats_taken", null]);
});

test("a spectator who goes to another screen leaves the room, a player stays", () => {
  const spectator = inRoom(golden("snapshot"), "spectator", VISITOR).goTo(HOME);
  equal([spectator.sent(), spectator.state.room], [[LEAVE], null]);
  equal(spectator.state.route, HOME, "the history leads back");
  const player = inRoom().goTo(HOME);
  equal([player.sent(), player.room.code, player.rooms], [[], ROOM, [ROOM]]);
});

test("going back before a link's room has come leaves it, but gives no seat up", () => {
  const client = welcomed().goTo(HERE).goTo(HOME);
  equal(client.sent(), [join("spectator"), LEAVE]);
  client.receive({ type: "ok", id: lastId(client) - 1, room: ROOM }).receive(golden("snapshot"));
  equal([client.state.room, client.state.route], [null, HOME]);
  const mine = inRoom().lose().receive(golden("welcome"));
  refuse(mine, lastId(mine), "full");
  equal([mine.state.room, mine.rooms, mine.state.route], [null, [ROOM], AFTER_ROOM]);
  equal(mine.sent().at(-1), join("spectator"), "the start page asks for the seat");
  mine.take();
  equal(mine.goTo(HERE).goTo(HOME).sent(), []);
});

test("the start page asks for the seats of before, one after the other, and stays", () => {
  const client = new TestClient("BCDFG", ROOM).receive(golden("welcome"));
  equal(client.sent(), [{ ...join("spectator"), room: "BCDFG" }]);
  client.take();
  refuse(client, lastId(client), "no_such_room");
  equal(client.sent(), [join("spectator")]);
  client.receive({ type: "ok", id: lastId(client), room: ROOM }).receive(golden("snapshot"));
  equal([client.room.you, client.rooms, client.state.route], [["x"], [ROOM], HOME]);
});

test("a room is remembered beside the one that is entered after it, and again when that is left", () => {
  const client = inRoom();
  const id = client.send({ ...join("player"), room: "BCDFG" });
  client.receive({ type: "ok", id, room: "BCDFG" }).receive({ ...golden("snapshot"), room: "BCDFG" });
  equal(client.rooms, ["BCDFG", ROOM]);
  client.take();
  client.send(/** @type {any} */ ({ ...LEAVE, room: "BCDFG" }));
  equal([client.rooms, client.sent().at(-1)], [[ROOM], join("spectator")], "and its seat taken again");
});

test("who is somebody new after a lost connection reads that they are forgotten", () => {
  const client = inRoom().lose();
  equal(client.receive(golden("welcome")).state.notice, null);
  client.lose().receive({ ...golden("welcome"), player: "0123456789abcdef", token: "new" });
  equal(client.state.notice?.key, "notice.forgotten");
});

test("leaving a room leads home and forgets it", () => {
  const client = inRoom();
  client.send(/** @type {any} */ (LEAVE));
  const { room, route, rooms } = client.state;
  equal([room, route, rooms], [null, AFTER_ROOM, []]);
  equal(client.take().at(-1), { type: "rooms", rooms: [] });
});

test("who resigned and left keeps the name until the next game", () => {
  const score = { x: 1, o: 0, draws: 0 };
  const over = fact({ kind: "game_over", game: 1, result: { how: "resignation", winner: "x" }, score });
  const client = inRoom().receive(over).receive(fact({ kind: "seated", mark: "o", seat: { kind: "open" } }, 7));
  equal([client.room.gone, howText(client.room)], [{ o: "Ben Łoś" }, "Ben Łoś resigned and left."]);
  client.receive(fact({ kind: "seated", mark: "o", seat: { kind: "human", player: VISITOR, name: "Cai" } }, 8));
  client.receive(fact({ kind: "game_started", game: 2, first: "o", score }, 9));
  equal(client.room.gone, {});
});

test("a closed room stays on its screen, and is not asked for or remembered", () => {
  const client = inRoom().receive(fact({ kind: "closed", reason: "idle" }));
  equal([client.room.closed, client.room.moveDeadline, client.rooms], ["idle", null, []]);
  equal(client.take(), [{ type: "rooms", rooms: [] }]);
  client.lose().receive(golden("welcome")).act({ type: "wake" });
  equal([client.sent(), client.room.closed], [[], "idle"]);
  client.goTo(HOME);
  equal([client.state.room, client.state.route], [null, AFTER_ROOM]);
});

test("a lost room leads home with a notice", () => {
  const client = inRoom().lose().receive(golden("welcome"));
  refuse(client, lastId(client), "no_such_room");
  const { room, route, rooms } = client.state;
  equal([room, route, rooms], [null, AFTER_ROOM, []]);
  equal(textOf(some(client.state.notice, "a notice")), `Room ${ROOM} is gone. It ended while you were away, or the server restarted.`);
});

test("a room that cannot be read is told until it can", () => {
  const client = inRoom().lose().receive(golden("welcome"));
  refuse(client, lastId(client), "not_stored");
  equal([notice(client), client.room.code], ["notice.roomUnreadable", ROOM]);
  client.receive(golden("snapshot"));
  equal(notice(client), null);
});

test("a device that slept asks for a snapshot where a clock runs", () => {
  const sync = { type: "sync", room: ROOM };
  equal(inRoom().act({ type: "wake" }).act({ type: "wake" }).sent(), [sync], "once");
  const untimed = { ...golden("snapshot"), move_ms_left: null };
  equal(inRoom(untimed).act({ type: "wake" }).take(), []);
  const o = { state: "away", claim_in_ms: 500 };
  const alone = inRoom({ ...untimed, presence: presence({ o }) });
  equal(alone.act({ type: "wake" }).sent(), [sync], "an absence has a clock");
  equal(inRoom().lose().act({ type: "wake" }).state.unanswered, [], "not without a connection");
});

test("a device that slept asks for its party where something counts down", () => {
  useParty(PARTY_CORE);
  const { party } = golden("party.playing");
  const inParty = (/** @type {object} */ presence) => {
    const client = welcomed();
    const id = client.send({ type: "join_party", party, role: "spectator" });
    client.receive({ type: "ok", id, party }).receive({ ...golden("party.playing"), presence: { ...QUIET, ...presence } }).take();
    return client.act({ type: "wake" }).act({ type: "wake" }).sent();
  };
  equal(inParty({ next_ms: 9_000 }), [{ type: "sync_party", party }], "once, for the next round");
  equal(inParty({ checks: [{ pairing: 1, ms_left: 9_000 }] }), [{ type: "sync_party", party }], "for a call");
  equal(inParty({}), []);
});

test("notices tell what the player cannot do, until the next intent", () => {
  const client = inRoom();
  refuse(client, client.send({ type: "rematch", room: ROOM, game: 1, offer: true }), "not_now");
  equal(notice(client), "refused.not_now", "blocked here");
  client.send({ type: "play", room: ROOM, game: 1, ply: 2, cell: 8 });
  equal([notice(client), client.take().length], [null, 1]);
  refuse(client, lastId(client), "stale");
  equal(client.state.notice, { kind: "error", key: "refused.stale", params: {}, text: "no", intent: "play" });
  client.act({ type: "dismiss" });
  equal(client.state.notice, null);
  for (let asked = 0; asked < 13; asked += 1) {
    client.send({ type: "pass" });
  }
  equal([notice(client), client.take().length], ["notice.busy", 12]);
  const entering = welcomed();
  const id = entering.send(join("player"));
  entering.act({ type: "notice", notice: { kind: "error", key: "k", params: {}, text: "" } });
  entering.receive({ type: "ok", id, room: ROOM }).receive(golden("snapshot"));
  equal(notice(entering), null, "the room says more");
  const wrong = golden("snapshot");
  wrong.game.moves = [4, 4];
  equal(notice(inRoom().receive(wrong)), "notice.impossible");
});

test("an intent of the player clears the notice, one of the page does not", () => {
  const client = inRoom();
  const told = { kind: /** @type {const} */ ("error"), key: "k", params: {}, text: "" };
  client.act({ type: "notice", notice: told });
  client.act({ type: "wake" });
  equal(notice(client), "k");
  client.send({ type: "pass" });
  equal(notice(client), null);
  client.receive(golden("pass"));
  equal(client.state.pass?.code, golden("pass").code);
});

test("a pass that another device has used is told again, and an older one changes nothing", () => {
  const client = inRoom();
  const told = golden("pass");
  client.receive({ ...told, expires_in_ms: 0 });
  equal(client.state.pass, null, "of a page before");
  client.receive(told);
  equal(client.state.pass?.used, false);
  client.receive({ ...told, code: "older", expires_in_ms: 0 });
  equal([client.state.pass?.code, client.state.pass?.used], [told.code, false]);
  client.receive({ ...told, expires_in_ms: 0 });
  equal(client.state.pass?.used, true);
});

test("two at one screen keep their names, which go with them in an exchange", () => {
  const { x } = golden("snapshot.both_marks").seats;
  const snapshot = { ...golden("snapshot.opening"), seats: { x, o: x } };
  const by = snapshot.game.opening.by;
  for (const [choice, names] of [
    [by === "x" ? "o" : "x", { x: "Ben", o: "Ada" }],
    [by, { x: "Ada", o: "Ben" }],
    ["add", { x: "Ada", o: "Ben" }],
  ]) {
    const client = new TestClient();
    client.act({ type: "prefs", prefs: { forms: { friend: { nameX: "Ada", nameO: "Ben" } } } });
    client.receive({ ...golden("welcome"), player: x.player });
    const id = client.send(join("player"));
    client.receive({ type: "ok", id, room: ROOM }).receive(snapshot);
    equal([client.room.you, client.room.names], [["x", "o"], { x: "Ada", o: "Ben" }]);
    const { seats, score } = snapshot;
    const opening = choice === "add" ? { state: "placing", by, until_ply: 5 } : null;
    client.take();
    client.receive(fact({ kind: "chosen", game: 1, choice, opening, seats, score }, snapshot.v + 1));
    equal(client.room.names, names, `${choice}`);
    equal(client.take().length, choice === "add" || choice === by ? 0 : 1, "stored for a reload");
  }
});

test("unchanged parts of the state stay the same objects", () => {
  const client = inRoom();
  const before = client.state;
  client.receive({ ...golden("pong"), room: ROOM, v: 5, presence: presence() });
  client.act({ type: "dismiss" }).goTo({ screen: "room", code: ROOM });
  equal(client.state === before, true);
  client.receive({ type: "presence", room: ROOM, ...presence({ spectators: 9 }) });
  equal([client.state.session.room === before.session.room, client.state.me === before.me], [false, true]);
  equal([client.state.me?.player, client.take()], [ADA, []]);
});
