// Parties on the page: what an entrant waits for, standings, rounds, sentences, the form, the call.
// @ts-check

import { valuesOf } from "../../server/web/js/party/again.js";
import { intentOf, renamed, settingsOf } from "../../server/web/js/party/form.js";
import { callOf, callable, prefsBeside } from "../../server/web/js/party/calls.js";
import { Party } from "../../server/web/js/party/main.js";
import { awaitedTables, metBy, roundKind, rounds, situationOf, standings } from "../../server/web/js/party/model.js";
import { hasLostPlace, hasMissedLast, ownHow, remember } from "../../server/web/js/party/own.js";
import { beginsText, entrantNote, factsOf, howText, leaderName, ledText, ownResult, waitText } from "../../server/web/js/party/text.js";
import { isFull, pointsText } from "../../server/web/js/client/party-view.js";
import { partyRules } from "../../server/web/js/party/rules.js";
import { ranks } from "../../server/web/js/screen/followed.js";
import { applyFact } from "../../server/web/js/client/party-state.js";
import { ALL_ON } from "../../server/web/js/client/features.js";
import { valuesOf as offeredOf } from "../../server/web/js/choices.js";
import { initialState } from "../../server/web/js/core/state.js";
import { PARTY_SETTINGS } from "../../server/web/js/generated/party.js";
import { html, render } from "../../server/web/js/html.js";
import { told as tell } from "../../server/web/js/core/happenings.js";
import { textOf } from "../../server/web/js/shell.js";
import { Field } from "../../server/web/js/views/fields.js";
import { STRENGTHS, levelOf } from "../../server/web/js/strengths.js";
import { addStrings, strings } from "../../server/web/js/strings.js";
import { equal, some, test } from "./runner.js";
import { inElement } from "./sheet.js";
import { TestClient, golden } from "./test-client.js";
import { entrant as nobody, pairing } from "./screen-parties.js";

/** @typedef {import("../../server/web/js/client/party-state.js").PartyState} PartyState */
/** @typedef {import("../../server/web/js/client/party-state.js").Entrant} Entrant */

const NAMES = ["Ada", "Bob", "Kim", "Eve"];

/** @param {number} number @param {object} [change] @returns {Entrant} */
const entrant = (number, change) => nobody(number, { name: NAMES[number - 1], player: `p${number}`, ...change });

const WON = { winner: 1, how: /** @type {const} */ ("game") };

/** @param {string} format @param {Partial<PartyState>} [change] @returns {PartyState} */
const party = (format, change) => ({
  code: "KQRZX", v: 9, name: "Friday", host: "p9", leader: null, phase: "playing", paused: false, round: 1, queue: [], places: [], past: [], pastDecisions: [],
  settings: /** @type {any} */ ({ format, rounds: 5, board: { width: 3, height: 3, line: 3 } }),
  entrants: NAMES.map((_, at) => entrant(at + 1)),
  pairings: [pairing(1, 1, 2), pairing(2, 3, 4)],
  ...change,
});

/** @param {PartyState} state @param {number} number */
const kindOf = (state, number) => situationOf(state, state.entrants[number - 1] ?? null).kind;

test("an entrant knows what comes next", () => {
  equal(kindOf(party("swiss", { phase: "gathering", pairings: [], round: 0 }), 1), "gathering");
  equal(situationOf(party("swiss"), null).kind, "visitor");
  equal(kindOf(party("swiss"), 1), "ready");
  equal(kindOf(party("swiss", { pairings: [pairing(1, 1, 2, { game: 1, room: "BCDFG" })] }), 2), "playing");
  equal(kindOf(party("swiss", { pairings: [pairing(1, 1, null)] }), 1), "bye");
  equal(kindOf(party("swiss", { pairings: [pairing(1, 1, 2, { outcome: WON })] }), 2), "decided");
  equal(kindOf(party("swiss", { pairings: [pairing(1, 1, 2)] }), 3), "late");
  equal(kindOf(party("winner_stays", { pairings: [pairing(1, 1, 2)], queue: [3, 4] }), 3), "queue");
  equal(kindOf(party("swiss", { entrants: [entrant(1, { left: true })] }), 1), "left");
  equal(kindOf(party("swiss", { phase: "over" }), 1), "over");
});

