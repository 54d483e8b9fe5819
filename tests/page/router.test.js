// Addresses, routes and screens.
// @ts-check

import { parseCode } from "../../server/web/js/client/protocol.js";
import { addressOf, followHistory, keepMove, routeOf, wantedMatch } from "../../server/web/js/router.js";
import { viewFor } from "../../server/web/js/view-for.js";
import { initialState } from "../../server/web/js/core/state.js";
import { equal, some, test } from "./runner.js";
import { ROOM, TestClient, VISITOR, golden, inRoom } from "./test-client.js";

test("every screen has an address that leads back to it, also below a path", () => {
  for (const base of ["/", "/games/noughts/"]) {
    const url = new URL(base, "https://example.org");
    /** @type {import("../../server/web/js/core/state.js").Route[]} */
    const routes = [
      ...["welcome", "here", "quick", "friend", "computer", "computers", "join", "lobby"].map(
        (screen) => ({ screen: /** @type {"welcome"} */ (screen) }),
      ),
      { screen: "room", code: ROOM },
      { screen: "party", code: ROOM },
      { screen: "screen", code: ROOM },
      { screen: "sheet", code: ROOM },
      { screen: "party" },
      { screen: "games" },
      { screen: "leaders" },
      { screen: "game", game: "0123456789abcdef" },
      { screen: "profile", player: "fedcba9876543210" },
      { screen: "profile", player: null },
      { screen: "puzzle" },
      { screen: "puzzle", date: "2026-11-27" },
      { screen: "nowhere", path: "nonsense/else" },
      { screen: "nowhere", path: "/nonsense" },
    ];
    for (const route of routes) {
      const address = addressOf(route, url);
      equal(routeOf(new URL(address).pathname, base), route, address);
    }
  }
});

test("an unknown address leads to a screen that says so, and a mistyped code to the form for the code", () => {
  for (const path of ["/nonsense", "/play/nonsense", "/play/", "/%", "/g/", "/p"]) {
    equal(routeOf(path, "/"), { screen: "nowhere", path: path.slice(1) }, path);
  }
  for (const code of ["", "x", "ABCDE", "KQRZXX", "<b>"]) {
    equal(routeOf(`/r/${code}`, "/"), { screen: "join", typed: code }, code);
    equal(routeOf(`/party/${code}`, "/"), { screen: "join", typed: code }, code);
  }
  equal(routeOf("/r/%E0%A4%A", "/").screen, "join", "no text at all");
});

test("a code is read without regard to case, spaces and dashes, and is five legal letters", () => {
  for (const typed of ["KQRZX", "kqrzx", " kq-rzx ", "k q r z x", "http://host:7333/r/kqrzx?lang=de"]) {
    equal(parseCode(typed), ROOM, typed);
  }
  for (const typed of ["", "KQRZ", "KQRZXB", "abcde", "KQRZ1", "KQRZÄ"]) {
    equal(parseCode(typed), null, typed);
  }
});

test("a room's address shows an invitation, the room, the wait for it, or the form for the code", () => {
  const route = /** @type {const} */ ({ screen: "room", code: ROOM });
  const at = (/** @type {object} */ change) => viewFor({ ...initialState(route), ...change });
  equal(at({}), "entering");
  const failed = { room: ROOM, code: "no_such_room", text: "" };
  equal(at({ failed }), "join");
  equal(at({ failed: { ...failed, code: "no_spectators" } }), "invite");
  const seated = inRoom().room;
  equal(at({ room: seated }), "room");
  const visited = inRoom(golden("snapshot.waiting"), "spectator", VISITOR).room;
  equal(at({ room: visited }), "invite");
  equal(at({ room: visited, watching: ROOM }), "room", "who chose to watch");
  equal(at({ room: { ...visited, closed: "left" } }), "room", "a closed one");
});

