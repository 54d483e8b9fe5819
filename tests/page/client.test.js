// The client of `protocol/js` on a WebSocket of the test, which plays the server: promises, a break, refusals.
// @ts-check

import { connect } from "../../server/web/js/client/index.js";
import { equal, some, test } from "./runner.js";
import { ADA, ROOM, golden } from "./test-client.js";

/** The sockets that the client has opened, the last one last, with what it has sent. @type {FakeSocket[]} */
let sockets = [];

/** Called after each message of the client. @type {() => void} */
let wake = () => {};

class FakeSocket {
  readyState = 1;
  /** @type {any[]} */ sent = [];
  /** @type {any} */ onopen = null;
  /** @type {any} */ onmessage = null;
  /** @type {any} */ onclose = null;

  constructor() {
    sockets.push(this);
    queueMicrotask(() => this.onopen?.());
  }

  /** @param {string} text */
  send(text) {
    // A socket that is open already may be greeted twice.
    this.sent.push(JSON.parse(text));
    wake();
  }

  close() {}

  /** @param {object} message */
  tell(message) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

/** Waits for a message of a type on the socket of a number. @param {number} number @param {string} type */
async function sent(number, type) {
  for (;;) {
    const message = sockets[number]?.sent.find((one) => one.type === type);
    if (message) return message;
    await new Promise((resolve) => { wake = () => resolve(null); });
  }
}

/** A client that is in the golden room. */
async function playing() {
  sockets = [];
  const kept = /** @type {string[]} */ ([]);
  const store = { load: () => null, save: (/** @type {string} */ token) => kept.push(token) };
  const client = connect("http://noughts.test", { name: "Ada", store, WebSocket: /** @type {any} */ (FakeSocket) });
  const joined = client.join(ROOM);
  await sent(0, "hello");
  sockets[0].tell({ ...golden("welcome"), player: ADA });
  const { id } = await sent(0, "join");
  sockets[0].tell({ type: "ok", id, room: ROOM });
  sockets[0].tell(golden("snapshot"));
  equal((await joined).code, ROOM);
  return { client, kept };
}

test("a client is in a room when its promise says so, and keeps its token", async () => {
  const { client, kept } = await playing();
  equal(kept, [golden("welcome").token]);
  equal(client.me?.player, ADA);
  client.close();
});

test("a ping of one's own is answered", async () => {
  const { client } = await playing();
  const pinged = client.ask({ type: "ping" });
  const { id } = await sent(0, "ping");
  const pong = { ...golden("pong.no_room"), id };
  sockets[0].tell(pong);
  equal([await pinged, client.session.unanswered.filter(({ type }) => type === "ping")], [pong, []]);
  client.close();
});

test("a promise of a client survives a break", async () => {
  const { client, kept } = await playing();
  const said = client.say("Hello");
  const first = await sent(0, "say");
  sockets[0].onclose({ code: 1006, reason: "" });
  equal((await sent(1, "hello")).token, kept[0]);
  sockets[1].tell({ ...golden("welcome"), player: ADA });
  equal(await sent(1, "say"), first, "the same message with the same id");
  sockets[1].tell({ type: "ok", id: first.id });
  equal(await said ?? null, null);
  equal(kept.length, 1, "the same token is not kept again");
  client.close();
});

/** @param {Promise<unknown>} promise @returns {Promise<string>} the code of its refusal */
const codeOf = (promise) => promise.then(() => "none", ({ code }) => code);

test("a client's promise is refused by the server, by the client, or by its end", async () => {
  const { client } = await playing();
  const refused = client.say("Hello");
  const { id } = await sent(0, "say");
  sockets[0].tell({ type: "refused", id, code: "chat_off", message: "quiet" });
  equal(await codeOf(refused), "chat_off");
  equal(await codeOf(client.play(99)), "no_such_cell");
  const open = client.say("Bye");
  client.close();
  equal(await codeOf(open), "closed");
  equal(await codeOf(client.say("Anybody?")), "closed");
  some(sockets.length === 1, "no other socket");
});

test("a client goes on after a hello that is refused in passing, and ends after another", async () => {
  const greeted = async (/** @type {string} */ code) => {
    sockets = [];
    const client = connect("http://noughts.test", { WebSocket: /** @type {any} */ (FakeSocket) });
    const joined = codeOf(client.join(ROOM));
    await sent(0, "hello");
    sockets[0].tell({ type: "refused", id: null, code, message: "no" });
    const { phase } = client.session;
    client.close();
    return [phase, await joined];
  };
  equal(await greeted("full"), ["connecting", "closed"]);
  equal(await greeted("banned"), ["ended", "banned"]);
});

// Catches: any room that is entered is given to whoever waits for a room.
test("a quick match waits for its own room", async () => {
  const { client } = await playing();
  const matched = codeOf(client.quickMatch());
  sockets[0].tell({ type: "ok", id: (await sent(0, "quick_match")).id });
  const created = client.create();
  sockets[0].tell({ type: "ok", id: (await sent(0, "create")).id, room: "BCDFG" });
  sockets[0].tell({ ...golden("snapshot"), room: "BCDFG" });
  equal([(await created).code, await matched], ["BCDFG", "dropped"]);
  sockets[0].sent = [];

  // A second wait leaves the first one its match, and a second join takes the place of the first.
  const both = [client.quickMatch(), client.quickMatch()];
  const ids = sockets[0].sent.map(({ id }) => id);
  ids.forEach((id) => sockets[0].tell({ type: "ok", id }));
  sockets[0].tell({ ...golden("snapshot"), room: "FGHJK" });
  equal((await Promise.all(both)).map(({ code }) => code), ["FGHJK", "FGHJK"]);
  const rooms = [codeOf(client.join("GHJKL")), codeOf(client.join("HJKLM"))];
  sockets[0].sent.slice(2).forEach(({ id, room }) => sockets[0].tell({ type: "ok", id, room }));
  sockets[0].tell({ ...golden("snapshot"), room: "HJKLM" });
  equal(await Promise.all(rooms), ["dropped", "none"]);
  sockets[0].sent = [];

  // A party leads the player to a table, which ends the wait too.
  const party = golden("party").party;
  const followed = client.joinParty(party);
  sockets[0].tell({ type: "ok", id: (await sent(0, "join_party")).id, party });
  sockets[0].tell(golden("party"));
  await followed;
  const second = codeOf(client.quickMatch());
  sockets[0].tell({ type: "ok", id: (await sent(0, "quick_match")).id });
  sockets[0].tell({ ...golden("snapshot.party"), room: "CDFGH" });
  equal([client.room?.code, await second], ["CDFGH", "dropped"]);
  client.close();
});

// Catches: a store that throws or rejects leaves promises open, and its error to the whole program.
test("a store that fails ends its client", async () => {
  const fail = () => {
    throw new Error("no space left");
  };
  const load = () => null;
  for (const store of [{ load: fail, save() {} }, { load, save: fail }, { load, save: async () => fail() }]) {
    sockets = [];
    const client = connect("http://noughts.test", { store, WebSocket: /** @type {any} */ (FakeSocket) });
    const told = /** @type {string[]} */ ([]);
    client.on("welcome", () => told.push("welcome"));
    client.on("ended", ({ reason }) => told.push(reason));
    const joined = codeOf(client.join(ROOM));
    if (store.load === load) {
      await sent(0, "hello");
      sockets[0].tell(golden("welcome"));
    }
    setTimeout(() => client.close());
    equal(await joined, "store");
    equal(told, [...(store.load === load ? ["welcome"] : []), "the store does not work: no space left"]);
  }
});

test("a client says which option it does not know", async () => {
  const options = /** @type {any} */ ({ nmae: "Ada" });
  let said = "";
  try {
    connect("http://noughts.test", options);
  } catch (error) {
    said = String(error);
  }
  equal(said, "TypeError: connect() has no nmae, but name, face, password, store, WebSocket");
  const { client } = await playing();
  const messageOf = (/** @type {Promise<unknown>} */ promise) => promise.then(() => "none", ({ message }) => message.split(",")[0]);
  const any = /** @type {any} */ (client);
  equal(await messageOf(any.create({ board: "7x7x4" })), "create has no board");
  equal(await messageOf(any.create({ settings: { listd: true } })), "settings has no listd");
  equal(await messageOf(any.quickMatch({ variants: "line" })), "quick_match has no variants");
  equal(await messageOf(any.createParty("Friday", { settings: { listed: true } })), "settings has no listed");
  equal(sockets[0].sent.some(({ type }) => type.startsWith("create")), false);
  client.close();
});

test("a client whose machine has slept asks for what counts down", async () => {
  const { client } = await playing();
  const { now } = Date;
  Date.now = () => now() + 60_000;
  sockets[0].tell(golden("features"));
  Date.now = now;
  equal((await sent(0, "sync")).room, ROOM);
  client.close();
});

test("a client asks again what came too fast", async () => {
  const { client } = await playing();
  const said = client.say("Hello");
  const { id, ...first } = await sent(0, "say");
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = /** @type {any} */ ((/** @type {() => void} */ act) => wait(act, 0));
  sockets[0].sent = [];
  sockets[0].tell({ type: "refused", id, code: "rate_limited", message: "slower" });
  const { id: again, ...second } = await sent(0, "say");
  globalThis.setTimeout = wait;
  equal([second, again === id], [first, false]);
  sockets[0].tell({ type: "ok", id: again });
  equal(await said ?? null, null);
  client.close();
});