test("who loses a knockout is out, but the loser of a semi-final plays on", () => {
  const decided = [pairing(1, 1, 2, { outcome: WON }), pairing(2, 3, 4)];
  equal(kindOf(party("knockout", { pairings: decided }), 2), "decided", "a semi-final");
  const more = [...decided, pairing(3, 5, 6), pairing(4, 7, 8)];
  equal(kindOf(party("knockout", { pairings: more }), 2), "out", "a quarter-final");
  const final = [pairing(3, 1, 3, { stage: "final", outcome: WON }), pairing(4, 2, 4, { stage: "third" })];
  equal(kindOf(party("knockout", { pairings: final }), 3), "out", "the final");
  const gone = party("knockout", { pairings: more, entrants: NAMES.map((_, at) => entrant(at + 1, { left: true })) });
  equal([kindOf(gone, 1), kindOf(gone, 2)], ["left", "out"], "who has left");
  const later = party("knockout", { round: 2, pairings: [pairing(5, 1, 3)], entrants: [entrant(1), entrant(2, { losses: 1 })] });
  equal(kindOf(later, 2), "out", "a round later");
});

test("equals share a place until the end, and then the told places count", () => {
  const entrants = [entrant(1, { points: 2 }), entrant(2), entrant(3, { points: 4 }), entrant(4)];
  const now = standings(party("swiss", { entrants }));
  equal(now.map(({ place, entrant: { name } }) => `${place} ${name}`), ["1 Kim", "2 Ada", "3 Bob", "3 Eve"]);
  const tied = [entrant(1, { points: 4 }), entrant(2, { points: 4 })];
  const before = [{ place: 1, entrant: 1, tiebreak: 2 }, { place: 2, entrant: 2, tiebreak: 4 }];
  equal(standings(party("swiss", { entrants: tied, places: before })).map(({ entrant: { name } }) => name), ["Bob", "Ada"], "the shown tiebreak comes before the places of a round ago");
  const places = [4, 3, 1, 2].map((number, at) => ({ place: at + 1, entrant: number }));
  const over = standings(party("swiss", { entrants, places, phase: "over" }));
  equal(over.map(({ place, entrant: { name } }) => `${place} ${name}`), ["1 Eve", "2 Kim", "3 Ada", "4 Bob"]);
});

test("before anybody has a point nobody has a place", () => {
  const places = (/** @type {any} */ state) => [standings(state), ranks(state)].map((rows) => rows.map(({ place }) => place));
  equal(places(party("swiss")), [[0, 0, 0, 0], [0, 0, 0, 0]]);
  equal(places(party("winner_stays", { entrants: [entrant(1), entrant(2, { wins: 1 })] })), [[1, 2], [1, 2]]);
});

test("what was chosen for a party is said shortly", async () => {
  const board = { width: 3, height: 3, line: 3 };
  const fill = { strategy: "minimax", strength: "average" };
  const chosen = (/** @type {object} */ settings) => partyRules(/** @type {any} */ ({ board, rounds: 5, tables: 1, first_to: null, fill: null, ...settings }));
  equal(chosen({ format: "swiss", fill }), ["5 rounds", "computers take empty places (average)"]);
  equal(chosen({ format: "winner_stays", tables: 2 }), ["2 boards at once", "the host ends it"]);
  equal(chosen({ format: "winner_stays", first_to: 3 }), ["3 wins end it"]);
  equal(chosen({ format: "knockout" }), []);
});

test("a party is full with as many as its format takes; before the start who has left makes room", () => {
  const twelve = Array.from({ length: 12 }, (_, at) => entrant(at + 1));
  equal(["round_robin", "swiss"].map((format) => isFull(party(format, { entrants: twelve }))), [true, false]);
  const left = [...twelve.slice(1), entrant(12, { left: true })];
  equal(["gathering", "playing"].map((phase) => isFull(party("round_robin", { entrants: left, phase: /** @type {any} */ (phase) }))), [false, true]);
});

test("the rounds are known with their numbers, the last one first", () => {
  const state = party("swiss", {
    round: 2, past: [[[1, 2, 2, 0], [3, 0, 2, 0]]], pairings: [pairing(3, 1, 3, { outcome: { winner: null, how: "game" } })],
  });
  equal(rounds(state).map(({ round, met }) => [round, met.map(({ number }) => number)]), [[2, [3]], [1, [1, 2]]]);
  equal(metBy(state, 3).map(({ second, points }) => [second, points]), [[null, [2, 0]], [3, [1, 1]]]);
  equal([0, 1, 2, 5].map(pointsText), ["0", "½", "1", "2½"]);
});

