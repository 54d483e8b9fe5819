// Kept games and people: the tempo of a game, the file of an identity, filters, texts.
// @ts-check

import { ask } from "../../server/web/js/people/ask.js";
import { KeptGame } from "../../server/web/js/people/game.js";
import { GameList } from "../../server/web/js/people/game-list.js";
import { Games, historyIntent } from "../../server/web/js/people/games.js";
import { fileName, fileText, parseFile } from "../../server/web/js/people/identity-file.js";
import { foeOf, isId, outcomeText, roomOf } from "../../server/web/js/people/kept.js";
import { LONGEST_MS, SHORTEST_MS, waitFor } from "../../server/web/js/people/playback.js";
import { foundIn, questionOf } from "../../server/web/js/people/question.js";
import { Profile, computerRows } from "../../server/web/js/people/profile.js";
import { drawCard } from "../../server/web/js/people/share-card.js";
import { html, render } from "../../server/web/js/html.js";
import { initialState } from "../../server/web/js/core/state.js";
import { Tour } from "../../server/web/js/people/tour.js";
import { addStrings, strings } from "../../server/web/js/strings.js";
import { equal, some, test } from "./runner.js";
import { InPage, inElement } from "./sheet.js";
import { golden } from "./test-client.js";

/** @typedef {import("../../server/web/js/client/protocol.js").GameSummary} GameSummary */

const ADA = "00000000000000aa";
const BOB = "00000000000000bb";
const BOARD = { width: 3, height: 3, line: 3 };

/** @type {GameSummary} */
const GAME = {
  id: "0123456789abcdef", ended_at: 1_000, board: BOARD, plies: 5, rated: false, public: false,
  players: { x: { kind: "human", player: ADA, name: "Ada" }, o: { kind: "human", player: BOB, name: "Bob" } },
  result: { how: "line", winner: "x", lines: [{ kind: "row", number: 1, cells: [0, 1, 2] }] },
};

test("a game plays in its own tempo, within bounds", () => {
  const times = [10, 900, 90_000];
  equal([0, 1, 2].map((ply) => waitFor(times, ply)), [SHORTEST_MS, 890, LONGEST_MS]);
  equal(waitFor([], 3), SHORTEST_MS, "a time that is missing");
});

test("an identity is read from the file that it was saved to, and from no other", () => {
  const kept = { server: "http://example.org/", name: "Ada \"L\"", token: "secret" };
  equal(parseFile(fileText(kept)), kept);
  equal(parseFile('{"noughts_identity":1,"name":"Ada","token":"t","later":2}'), { server: "", name: "Ada", token: "t" });
  for (const text of ["", "null", "[]", "{}", "{\"noughts_identity\":2,\"name\":\"Ada\",\"token\":\"t\"}",
    "{\"noughts_identity\":1,\"name\":\"Ada\"}", "{\"noughts_identity\":1,\"name\":3,\"token\":\"t\"}",
    "{\"noughts_identity\":1,\"name\":\"Ada\",\"token\":\"\"}"]) {
    equal(parseFile(text), null, text);
  }
  equal(["Ada / Bob", "../..", "小明"].map(fileName), ["noughts-Ada-Bob.json", "noughts-me.json", "noughts-小明.json"]);
});

test("filters become the intent of a history", () => {
  const none = { opponent: "", board: "", outcome: "" };
  equal(historyIntent(none, null), { type: "history" });
  equal(historyIntent({ opponent: "human", board: "15x15x5 exact", outcome: "won" }, GAME.id), {
    type: "history", opponent: "human", board: { width: 15, height: 15, line: 5 }, variant: "exact", outcome: "won", before: GAME.id,
  });
  equal(historyIntent({ ...none, opponent: BOB }, null), { type: "history", opponent: { player: BOB } });
});

test("the own profile has the name that the player has now", () => inElement(async (root) => {
  await addStrings("people");
  const tally = { wins: 0, losses: 0, draws: 0 };
  const profile = { player: ADA, name: "Ada", tally, recent: [], computers: [], boards: [], opponents: [], ratings: [] };
  const player = { name: () => "Ada L", face: () => null, id: () => ADA, isRenamed: () => false, secret: () => ({ name: "Ada L", token: null }) };
  const asked = { message: { type: "profile", id: 1 }, found: { kind: "profile", profile }, refusal: null };
  const state = { ...initialState({ screen: "profile", player: null }), me: { player: ADA, name: "Ada" }, questions: { profile: asked } };
  const page = { player, send() {}, arrived() {} };
  render(html`<${InPage} page=${page}><${Profile} page=${page} state=${state} /><//>`, root);
  equal(root.querySelector("h1")?.textContent, "Ada L");
}));

