// The presence of a room, in texts by what has changed.
// @ts-check

import { changesText } from "../../server/web/js/room/changes-text.js";
import { ratedText, ratedWord, ratingOf } from "../../server/web/js/room/rating.js";
import { setLanguage, strings } from "../../server/web/js/strings.js";
import { equal, some, test } from "./runner.js";
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
    "Ben Łoś is away.",
    "",
    "Ben Łoś has been away for too long. You may claim the win.",
    "",
    "Ben Łoś is back.",
  ]);
  equal(texts(inRoom(golden("snapshot"), "player", BEN), messages), ["", "", "", "", ""], "not of us");
  await setLanguage("de");
  const [lost, , long, , back] = texts(inRoom(), messages);
  await setLanguage("en");
  equal([lost, long, back], [
    "Ben Łoś ist gerade weg.",
    "Ben Łoś ist zu lange weg. Du kannst es als Sieg werten.",
    "Ben Łoś ist zurück.",
  ]);
});

test("a claim is promised to players alone, and while the game runs", () => {
  const gone = { o: { state: "gone" } };
  const last = (/** @type {any} */ snapshot) => texts(inRoom(snapshot), [{ ...message(gone), v: snapshot.v }])[0];
  equal(last(over({})), "Ben Łoś has been away for too long.");
  equal(changesText(inRoom().room, { ...inRoom().receive(message(gone)).room, you: [] }), "Ben Łoś has been away for too long.");
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
    "The offer has ended.",
    "You want to play again.",
    "The offer has ended.",
  ]);
});

test("an absence that ends an offer is one text", () => {
  equal(texts(inRoom(over({ rematch: "o" })), [message(away(500))]), [
    "Ben Łoś is away. The offer has ended.",
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
    "Ben Łoś left. The seat is open.",
    "",
    "Cleo joins.",
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

test("what is rated is said before a game, and the viewer's new rating after it", async () => {
  const rated = (/** @type {boolean} */ is, /** @type {object | null} */ x, /** @type {object | null} */ o) =>
    message({ ratings: { rated: is, x, o } });
  const before = [rated(true, null, { rating: 1523 }), rated(true, null, { rating: 1523 }), rated(false, null, null)];
  equal(texts(inRoom(), before), ["Rated.", "", "Not rated."]);
  const ended = inRoom(over({ ratings: { rated: true, x: null, o: { rating: 1523 } } }));
  const after = rated(true, { rating: 1662, provisional: true, before: 1500 }, { rating: 1515, before: 1523 });
  equal(texts(ended, [after]), ["Your rating: 1662? (+162)."]);
  const { room } = ended;
  equal([ratingOf(room, "x"), ratingOf(room, "o"), ratedWord(room)], [["1662?", "+162"], ["1515", "−8"], "rated"]);
  await setLanguage("de");
  equal([ratedText(room), strings("room.unrated")], ["Gewertet.", "nicht gewertet"]);
  await setLanguage("en");
  // The next game begins with the ratings of the last one, and without their changes.
  const game = { kind: "game_started", game: 9, first: "x", score: { x: 1, o: 0, draws: 0 } };
  const next = ended.receive(fact(room.v + 1, { ...game, game: some(room.game, "game").number + 1 })).room;
  equal([ratingOf(next, "x"), ratingOf(next, "o")], [["1662?", ""], ["1515", ""]]);
  const left = ended.receive(fact(next.v + 1, { kind: "seated", mark: "o", seat: { kind: "open" } })).room;
  equal([ratingOf(left, "x"), ratingOf(left, "o")], [["1662?", ""], null], "a rating goes with its player");
});