test("what the host has decided in an earlier round is told with the note", async () => {
  await addStrings("party");
  const first = party("swiss", { pairings: [pairing(1, 1, 2, { outcome: WON }), pairing(2, 3, 4, { outcome: WON })] });
  const facts = /** @type {any[]} */ ([
    { kind: "decided", pairing: 2, outcome: { winner: 4, how: "host", note: "too late" } },
    { kind: "paired", round: 2, pairings: [pairing(3, 1, 4), pairing(4, 2, 3)] },
    { kind: "decided", pairing: 1, outcome: { winner: null, how: "host", note: "a mistake" } },
  ]);
  const state = facts.reduce((now, fact) => some(applyFact(now, fact), fact.kind), first);
  const told = rounds(state)[1].met.map((met) => [howText(state, met), met.points]);
  equal(told, [["Decided by the host. “a mistake”", [1, 1]], ["Decided by the host. “too late”", [0, 2]]]);
});

test("a knockout names its last rounds", () => {
  const kind = (/** @type {number} */ count, stages = [""]) => {
    const pairings = Array.from({ length: count }, (_, at) => pairing(at + 1, 1, 2, { stage: stages[at] || null }));
    const state = party("knockout", { pairings });
    return roundKind(state, rounds(state)[0].met);
  };
  equal([kind(8), kind(4), kind(2), kind(2, ["final", "third"]), kind(1, ["final"])], ["last", "quarter", "semi", "final", "final"]);
});

test("who leads is named and marked by the id, whatever others are called", async () => {
  await addStrings("party");
  const state = party("swiss", { host: "p1" });
  const marked = (/** @type {PartyState} */ now) => now.entrants.map(({ number }) => entrantNote(now, number, [1]));
  equal(marked(state), ["host, away", "", "", ""]);
  equal([ledText(state), leaderName(state)], ["Host: Ada", "Ada"]);
  const led = some(applyFact({ ...state, entrants: NAMES.map((_, at) => entrant(at + 1, { name: "Ada" })) }, { kind: "led", entrant: 2 }), "the state");
  equal(marked(led), ["away", "host", "", ""]);
  equal(ledText(led), "Ada is away: Ada leads the party.");
  equal(ledText({ ...led, host: "p9" }), "The host is away: Ada leads the party.");
  equal(ledText(some(applyFact(led, { kind: "led", entrant: 3, forgotten: true }), "the state")), "Ada leads the party.");
  equal([leaderName({ ...state, host: "p9" }), ledText({ ...state, host: "p9" })], ["The host", ""]);
  equal(applyFact(state, { kind: "led", entrant: 9 }), null);
});

test("sentences say who has won and why, and what is awaited", async () => {
  await addStrings("party");
  const state = party("swiss");
  const ended = (/** @type {any} */ outcome) => pairing(1, 1, 2, { outcome });
  equal(ownResult(state, ended({ winner: 1, how: "forfeit" }), 1), ["You won against Bob", "Bob was not ready in time."]);
  equal(ownResult(state, ended({ winner: 1, how: "forfeit" }), 2)[1], "You were not ready in time, so this game is lost.");
  equal(ownResult(state, ended({ winner: null, how: "game" }), 2), ["A draw with Ada", ""]);
  equal(ownResult(state, ended({ winner: 2, how: "host", note: "a mistake" }), 2)[1], "The host decided so. “a mistake”");
  equal(howText(state, ended({ winner: 2, how: "forfeit" })), "Ada did not play.");
  equal(howText(state, ended({ winner: 2, how: "game" })), "");
  equal(waitText(state, awaitedTables(state)), "Round 2 begins when the tables 1, 2 are done.");
  equal(waitText(state, [2]), "Round 2 begins when table 2 is done.");
  equal(waitText({ ...state, round: 5 }, [1, 2, 3, 4]), "The result comes when 4 tables are done.");
  const final = party("knockout", { round: 3, pairings: [pairing(1, 1, 2, { stage: "final" }), pairing(2, 3, 4, { stage: "third" })] });
  equal(waitText(final, [1]), "The result comes when table 1 is done.");
  equal(waitText({ ...state, settings: { ...state.settings, format: "round_robin" }, round: 3 }, []), "The result comes in a moment.");
  equal([1, 2].map((game) => beginsText(state, pairing(1, 1, 2), game, 2)), ["Ada begins.", "You begin."]);
});