test("the wait for an opponent is in the history, so that a reload looks for one again", () => {
  const client = new TestClient().receive(golden("welcome")).goTo({ screen: "quick" });
  equal(wantedMatch(client.state), null);
  const match = { type: /** @type {const} */ ("quick_match"), board: { width: 3, height: 3, line: 3 } };
  const id = client.send(match);
  equal(wantedMatch(client.state), match);
  equal(wantedMatch(client.receive({ type: "ok", id }).lose().state), match);
  equal(wantedMatch(client.goTo({ screen: "welcome" }).state), null);
});

/** Catches a move that a reload loses, one that is made twice, and one for another position or after its answer. */
test("a move without an answer outlives a reload, and is made if its turn has still come", () => {
  const { state: before } = inRoom();
  const client = inRoom().lose();
  const room = client.room;
  const ply = some(room.game, "a game").moves.length;
  const id = client.send({ type: "play", room: ROOM, game: 1, ply, cell: 8 });
  const made = (/** @type {number} */ plies) => {
    /** @type {any} */
    let listener;
    /** @type {any[]} */
    const sent = [];
    const send = (/** @type {any} */ move) => sent.push(move.cell);
    keepMove(/** @type {any} */ ({ subscribe: (/** @type {any} */ run) => (listener = run), send }));
    const here = { ...before, room: { ...room, game: { ...room.game, moves: room.game?.moves.slice(0, plies) } } };
    for (const state of [initialState(), here, here]) listener(state, before);
    return { sent, listener };
  };
  const { sent, listener } = made(ply);
  listener(client.state, before);
  equal([sent, made(ply).sent, made(ply - 2).sent, made(ply).sent], [[], [8], [], []]);
  listener(client.state, before);
  const { state: waiting } = client;
  listener(client.receive(golden("welcome")).receive({ type: "ok", id }).state, waiting);
  equal([made(ply).sent], [[]], "after its answer");
});

test("back closes an open dialog or the review, and the screen stays", async () => {
  /** @type {object[]} */
  const dispatched = [];
  const route = { screen: "game", game: "0" };
  const runner = { state: { route }, dispatch: (/** @type {object} */ action) => dispatched.push(action), subscribe() {} };
  followHistory(/** @type {any} */ (runner));
  const before = location.pathname;
  history.pushState({ depth: 1 }, "", addressOf(/** @type {any} */ (route)));
  const app = document.body.appendChild(Object.assign(document.createElement("div"), { id: "app" }));
  const dialog = app.appendChild(document.createElement("dialog"));
  dialog.showModal();
  const moved = async () => {
    await new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
    return location.pathname;
  };
  history.back();
  equal([await moved(), dialog.open, dispatched], [before, false, []]);
  equal([await moved(), dispatched], [new URL(addressOf(/** @type {any} */ (route))).pathname, [{ type: "route", route }]]);
  const summons = document.body.appendChild(Object.assign(document.createElement("dialog"), { className: "party-summons" }));
  summons.showModal();
  history.back();
  equal([await moved(), summons.open], [before, false], "over the screen too");
  await moved();
  summons.remove();
  dispatched.length = 1;
  const review = app.appendChild(document.createElement("button"));
  review.name = "review.ask";
  review.ariaPressed = "true";
  review.onclick = () => review.remove();
  history.back();
  equal([await moved(), review.isConnected, dispatched.length], [before, false, 1]);
  equal(await moved(), new URL(addressOf(/** @type {any} */ (route))).pathname);
  app.remove();
  history.back();
  equal(await moved(), before, "without a dialog it goes back");
  equal(dispatched.length, 3);
});

test("back from a party that is made leads to before its form", () => {
  /** @type {any} */
  let follow;
  const route = { screen: "party", code: "KQRZX" };
  followHistory(/** @type {any} */ ({ state: { route }, dispatch() {}, subscribe: (/** @type {any} */ run) => (follow = run) }));
  const before = location.pathname;
  history.replaceState({ depth: 3 }, "");
  follow({ route }, { route: { screen: "party" } });
  equal([location.pathname.endsWith("/party/KQRZX"), history.state.depth], [true, 3]);
  history.replaceState(null, "", before);
});
