// What the page says by itself: back into the room, the queue and what is unanswered after a break;
// the lobby while it is looked at; what leaving a place takes back.
// @ts-check

import { equal, test } from "./runner.js";
import { ROOM, Visit, golden, inRoom } from "./test-client.js";

/** @param {Visit} visit @returns {Visit} after a break and a new welcome */
const comesBack = (visit) => visit.lose().hear(golden("welcome"));

/** @returns {Visit} somebody whom the server has welcomed */
const welcomed = () => new Visit().hear(golden("welcome"));

test("a queue that was answered is taken up again after a break, as the same request", () => {
  const visit = welcomed();
  const asked = visit.send({ type: "quick_match" });
  visit.hear({ type: "ok", id: asked.id });
  visit.take();
  for (const time of ["the first", "the second"]) {
    comesBack(visit);
    equal(visit.take(), [asked], `${time} break`);
    equal(visit.state.matching?.message, asked);
  }
});

test("a queue without an answer is asked for once after a break", () => {
  const visit = welcomed();
  const asked = visit.send({ type: "quick_match" });
  visit.take();
  equal(comesBack(visit).take(), [asked]);
});

test("a queue that does not take us back is over, and says so", () => {
  const visit = welcomed();
  const { id } = visit.send({ type: "quick_match" });
  visit.hear({ type: "ok", id });
  comesBack(visit).hear({ type: "refused", id, code: "too_many", message: "no" });
  equal([visit.state.matching, visit.state.notice?.key], [null, "refused.too_many"]);
  visit.take();
  equal(comesBack(visit).take(), [], "not asked for again");
});

test("a cancelled queue stays cancelled after a break", () => {
  const visit = welcomed();
  visit.hear({ type: "ok", id: visit.send({ type: "quick_match" }).id });
  visit.hear({ type: "ok", id: visit.send({ type: "cancel_match" }).id });
  visit.take();
  equal(comesBack(visit).take(), []);
});

test("the room that was awaited is asked for again after a break", () => {
  for (const role of /** @type {const} */ (["player", "spectator"])) {
    const visit = welcomed();
    const { id } = visit.send({ type: "join", room: ROOM, role });
    visit.hear({ type: "ok", id, room: ROOM });
    visit.take();
    comesBack(visit);
    equal(visit.takeWithoutIds(), [{ type: "join", room: ROOM, role }]);
    visit.hear(golden("snapshot"));
    equal([visit.room.code, visit.state.entering], [ROOM, null]);
  }
});

test("a room that was made and not yet shown is asked for again after a break", () => {
  const visit = welcomed();
  const { id } = visit.send({ type: "create" });
  visit.hear({ type: "ok", id, room: ROOM });
  visit.take();
  comesBack(visit);
  equal(visit.takeWithoutIds(), [{ type: "join", room: ROOM, role: "player" }]);
});

test("a room that was asked for and not answered is asked for once after a break", () => {
  const visit = welcomed();
  const asked = visit.send({ type: "create" });
  visit.take();
  equal(comesBack(visit).take(), [asked]);
});

test("after a break comes the room first, then the moves that nobody answered, as they were", () => {
  const visit = inRoom();
  const played = visit.send({ type: "play", room: ROOM, game: 1, ply: 2, cell: 8 });
  visit.take();
  const [join, again] = comesBack(visit).take();
  equal([join.type, again], ["join", played]);
  visit.hear({ type: "ok", id: played.id });
  equal(visit.state.pending.map(({ message }) => message.type), ["join"]);
});

test("after a break a spectator comes back as one", () => {
  const visit = inRoom({ ...golden("snapshot"), you: [] }, "spectator");
  comesBack(visit);
  equal(visit.takeWithoutIds(), [{ type: "join", room: ROOM, role: "spectator" }]);
});

test("a leaving that nobody answered is said from within the room, before anything else", () => {
  const visit = inRoom();
  const left = visit.send({ type: "leave", room: ROOM });
  const made = visit.send({ type: "create" });
  visit.take();
  const sent = comesBack(visit).take();
  equal(sent.map(({ type }) => type), ["join", "leave", "create"]);
  equal(sent.slice(1), [left, made]);
});

test("a closed room is not entered again after a break", () => {
  const visit = inRoom();
  visit.hear({ type: "event", room: ROOM, v: 6, event: { kind: "closed", reason: "idle" } });
  equal(comesBack(visit).take(), []);
});

test("a room that cannot be read after a break is asked for again by a retry", () => {
  const visit = comesBack(inRoom());
  const [{ id }] = visit.take();
  visit.hear({ type: "refused", id, code: "not_stored", message: "no" });
  equal([visit.room.desynced, visit.state.notice?.key], ["unreadable", "notice.roomUnreadable"]);
  visit.act({ type: "retry" });
  equal(visit.takeWithoutIds(), [{ type: "join", room: ROOM, role: "player" }]);
  visit.hear(golden("snapshot"));
  equal([visit.room.desynced, visit.state.notice], ["no", null]);
});

test("the lobby is watched while it is looked at, also after a break", () => {
  const visit = welcomed().act({ type: "route", route: { screen: "lobby" } });
  const [{ id, type }] = visit.take();
  equal(type, "watch_lobby");
  visit.hear({ type: "ok", id });
  comesBack(visit);
  equal(visit.takeWithoutIds(), [{ type: "watch_lobby" }]);
  visit.act({ type: "route", route: { screen: "welcome" } });
  equal(visit.takeWithoutIds(), [{ type: "unwatch_lobby" }]);
});

test("leaving the screen of the queue leaves the queue", () => {
  const visit = welcomed().act({ type: "route", route: { screen: "quick" } });
  visit.hear({ type: "ok", id: visit.send({ type: "quick_match" }).id });
  visit.take();
  visit.act({ type: "route", route: { screen: "welcome" } });
  equal(visit.takeWithoutIds(), [{ type: "cancel_match" }]);
});

test("the address of a room enters it as a spectator, who takes the free seat only if asked", () => {
  const visit = welcomed().act({ type: "route", route: { screen: "room", code: ROOM } });
  equal(visit.takeWithoutIds(), [{ type: "join", room: ROOM, role: "spectator" }]);
});

test("who finds both seats taken watches instead", () => {
  const visit = welcomed();
  const { id } = visit.send({ type: "join", room: ROOM, role: "player" });
  visit.take();
  visit.hear({ type: "refused", id, code: "seats_taken", message: "no" });
  equal(visit.takeWithoutIds(), [{ type: "join", room: ROOM, role: "spectator" }]);
});

test("a device that slept asks for a snapshot where a clock runs", () => {
  const visit = inRoom().act({ type: "wake" });
  equal(visit.takeWithoutIds(), [{ type: "sync", room: ROOM }]);
  const calm = inRoom({ ...golden("snapshot"), move_ms_left: null }).act({ type: "wake" });
  equal(calm.take(), []);
});