test("a game that waits for its player calls until they are ready, and the end calls too", async () => {
  await addStrings("party");
  const following = (/** @type {PartyState} */ state, /** @type {number[]} */ ready = []) => ({
    ...initialState(),
    party: /** @type {any} */ ({ state, me: state.entrants[0], presence: { ready, away: [], checks: [], nextAt: null } }),
  });
  equal(callOf(following(party("swiss"))), { id: "KQRZX 1", text: "You play Bob!" });
  equal(callOf(following(party("swiss"), [1])).id, "");
  equal(callOf(following(party("swiss", { phase: "over" }))), { id: "KQRZX over", text: "" });
  equal(callOf(initialState()).id, "");
});

test("a decided game leads back to the party, and one that will be played again does not", () => {
  const state = party("swiss", { pairings: [pairing(1, 1, 2, { game: 1, room: "BCDFG", outcome: WON })] });
  const room = /** @type {any} */ ({ code: "BCDFG", you: ["x"], settings: { party: { party: "KQRZX", pairing: 1, table: 1, game: 1 } }, game: { result: { how: "time", winner: "x" } } });
  const following = (/** @type {PartyState} */ told) => ({
    ...initialState({ screen: "room", code: "BCDFG" }), room,
    party: /** @type {any} */ ({ state: told, me: told.entrants[0], presence: { ready: [], away: [], checks: [], nextAt: null } }),
  });
  equal(callOf(following(state)).id, "KQRZX BCDFG done");
  equal(callOf(following(party("swiss", { pairings: [pairing(1, 1, 2, { game: 1, room: "BCDFG" })] }))).id, "");
});

test("the room of an earlier round leads back too: its player may have a bye now", () => {
  const state = party("swiss", { round: 2, past: [[[1, 2, 2, 0], [3, 4, 2, 0]]], pairings: [pairing(3, 2, 3), pairing(4, 1, null)] });
  const room = /** @type {any} */ ({ code: "BCDFG", you: ["x"], settings: { party: { party: "KQRZX", pairing: 1, table: 1, game: 1 } }, game: { result: { how: "time", winner: "x" } } });
  const following = { ...initialState({ screen: "room", code: "BCDFG" }), room, party: /** @type {any} */ ({ state, me: state.entrants[0], presence: { ready: [], away: [], checks: [], nextAt: null } }) };
  equal(callOf(following).id, "KQRZX BCDFG done");
});

test("the head of a party tells the round, or what ends it", async () => {
  await addStrings("party");
  const settings = (/** @type {string} */ format) => /** @type {any} */ ({ format, rounds: 5, first_to: 3 });
  const facts = (/** @type {string} */ format, change = {}) => factsOf(party(format, { settings: settings(format), ...change }));
  equal(facts("swiss", { round: 2 }), "Swiss · Round 2 of 5 · 4 play");
  equal(facts("round_robin", { round: 2 }), "Round robin · Round 2 of 3 · 4 play");
  const three = NAMES.map((_, at) => entrant(at + 1, { left: at === 3 }));
  equal(facts("round_robin", { round: 1, entrants: three }), "Round robin · Round 1 of 3 · 3 play");
  equal(facts("knockout"), "Knockout · Semi-finals · 4 play");
  equal(facts("knockout", { pairings: [] }), "Knockout · Round 1 · 4 play", "before the round is paired");
  const eight = Array.from({ length: 8 }, (_, at) => pairing(at + 1, 1, 2));
  equal(facts("knockout", { pairings: eight }), "Knockout · Last 16 · 16 play");
  const done = [pairing(1, 1, 2, { stage: "final", outcome: WON }), pairing(2, 3, 4, { stage: "third" })];
  equal(facts("knockout", { pairings: done }), "Knockout · Final", "one is left");
  equal(facts("winner_stays"), "Winner stays on · 3 wins end it · 4 play");
  equal(facts("knockout", { phase: "over" }), "Knockout · It is over");
});

test("a missed game is remembered when its round is over", async () => {
  await addStrings("party");
  const first = party("swiss", { code: "MSSDX", pairings: [pairing(1, 1, 2, { outcome: { winner: 2, how: "forfeit" } })] });
  const following = (/** @type {PartyState} */ state) => /** @type {any} */ ({ state, me: state.entrants[0] });
  remember(following(first));
  const next = { ...first, round: 2, past: [[[1, 2, 0, 2]]], pairings: [pairing(2, 1, 3)] };
  const [met] = metBy(/** @type {any} */ (next), 1);
  equal(ownHow(/** @type {any} */ (next), met, 1), "You were not ready in time.");
  equal([hasMissedLast(first, 1), hasMissedLast(/** @type {any} */ (next), 1)], [true, false]);
  const left = party("swiss", { ...first, code: "LFTDX", entrants: [entrant(1, { left: true }), entrant(2)] });
  remember(following(left));
  equal(hasMissedLast(left, 1), false, "who has left has not missed it");
  remember(following({ ...left, entrants: [entrant(1), entrant(2)] }));
  equal(hasMissedLast(left, 1), false, "nor after the return");
});

