// The chat of a room: where it stands, what is shown, when something may be said.
// @ts-check

import { Composer } from "../../server/web/js/chat/composer.js";
import { EMOTES, isEmote } from "../../server/web/js/chat/emotes.js";
import { charsLeft, isCounted, lastNumber, shownLines, tidy, unheard, waitToSay, waitingToSay }
  from "../../server/web/js/chat/lines.js";
import { EmoteBar } from "../../server/web/js/chat/flight.js";
import { Log } from "../../server/web/js/chat/log.js";
import { html, render } from "../../server/web/js/html.js";
import { hear, memoryOf, noteNames, noteSaid } from "../../server/web/js/chat/memory.js";
import { CHAT_BURST, CHAT_WINDOW_MS, MAX_CHAT_CHARS } from "../../server/web/js/client/generated/constants.js";
import { chatPlace } from "../../server/web/js/room/chat-place.js";
import { addStrings } from "../../server/web/js/strings.js";
import { equal, some, test } from "./runner.js";
import { InPage, inElement } from "./sheet.js";
import { ADA, BEN, VISITOR, golden, inRoom, presence } from "./test-client.js";

/** @param {number} n @param {string} player @param {any} [more] @returns {any} a line */
const line = (n, player, more) => ({ n, player, name: player === ADA ? "Ada" : "Ben", said: { text: `line ${n}` }, ...more });

/** @param {any[]} lines @param {string} [player] @returns {any} the state in a room in which they were said */
function talking(lines, player = ADA) {
  const client = inRoom(golden("snapshot"), player === VISITOR ? "spectator" : "player", player);
  client.receive(/** @type {any} */ ({ type: "chat", room: client.room.code, lines, muted: [] }));
  return client.state;
}

/** @param {any} state @param {any} change of the room @returns {any} */
const withRoom = (state, change) => ({ ...state, room: { ...state.room, ...change } });

test("the chat is a panel for people who play each other in a wide window, else behind a button", () => {
  const state = talking([]);
  equal([chatPlace(state, true), chatPlace(state, false)], ["panel", "button"]);
  const watching = talking([], VISITOR);
  equal([chatPlace(watching, true), chatPlace(watching, false)], ["panel", "button"]);
});

test("there is no chat where it is off, or where nobody would hear anything", () => {
  const state = talking([]);
  equal(chatPlace({ ...state, features: { ...state.features, chat: false } }, true), null);
  equal(chatPlace(withRoom(state, { settings: { ...state.room.settings, chat: "off" } }), true), null);
  const computer = { kind: "computer", strategy: "minimax", strength: "weak" };
  const alone = withRoom(state, {
    seats: { ...state.room.seats, [state.room.you[0] === "x" ? "o" : "x"]: computer },
    presence: presence({ spectators: 0 }),
  });
  equal(chatPlace(alone, true), null);
  const watched = { presence: presence({ spectators: 1 }) };
  equal(chatPlace(withRoom(alone, watched), true), "button", "somebody watches");
  equal(chatPlace(withRoom(alone, { chat: { lines: [line(1, BEN)], muted: [] } }), true), "button", "lines stay");
});

test("an empty log says how to begin, but not where only pictures are sent", () => {
  const shown = (/** @type {"text" | "emotes"} */ chat) => {
    const state = talking([]);
    const root = document.createElement("div");
    render(html`<${Log} state=${withRoom(state, { settings: { ...state.room.settings, chat } })} />`, root);
    const count = root.querySelectorAll(".note").length;
    render(null, root);
    return count;
  };
  equal([shown("text"), shown("emotes")], [1, 0]);
});

/** Draws where something is said in a room. @param {HTMLElement} root @param {object} change of the room @param {any[]} [sent] */
function compose(root, change, sent = []) {
  const page = { send: (/** @type {any} */ intent) => sent.push(intent) };
  render(html`<${InPage} page=${page}><${Composer} state=${withRoom(talking([]), change)} open=${false} /><//>`, root);
  return root.querySelector("input");
}

test("in a room of pictures alone there is no field for a text", () => inElement(async (root) => {
  await addStrings("chat");
  /** @type {any[]} */
  const sent = [];
  equal(compose(root, { code: "PPPPP", settings: { ...golden("snapshot").settings, chat: "emotes" } }, sent), null);
  equal(root.querySelector("[role=status]")?.textContent, "In this room you send pictures only.");
  root.querySelector("button")?.click();
  equal(sent, [{ type: "say", room: "PPPPP", said: { emote: EMOTES[0] } }]);
}));

/** Catches emotes that one leaves behind by opening them. */
test("the tab key finds the emotes after the button that opens them, and before the field", () => inElement(async (root) => {
  compose(root, { code: "EEEEE" });
  some(root.querySelector(".composer-emotes"), "the button").dispatchEvent(new Event("click"));
  await Promise.resolve();
  const names = [...root.querySelectorAll(".composer-emotes, .emote-button, input")].map(({ classList: [name] }) => name);
  equal([names[0], names.length, names[1], names.at(-1)], ["button-quiet", EMOTES.length + 2, "emote-button", "input"]);
}));

test("a text that is half typed is there again when the sheet takes the place of the panel", () => inElement(async (root) => {
  const field = some(compose(root, { code: "DDDDD" }), "a field");
  field.value = "half a sen";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  await Promise.resolve();
  render(null, root);
  equal(compose(root, { code: "DDDDD" })?.value, "half a sen");
}));

