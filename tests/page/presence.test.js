// What passes in a room, in texts by what has changed.
// @ts-check

import { changesText } from "../../server/web/js/room/changes-text.js";
import { setLanguage, strings } from "../../server/web/js/strings.js";
import { equal, test } from "./runner.js";
import { BEN, ROOM, VISITOR, golden, inRoom, presence } from "./test-client.js";

/** @param {object} [change] @returns {any} */
const message = (change) => ({ type: "presence", room: ROOM, ...presence(change) });

/** @param {number} v @param {object} event @returns {any} */
const fact = (v, event) => ({ type: "event", room: ROOM, v, event });

/** @param {number} left @returns {object} a change of the presence */
const away = (left) => ({ o: { state: "away", claim_in_ms: left } });

/** @param {object} change of the presence @returns {any} a room of two people after a game */
const over = (change) => {
  const { seats } = golden("snapshot");
  return { ...golden("snapshot.over"), seats, presence: presence(change) };
};

/**
 * The texts that a client says to a screen reader while messages come in.
 *
 * @param {import("./test-client.js").TestClient} client @param {any[]} messages
 */
const texts = (client, messages) =>
  messages.map((one) => {
    const before = client.room;
    return changesText(before, client.receive(one).room);
  });

test("a connection that is lost, gone and back is said once each, in both languages", async () => {
  const gone = { o: { state: "gone" } };
  const messages = [message(away(500)), message(away(400)), message(gone), message(gone), message()];
  equal(texts(inRoom(), messages), [
    "Ben Łoś lost the connection.",
    "",
    "Ben Łoś has been away for too long.",
    "",
    "Ben Łoś is back.",
  ]);
  equal(texts(inRoom(golden("snapshot"), "player", BEN), messages), ["", "", "", "", ""], "not of us");
  await setLanguage("de");
  const [lost, , long, , back] = texts(inRoom(), messages);
  await setLanguage("en");
  equal([lost, long, back], [
    "Ben Łoś hat die Verbindung verloren.",
    "Ben Łoś ist schon zu lange weg.",
    "Ben Łoś ist zurück.",
  ]);
});

test("a rematch offer is said when it comes and when it goes", () => {
  const messages = [
    message({ rematch: "o" }),
    message({ rematch: "o" }),
    message(),
    message({ rematch: "x" }),
    message(),
  ].map((one) => ({ ...one, v: over({}).v }));
  equal(texts(inRoom(over({})), messages), [
    "Ben Łoś wants to play again.",
    "",
    "Ben Łoś cancelled the offer.",
    "You want to play again.",
    "You cancelled your offer.",
  ]);
});

test("an absence that ends an offer is one text", () => {
  equal(texts(inRoom(over({ rematch: "o" })), [message(away(500))]), [
    "Ben Łoś lost the connection. Ben Łoś cancelled the offer.",
  ]);
});

test("spectators who come and go are not announced", () => {
  equal(texts(inRoom(), [message({ spectators: 3 })]), [""]);
});

test("who leaves or comes is said by the seat alone, before the presence and after it", () => {
  const { v } = over({});
  const seated = (/** @type {number} */ after, /** @type {object} */ seat) =>
    fact(v + after, { kind: "seated", mark: "o", seat });
  const cleo = { kind: "human", player: VISITOR, name: "Cleo" };
  const messages = [seated(1, { kind: "open" }), message({ o: null }), seated(2, cleo), message()];
  equal(texts(inRoom(over({ o: { state: "gone" }, rematch: "o" })), messages), [
    "Ben Łoś left. The seat of O is open.",
    "",
    "Cleo joins as O.",
    "",
  ]);
});

test("players who exchange sides are said to play the other mark, and nothing of their connections", () => {
  const { seats, score, ...rest } = golden("snapshot.opening");
  const x = { state: "away", claim_in_ms: 500 };
  const snapshot = { ...rest, seats, score, presence: presence({ x }) };
  const client = inRoom(snapshot, "spectator", VISITOR);
  const event = { kind: "chosen", game: 1, choice: "x", seats: { x: seats.o, o: seats.x }, score };
  const messages = [fact(snapshot.v + 1, event), message({ o: x })];
  equal(texts(client, messages), ["Ben Łoś plays X. Ada plays O. Ada’s turn.", ""]);
});