test("a refused intent of the host says why and what to do, where there is a text of its own", async () => {
  await addStrings("chat");
  await addStrings("party");
  const intent = (/** @type {string} */ type) => /** @type {any} */ ({ type, party: "KQRZX", id: 1 });
  const told = (/** @type {string} */ type, /** @type {string} */ code) => {
    const state = initialState({ screen: "party", code: "KQRZX" });
    const output = { type: /** @type {const} */ ("refused"), intent: intent(type), refusal: { code, message: "no" } };
    return textOf(some(tell(state, output, state).notice, "a notice"));
  };
  equal(told("decide", "not_now"), "This result stays: the next round is paired already, or the party is over. Choose a game that is in the list now.");
  equal(told("decide", "stale"), "This result stays: the game was too long ago. Choose a game that is in the list now.");
  equal(told("start_party", "not_now"), "It takes two who play. Wait until somebody comes in.");
  equal(told("say", "rate_limited"), "You say a lot. Wait a few seconds, then say it again.");
  equal(told("ready", "not_now"), "You cannot do this now.");
  equal(told("decide", "of_a_newer_server"), "no");
});

test("a party that begins again has the settings of before, until the host changes them", () => {
  const board = { width: 15, height: 15, line: 5 };
  const fill = { strategy: "minimax", strength: "weak" };
  const before = /** @type {any} */ ({ board, format: "swiss", move_time_ms: 30_000, opening: "swap2", rounds: 7, chat: "emotes", fill });
  equal(settingsOf(valuesOf(before), ALL_ON), { ...before, variant: "line" });
  const stays = settingsOf({ ...valuesOf(before), format: "winner_stays" }, ALL_ON);
  equal([stays.format, stays.tables, "rounds" in stays], ["winner_stays", 1, false]);
});

test("who has a bye rests, and has won against nobody", async () => {
  await addStrings("party");
  const state = party("swiss", { pairings: [pairing(1, 1, null, { outcome: { winner: 1, how: "bye" } })] });
  equal(ownResult(state, state.pairings[0], 1), ["You rest this round", ""]);
});

test("the form makes a party of what it offers", () => {
  const values = { ...Object.fromEntries(PARTY_SETTINGS.map((one) => [one.name, one.default])), name: "  Friday   LAN " };
  const intent = intentOf(values, false, ALL_ON);
  equal([intent.type, intent.name, intent.plays], ["create_party", "Friday LAN", false]);
  equal(intent.settings?.format, "knockout");
  equal([...intentOf({ ...values, name: "A party of the longest name of all" }, false, ALL_ON).name].length, 24, "the server takes no more");
  equal("rounds" in (intent.settings ?? {}), false, "a knockout has no number of rounds");
  equal(intentOf({ ...values, format: "swiss", rounds: "8" }, true, ALL_ON).settings?.rounds, 8);
});

test("a host whose server does not allow a party's name reads the other one", async () => {
  await addStrings("party");
  equal(renamed(" Friday  LAN ", "Friday LAN"), null);
  equal(textOf(some(renamed("Idiots", "Lynx"), "a notice")), "The host of this server does not allow that name: the party is called Lynx.");
});

test("the computers of a party are those that its board has", () => {
  const values = { ...Object.fromEntries(PARTY_SETTINGS.map((one) => [one.name, one.default])), name: "Friday", fill: "level_4" };
  const fill = PARTY_SETTINGS.find(({ name }) => name === "fill");
  const offers = (/** @type {string} */ board) => offeredOf(/** @type {any} */ (fill), { ...values, board });
  equal([offers("10x10x5"), offers("3x3x3").length], [["none", ...STRENGTHS], 6]);
  const sent = (/** @type {string} */ board) => intentOf({ ...values, board }, true, ALL_ON).settings?.fill;
  const plays = (/** @type {string} */ strength) => ({ strategy: "minimax", strength });
  equal([sent("10x10x5"), sent("3x3x3")], [plays("level_4"), plays("weak")]);
});