test("a speaker is named once for lines in a row, and the player's own lines are known", () => {
  const shown = shownLines(talking([line(1, BEN, { seat: "o" }), line(2, BEN, { seat: "o" }), line(3, ADA), line(4, BEN)]));
  equal(shown.map(({ first }) => first), [true, false, true, true]);
  equal(shown.map(({ mine }) => mine), [false, false, true, false]);
});

test("the lines of the leader of the room's party are marked by the id", () => {
  const state = talking([line(1, BEN, { seat: "o" }), line(2, VISITOR, { name: "Ben" })]);
  const { settings } = state.room;
  const marked = (/** @type {any} */ room) => shownLines(room).map(({ leads }) => leads);
  const party = { state: { code: "NGHTS" }, leading: BEN };
  equal(marked(state), [false, false]);
  equal(marked({ ...state, party }), [false, false], "the room is not of this party");
  const inParty = { ...state.room, settings: { ...settings, party: { party: "NGHTS", pairing: 1, table: 1, game: 1 } } };
  equal(marked({ ...state, party, room: inParty }), [true, false]);
});

test("own lines are never new, nor what was in sight", () => {
  const lines = shownLines(talking([line(1, BEN), line(2, ADA), line(3, BEN)]));
  equal([unheard(lines, 0), unheard(lines, 1), unheard(lines, 3)], [2, 1, 0]);
  equal([lastNumber(lines), lastNumber([])], [3, 0]);
});

test("what is said without a connection waits in sight", () => {
  const client = inRoom();
  const { code } = client.room;
  client.send({ type: "say", room: code, said: { text: "Hello" } });
  equal(waitingToSay(/** @type {any} */ (client.state)), [], "it is on its way");
  client.lose();
  equal(waitingToSay(/** @type {any} */ (client.state)).map(({ said }) => said), [{ text: "Hello" }]);
});

test("characters are counted as people count them, without the spaces that nobody sees", () => {
  equal(tidy("  a \n b  "), "a b");
  equal(charsLeft("  ab  "), MAX_CHAT_CHARS - 2);
  equal(charsLeft("🦊".repeat(MAX_CHAT_CHARS)), 0, "two units each");
  equal(charsLeft("e\u0301❤\ufe0f"), MAX_CHAT_CHARS - 3, "nine bytes count as three");
  equal(charsLeft("👨‍👩‍👧"), MAX_CHAT_CHARS - 5, "18 bytes count as five");
  equal([isCounted("a"), isCounted("a".repeat(MAX_CHAT_CHARS - 30))], [false, true]);
  equal(charsLeft("a".repeat(MAX_CHAT_CHARS + 3)), -3);
});

test("five lines in ten seconds are the most", () => {
  const room = "QQQQQ";
  equal(waitToSay(memoryOf(room).said, 0), 0);
  for (let at = 0; at < CHAT_BURST; at += 1) noteSaid(room, 1000 + at);
  equal(waitToSay(memoryOf(room).said, 1500), CHAT_WINDOW_MS - 500);
  equal(waitToSay(memoryOf(room).said, 1000 + CHAT_WINDOW_MS), 0);
  noteSaid(room, 1000 + CHAT_WINDOW_MS);
  equal(waitToSay(memoryOf(room).said, 1000 + CHAT_WINDOW_MS), 1, "the second one is in the window");
});

test("a row of emotes that says too much says so", () => inElement((root) => {
  /** @type {any[]} */
  const sent = [];
  /** @type {any[]} */
  const told = [];
  const page = { send: (/** @type {any} */ intent) => sent.push(intent), dispatch: (/** @type {any} */ action) => told.push(action.notice.key) };
  const { state } = inRoom();
  render(html`<${InPage} page=${page}><${EmoteBar} state=${{ ...state, room: { ...state.room, code: "VVVVV" } }} /><//>`, root);
  for (let at = 0; at <= CHAT_BURST; at += 1) root.querySelector("button")?.click();
  equal([sent.length, told], [CHAT_BURST, ["refused.rate_limited.say"]]);
}));

test("another room has its own memory, and the names are bounded", () => {
  memoryOf("BBBBB").draft = "half a sen";
  hear("BBBBB", [{ n: 7 }]);
  equal([memoryOf("BBBBB").draft, memoryOf("BBBBB").heard], ["half a sen", 7]);
  hear("BBBBB", []);
  equal(memoryOf("BBBBB").heard, 7, "it never falls");
  equal([memoryOf("CCCCC").draft, memoryOf("CCCCC").heard], ["", 0]);
  equal([memoryOf("BBBBB").draft, memoryOf("BBBBB").heard], ["", 7], "a new memory, as after a reload, knows what was in sight");
  memoryOf("CCCCC");
  noteNames("CCCCC", Array.from({ length: 300 }, (_, at) => line(at, `p${at}`)));
  some(memoryOf("CCCCC").names.size <= 100, "at most a hundred names");
  some(memoryOf("CCCCC").names.has("p299"), "the last ones");
});

test("there are eight emotes, and an unknown one is none", () => {
  equal(EMOTES.length, 8);
  equal([isEmote("hello"), isEmote("constructor"), isEmote("dance")], [true, false, false]);
});