test("the list on a player's page tells results from that player's side", async () => {
  await addStrings("people");
  const page = document.createElement("div");
  render(html`<${GameList} games=${[GAME]} me=${BOB} side=${ADA} label="" />`, page);
  equal(page.querySelector(".kept-outcome")?.textContent, "Won");
  equal(page.querySelector(".kept-again")?.getAttribute("title"), "Play Ada again");
});

/** A question that was refused in a busy moment. @param {object} intent */
const busy = (intent) => ({ message: { ...intent, id: 1 }, found: null, refusal: { code: "rate_limited", message: "slower" } });

test("a review and older games that were refused can be asked for again", () => inElement(async (root) => {
  await addStrings("room");
  await addStrings("people");
  /** @type {object[]} */
  const sent = [];
  const page = { send: (/** @type {object} */ intent) => sent.push(intent) };
  const show = (/** @type {any} */ View, /** @type {any} */ route, /** @type {object} */ questions) =>
    render(html`<${InPage} page=${page}><${View} page=${page} state=${{ ...initialState(route), questions }} /><//>`, root);
  const press = (/** @type {string} */ key) =>
    some([...root.querySelectorAll("button")].find(({ textContent }) => textContent?.trim() === strings(key)), key).click();
  const { found } = golden("found.game");
  const { id } = found.game.summary;
  const game = { message: { type: "game", game: id, id: 1 }, found, refusal: null };
  show(KeptGame, { screen: "game", game: id }, { game, review_game: busy({ type: "review_game", game: id }) });
  press("review.ask");
  equal(sent.splice(0), [{ type: "review_game", game: id }]);
  render(null, root);
  const older = { type: "history", before: GAME.id };
  const first = { message: { type: "history", id: 1 }, found: { kind: "history", games: [GAME], more: true }, refusal: null };
  show(Games, { screen: "games" }, {});
  show(Games, { screen: "games" }, { history: first });
  press("games.more");
  show(Games, { screen: "games" }, { history: first });
  show(Games, { screen: "games" }, { history: busy(older) });
  // Catches: a question is refused in the words for an act: nobody was too fast, and nothing was to be saved.
  some(root.textContent?.includes(strings("refused.rate_limited.question")), "why there is no answer");
  sent.splice(0);
  press("games.more");
  show(Games, { screen: "games" }, { history: busy(older) });
  equal(sent, [older]);
}));

test("a result is told from the side of the player", async () => {
  await addStrings("people");
  equal([ADA, BOB, null].map((me) => outcomeText(GAME, me)), ["Won", "Lost", "X won"]);
  equal(outcomeText({ ...GAME, variant: "notakto" }, null), "Ada won", "both place X");
  equal(outcomeText({ ...GAME, result: { how: "board_full" } }, ADA), "Draw");
  equal(outcomeText({ ...GAME, players: { x: GAME.players.x, o: GAME.players.x } }, ADA), "X won");
});

test("another game is asked of a person against whom one has played", () => {
  const foes = [ADA, BOB, null].map((me) => foeOf(GAME, me)?.name ?? null);
  equal(foes, ["Bob", "Ada", null]);
  equal(foeOf({ ...GAME, players: { x: GAME.players.x, o: GAME.players.x } }, ADA), null, "against oneself");
  equal(foeOf({ ...GAME, players: { x: GAME.players.x, o: { kind: "somebody" } } }, ADA), null, "who is forgotten");
});

test("somebody is asked for a game like that of the form for a friend, which no list shows", async () => {
  const values = { board: "15x15x5", opening: "swap2", move_time: "1m", listed: "yes", device: "one" };
  const { prefs, ...rest } = initialState();
  /** @type {any[]} */
  const actions = [];
  await ask((action) => actions.push(action), { ...rest, prefs: { ...prefs, forms: { friend: values } } }, { player: BOB, name: "Bob" });
  const [{ settings: { board, opening, move_time_ms, listed }, ...action }] = actions;
  equal(action, { type: "challenge", player: BOB, name: "Bob" });
  equal([board, opening, move_time_ms, listed], [{ width: 15, height: 15, line: 5 }, "swap2", 60_000, false]);
});

