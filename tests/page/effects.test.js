// What the page sends by itself: after a break the room, the quick match and the pending intents; the
// lobby while it is on the screen; what leaving a screen cancels.
// @ts-check

import { equal, test } from "./runner.js";
import { ROOM, TestClient, VISITOR, golden, inRoom, presence } from "./test-client.js";

/** @param {TestClient} client @returns {TestClient} after a break and a new welcome */
const comesBack = (client) => client.lose().receive(golden("welcome"));

/** @returns {TestClient} somebody whom the server has welcomed */
const welcomed = () => new TestClient().receive(golden("welcome"));

test("a queue that was answered is taken up again after a break, as the same request", () => {
  const client = welcomed();
  const asked = client.send({ type: "quick_match" });
  client.receive({ type: "ok", id: asked.id });
  client.take();
  for (const time of ["the first", "the second"]) {
    comesBack(client);
    equal(client.take(), [asked], `${time} break`);
    equal(client.state.matching?.message, asked);
  }
});

test("a queue without an answer is asked for once after a break", () => {
  const client = welcomed();
  const asked = client.send({ type: "quick_match" });
  client.take();
  equal(comesBack(client).take(), [asked]);
});

test("a refused return to the queue ends it with a notice", () => {
  const client = welcomed();
  const { id } = client.send({ type: "quick_match" });
  client.receive({ type: "ok", id });
  comesBack(client).receive({ type: "refused", id, code: "too_many", message: "no" });
  equal([client.state.matching, client.state.notice?.key], [null, "refused.too_many"]);
  client.take();
  equal(comesBack(client).take(), [], "not asked for again");
});

test("a cancelled queue stays cancelled after a break", () => {
  const client = welcomed();
  client.receive({ type: "ok", id: client.send({ type: "quick_match" }).id });
  client.receive({ type: "ok", id: client.send({ type: "cancel_match" }).id });
  client.take();
  equal(comesBack(client).take(), []);
});

test("the room that was awaited is asked for again after a break", () => {
  for (const role of /** @type {const} */ (["player", "spectator"])) {
    const client = welcomed();
    const { id } = client.send({ type: "join", room: ROOM, role });
    client.receive({ type: "ok", id, room: ROOM });
    client.take();
    comesBack(client);
    equal(client.takeWithoutIds(), [{ type: "join", room: ROOM, role }]);
    client.receive(golden("snapshot"));
    equal([client.room.code, client.state.entering], [ROOM, null]);
  }
});

test("a room that was made and not yet shown is asked for again after a break", () => {
  const client = welcomed();
  const { id } = client.send({ type: "create" });
  client.receive({ type: "ok", id, room: ROOM });
  client.take();
  comesBack(client);
  equal(client.takeWithoutIds(), [{ type: "join", room: ROOM, role: "player" }]);
});

test("a room that was asked for and not answered is asked for once after a break", () => {
  const client = welcomed();
  const asked = client.send({ type: "create" });
  client.take();
  equal(comesBack(client).take(), [asked]);
});

test("after a break comes the room first, then the moves that nobody answered, as they were", () => {
  const client = inRoom();
  const played = client.send({ type: "play", room: ROOM, game: 1, ply: 2, cell: 8 });
  client.take();
  const [join, again] = comesBack(client).take();
  equal([join.type, again], ["join", played]);
  client.receive({ type: "ok", id: played.id });
  equal(client.state.pending.map(({ message }) => message.type), ["join"]);
});

test("after a break a spectator comes back as one", () => {
  const client = inRoom(golden("snapshot"), "spectator", VISITOR);
  comesBack(client);
  equal(client.takeWithoutIds(), [{ type: "join", room: ROOM, role: "spectator" }]);
});

test("an unanswered leave is repeated first, from within the room", () => {
  const client = inRoom();
  const left = client.send({ type: "leave", room: ROOM });
  const made = client.send({ type: "create" });
  client.take();
  const sent = comesBack(client).take();
  equal(sent.map(({ type }) => type), ["join", "leave", "create"]);
  equal(sent.slice(1), [left, made]);
});

test("a closed room is not entered again after a break", () => {
  const client = inRoom();
  client.receive({ type: "event", room: ROOM, v: 6, event: { kind: "closed", reason: "idle" } });
  equal(comesBack(client).take(), []);
});

test("a room that cannot be read after a break is asked for again by a retry", () => {
  const client = comesBack(inRoom());
  const [{ id }] = client.take();
  client.receive({ type: "refused", id, code: "not_stored", message: "no" });
  equal([client.room.desynced, client.state.notice?.key], ["unreadable", "notice.roomUnreadable"]);
  client.act({ type: "retry" });
  equal(client.takeWithoutIds(), [{ type: "join", room: ROOM, role: "player" }]);
  client.receive(golden("snapshot"));
  equal([client.room.desynced, client.state.notice], ["no", null]);
});

test("the lobby is watched while it is looked at, also after a break", () => {
  const client = welcomed().act({ type: "route", route: { screen: "lobby" } });
  const [{ id, type }] = client.take();
  equal(type, "watch_lobby");
  client.receive({ type: "ok", id });
  comesBack(client);
  equal(client.takeWithoutIds(), [{ type: "watch_lobby" }]);
  client.act({ type: "route", route: { screen: "welcome" } });
  equal(client.takeWithoutIds(), [{ type: "unwatch_lobby" }]);
});

test("leaving the screen of the queue leaves the queue", () => {
  const client = welcomed().act({ type: "route", route: { screen: "quick" } });
  client.receive({ type: "ok", id: client.send({ type: "quick_match" }).id });
  client.take();
  client.act({ type: "route", route: { screen: "welcome" } });
  equal(client.takeWithoutIds(), [{ type: "cancel_match" }]);
});

test("the address of a room enters it as a spectator, who takes the free seat only if asked", () => {
  const client = welcomed().act({ type: "route", route: { screen: "room", code: ROOM } });
  equal(client.takeWithoutIds(), [{ type: "join", room: ROOM, role: "spectator" }]);
});

test("who finds both seats taken watches instead", () => {
  const client = welcomed();
  const { id } = client.send({ type: "join", room: ROOM, role: "player" });
  client.take();
  client.receive({ type: "refused", id, code: "seats_taken", message: "no" });
  equal(client.takeWithoutIds(), [{ type: "join", room: ROOM, role: "spectator" }]);
});

test("a device that slept asks for a snapshot where a clock runs", () => {
  const client = inRoom().act({ type: "wake" });
  equal(client.takeWithoutIds(), [{ type: "sync", room: ROOM }]);
  const untimed = { ...golden("snapshot"), move_ms_left: null };
  equal(inRoom(untimed).act({ type: "wake" }).take(), []);
  const o = { state: "away", claim_in_ms: 500 };
  const alone = inRoom({ ...untimed, presence: presence({ o }) }).act({ type: "wake" });
  equal(alone.takeWithoutIds(), [{ type: "sync", room: ROOM }], "an absence has a clock");
});