test("each value of a party's settings has a text, and numbers share one", () => inElement(async (root) => {
  await addStrings("forms");
  await addStrings("variants");
  await addStrings("party");
  const keys = PARTY_SETTINGS.filter(({ kind }) => kind !== "board").flatMap(({ name, values }) => values.filter((value) => !levelOf(value)).map((value) => `${name}.${value.replace(/^\d+$/, "n")}`));
  equal(keys.filter((key) => !strings.has(key)), []);
  const lists = PARTY_SETTINGS.filter(({ name }) => ["tables", "first_to"].includes(name));
  render(html`${lists.map((setting) => html`<${Field} setting=${setting} values=${{}} set=${() => {}} />`)}`, root);
  // A number that is a key of its own, or that its text does not get, fails here.
  equal([...root.querySelectorAll("option")].map(({ text }) => text), [
    "1", "2", "3", "4", "6", "8", "12", "20",
    "when the host ends it", "with 3 wins", "with 5 wins", "with 10 wins", "with 20 wins",
  ]);
}));

test("who has lost the place to another device is told so", () => {
  const at = (/** @type {PartyState} */ state, /** @type {any} */ me) => /** @type {any} */ ({ state, me });
  const state = party("swiss", { code: "BCDFG" });
  equal(hasLostPlace(at(state, null)), false, "somebody who only watches");
  remember(at(state, state.entrants[1]));
  equal(hasLostPlace(at(state, state.entrants[1])), false);
  equal(hasLostPlace(at(state, null)), true);
  remember(at({ ...state, phase: "gathering" }, null));
  equal(hasLostPlace(at(state, null)), false, "who has gone before the start");
});

test("a party lends the sound to who had it off, and takes it along when it is over and out of sight", () => {
  let { prefs } = initialState();
  const dispatch = (/** @type {any} */ action) => { prefs = { ...prefs, ...action?.prefs }; };
  const beside = (/** @type {any} */ state) => dispatch({ prefs: prefsBeside(state && { state, isHost: true, me: null }, prefs) });
  callable({ dispatch }, prefs);
  beside(null);
  equal(prefs.sound, "on", "before the party is there");
  beside(party("knockout"));
  beside(null);
  equal([prefs.sound, prefs.forms.inParty], ["on", { code: "KQRZX", lent: "yes", name: "Friday" }], "on another screen");
  beside(party("knockout", { phase: "over" }));
  equal(prefs.sound, "on", "for the podium");
  beside(null);
  equal([prefs.sound, prefs.forms.inParty], ["off", { code: "" }]);
  dispatch({ prefs: { sound: "soft" } });
  callable({ dispatch }, prefs);
  for (const state of [party("knockout"), party("knockout", { phase: "over" }), null]) beside(state);
  equal(prefs.sound, "soft", "what the player has chosen stays");
});

test("a party that a busy server refuses is asked for again, and one that is not there is not", () => inElement(async (root) => {
  await addStrings("party");
  const { setTimeout: later } = globalThis;
  /** @type {(() => void)[]} */
  const timers = [];
  const client = new TestClient().receive(golden("welcome")).goTo({ screen: "party", code: "KQRZX" });
  client.act({ type: "prefs", prefs: { forms: { inParty: { code: "KQRZX" } } } });
  const page = {
    get state() { return client.state; },
    send: (/** @type {any} */ intent) => client.send(intent),
    dispatch: (/** @type {any} */ action) => client.act(action),
    saveChoices: (/** @type {string} */ form, /** @type {any} */ values) => client.act({ type: "prefs", prefs: { forms: { [form]: values } } }),
    subscribe() {},
  };
  const show = () => render(html`<${Party} page=${page} state=${client.state} />`, root);
  const refuse = async (/** @type {string} */ code) => {
    client.receive({ type: "refused", id: client.state.session.nextId - 1, code, message: "no" });
    show();
    await new Promise((drawn) => later(drawn, 50));
    return [root.querySelector("h1")?.textContent, root.querySelector("[role=status]")?.textContent, client.state.prefs.forms.inParty.code];
  };
  try {
    globalThis.setTimeout = /** @type {any} */ ((/** @type {() => void} */ act) => timers.push(act));
    show();
    equal(await refuse("rate_limited"), ["Coming into party KQRZX", "That was too fast. Wait a second and try again.", "KQRZX"]);
    client.take();
    show();
    timers.splice(0).forEach((act) => act());
    equal(client.sent(), [{ type: "join_party", party: "KQRZX", role: "spectator" }]);
    equal((await refuse("no_such_party"))[0], "No such party");
    client.take();
    timers.splice(0).forEach((act) => act());
    equal([client.sent(), client.state.prefs.forms.inParty.code], [[], ""]);
  } finally {
    globalThis.setTimeout = later;
  }
}));