test("the results against computers have one name for each, the weakest first", () => {
  const tally = { wins: 1, losses: 0, draws: 0 };
  const rows = computerRows(/** @type {const} */ (["average", "level_2", "very_weak"]).map((strength) => (
    { opponent: { kind: "computer", strategy: "minimax", strength }, tally })));
  equal(rows.map(({ head }) => head.replaceAll("\u00a0", " ")), [
    "Computer (very weak)", "Computer (level 2 of 9)", "Computer (average)"], "also those of small boards");
});

test("a kept game is a room for the parts of a room", () => {
  const settings = /** @type {any} */ ({ board: BOARD });
  const kept = { summary: GAME, settings, first: /** @type {const} */ ("x"), started_at: 0, moves: [0, 3, 1, 4, 2], times_ms: [] };
  const review = { kind: /** @type {const} */ ("review"), game: GAME.id, first: /** @type {const} */ ("x"), proven: true, moves: [] };
  const room = roomOf(kept, BOB, review);
  equal([room.you, room.game?.moves.length, room.review?.game, room.game?.number], [["o"], 5, 1, 1]);
  const gone = { ...GAME, players: { ...GAME.players, x: /** @type {const} */ ({ kind: "somebody" }) } };
  equal(roomOf({ ...kept, summary: gone }, null, null).seats.x, { kind: "human", player: "", name: "Somebody" });
});

test("an answer belongs to the question that was asked", () => {
  const message = { type: /** @type {const} */ ("profile"), id: 3, player: ADA };
  const found = /** @type {any} */ ({ kind: "profile", profile: {} });
  const state = { ...initialState(), questions: { profile: { message, found, refusal: null } } };
  equal(foundIn(questionOf(state, { type: "profile", player: ADA }), "profile"), found);
  equal(questionOf(state, { type: "profile" }), null, "of oneself");
  equal(questionOf(state, { type: "profile", player: BOB }), null, "of another");
  equal(questionOf(state, { type: "game", game: GAME.id }), null, "of another kind");
  equal(foundIn(questionOf(state, { type: "profile", player: ADA }), "game"), null);
});

test("ids have sixteen digits", () => {
  equal(["0123456789abcdef", "0123456789ABCDEF", "123", "", "0123456789abcdeg"].map(isId), [true, false, false, false, false]);
});

test("the picture of a game has the colours of the page and of the strokes on its board", async () => {
  const board = document.body.appendChild(document.createElement("div"));
  const { style } = document.documentElement;
  board.style.inlineSize = "100px";
  style.setProperty("--bg", "#00ff00");
  render(html`<svg viewBox="0 0 10 10"><path d="M0 5H10" style="stroke: #0000ff; stroke-width: 4; opacity: 1" /></svg>`, board);
  const picture = await createImageBitmap(await drawCard(board, { names: "Ada – Bob", result: "Ada wins!" }));
  board.remove();
  style.removeProperty("--bg");
  const { width, height } = picture;
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(width, height).getContext("2d"));
  context.drawImage(picture, 0, 0);
  const at = (/** @type {number} */ x, /** @type {number} */ y) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)];
  equal(at(10, 10), [0, 255, 0], "the paper");
  equal(at(width / 2 + 10, height / 2 + 10), [0, 0, 255], "the stroke");
});

test("the tour waits for the visitor at each step, and has a way out", () => inElement(async (root) => {
  await addStrings("people");
  let closed = 0;
  render(html`<${Tour} onclose=${() => (closed += 1)} />`, root);
  const title = () => root.querySelector("h2")?.textContent;
  const press = async (/** @type {string} */ selector) => {
    some(/** @type {HTMLElement | null} */ (root.querySelector(selector)), selector).click();
    await new Promise(requestAnimationFrame);
  };
  await press(".button-primary");
  equal(title(), strings("tour.computer"));
  await press(".tour-close");
  await new Promise(requestAnimationFrame);
  equal(closed, 1);
}));
