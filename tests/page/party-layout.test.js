// A party on a phone and on a laptop as it is laid out, and what its buttons say and do.
// @ts-check

import { html, render } from "../../server/web/js/html.js";
import { ALL_ON } from "../../server/web/js/client/features.js";
import { initialState } from "../../server/web/js/core/state.js";
import { loadPart } from "../../server/web/js/later.js";
import { CELEBRATION } from "../../server/web/js/parts.js";
import { gamesIn } from "../../server/web/js/party/files.js";
import { Gathering } from "../../server/web/js/party/gathering.js";
import { Over } from "../../server/web/js/party/over.js";
import { Playing } from "../../server/web/js/party/playing.js";
import { Summons } from "../../server/web/js/party/summons.js";
import { Actions } from "../../server/web/js/room/actions.js";
import { NameField } from "../../server/web/js/views/name-field.js";
import { addStrings } from "../../server/web/js/strings.js";
import { equal, some, test } from "./runner.js";
import { entrant, pairing, party, people, won } from "./screen-parties.js";
import { all, brokenWords, inWindow, isWhole, letters, one, styleOf } from "./sheet.js";
import { golden, inRoom } from "./test-client.js";

/** @typedef {import("../../server/web/js/client/party-state.js").PartyState} PartyState */

const PHONE = [390, 844];
const LAPTOP = [1366, 768];

const LONG = "Wilhelmina Maximiliane 5";

/**
 * Shows a party to its first entrant, and collects what is sent.
 *
 * @param {number[]} size
 * @param {(root: HTMLElement, show: (state: PartyState, presence?: object, isHost?: boolean, more?: {me?: null, ended?: boolean, games?: object, unanswered?: any[]}) => void, sent: any[]) => void} run
 */
async function onPage([width, height], run) {
  await addStrings("party");
  await addStrings("room");
  await inWindow(width, height, (root) => {
    /** @type {any[]} */
    const sent = [];
    const page = /** @type {any} */ ({ send: (/** @type {any} */ intent) => sent.push(intent), player: { name: () => "E1", face: () => null, isRenamed: () => true, id: () => "p1" } });
    const state = { ...initialState({ screen: "party", code: "KQRZX" }), features: ALL_ON };
    const show = (/** @type {PartyState} */ told, presence = {}, isHost = false, /** @type {{me?: null, ended?: boolean, games?: object, unanswered?: any[]}} */ { me, ended, games = {}, unanswered = [] } = {}) => {
      const shown = /** @type {any} */ ({
        role: "player", state: told, me: me === null ? null : told.entrants[0], isHost, boards: {},
        presence: { away: [], ready: [], checks: [], nextAt: null, spectators: 0, ...presence },
      });
      const Shown = { gathering: Gathering, playing: Playing, over: Over }[told.phase];
      const connection = ended ? { phase: "ended", code: 4007, reason: "be kind" } : state.connection;
      render(html`<${Shown} page=${page} state=${{ ...state, connection, party: shown, unanswered }} party=${shown} games=${games} />`, root);
    };
    try {
      run(root, show, sent);
    } finally {
      render(null, root);
    }
  });
}

/** A text without its gaps. @param {HTMLElement} element */
const words = (element) => (element.textContent ?? "").replace(/\s+/g, " ").trim();

test("the button of a ready check waits for the host while the party is paused", () => onPage(PHONE, (root, show, sent) => {
  const state = party({ entrants: people(4), pairings: [pairing(1, 1, 2), pairing(2, 3, 4)] }, "swiss");
  const checks = { checks: [{ pairing: 1, until: performance.now() + 9_000 }] };
  const button = () => one(root, ".party-card [data-next]");
  show({ ...state, paused: true }, checks);
  equal([words(button()), button().getAttribute("aria-disabled")], ["Waiting for the host", "true"]);
  equal([all(root, ".party-count").length, all(root, ".party-paused").length], [0, 1], "no seconds run");
  button().click();
  equal(sent, []);
  show(state, checks);
  equal([words(button()), all(root, ".party-count").length], ["Ready", 1]);
  button().click();
  equal(sent, [{ type: "ready", party: "KQRZX", pairing: 1 }]);
}));

test("a second press on the start of a party is nothing while the first one is on its way", () => onPage(PHONE, (root, show, sent) => {
  const state = party({ phase: "gathering", entrants: people(2) });
  show(state, {}, true);
  one(root, ".go button").click();
  show(state, {}, true, { unanswered: sent.slice() });
  one(root, ".go button").click();
  equal(sent, [{ type: "start_party", party: "KQRZX" }]);
}));

test("something flies for the winner of a party or the first of the people, and for nobody where no game was over", async () => {
  await loadPart(CELEBRATION);
  await onPage(PHONE, (root, show) => {
    const entrants = [...people(2), entrant(3, { computer: { strength: "strong" } })];
    const flies = (/** @type {any[]} */ places) => {
      show(party({ phase: "over", entrants, places }, "swiss"));
      return all(root, ".burst").length;
    };
    equal([flies([]), flies([{ entrant: 1, place: 1 }, { entrant: 2, place: 2 }])], [0, 1]);
    const isNamed = () => words(root).includes("First place among people: E1");
    equal([flies([{ entrant: 2, place: 1 }, { entrant: 1, place: 2 }]), isNamed()], [0, false]);
    equal([flies([{ entrant: 3, place: 1 }, { entrant: 1, place: 2 }]), isNamed()], [1, true]);
  });
});

test("on the smallest phone the buttons of a table break no name", () => onPage([320, 568], (root, show) => {
  const entrants = [entrant(1), entrant(2), entrant(3, { name: "Wolfeschlegelsteinhausen" }), entrant(4)];
  show(party({ entrants, pairings: [pairing(1, 1, 2), pairing(2, 3, 4, { game: 1, room: "R" })] }, "swiss"));
  const [, row] = all(root, ".party-row");
  equal(brokenWords(one(row, ".party-pair")), []);
  some(one(row, ".button-quiet").getBoundingClientRect().right <= 320, "the button is inside of the window");
}));

test("a game of a round that begins or ends moves nothing, neither for who watches nor for the host", () => onPage(LAPTOP, (root, show) => {
  const entrants = [entrant(1, { name: LONG }), ...people(4).slice(1)];
  const round = (/** @type {object} */ first) => party({ entrants, pairings: [pairing(1, 1, 2, first), pairing(2, 3, 4)] }, "swiss");
  const tops = () => [...all(root, ".party-now > .party-row"), one(root, ".party-standings")].map((element) => element.getBoundingClientRect().top);
  for (const isHost of [false, true]) {
    show(round({}), {}, isHost);
    const before = tops();
    show(round({ game: 1, room: "R" }), {}, isHost);
    equal(tops(), before, "it begins");
    show(round(won(1)), {}, isHost);
    equal([tops(), all(root, ".party-score").map(words)], [before, ["1 : 0"]], "it is over");
  }
}));

test("at the end a game that was broken off is not played, and is no game of one's own", () => onPage(PHONE, (root, show) => {
  const state = party({
    phase: "over", round: 2, entrants: people(4), past: [[[1, 2, 2, 0], [3, 4, 2, 0]]],
    pairings: [pairing(3, 1, 3, { game: 1, room: "R" }), pairing(4, 2, 4, won(2))],
    places: [1, 3, 2, 4].map((number, at) => ({ place: at + 1, entrant: number })),
  }, "swiss");
  show(state);
  const rows = all(root, ".two-columns > :first-child .party-row").map(words);
  equal(rows, ["1E2won"]);
  const scores = all(root, ".two-columns > :last-child > .group:not(:has(table)) .party-row > .party-score").map(words);
  equal(scores, ["not played", "1 : 0"]);
  equal(words(one(root, ".party-head .note")), "Swiss · It is over");
}));

test("in \"winner stays on\" one's games are counted, and wins have a column", () => onPage(PHONE, (root, show) => {
  const state = party({
    phase: "over", round: 1, entrants: people(3).map((one) => ({ ...one, wins: 3 - one.number, losses: 1 })),
    pairings: [pairing(1, 1, 2, won(2)), pairing(2, 2, 3, won(3)), pairing(3, 1, 3, won(1))],
    places: [1, 2, 3].map((number) => ({ place: number, entrant: number })),
  }, "winner_stays");
  show(state);
  equal(all(root, ".two-columns > :first-child .party-row").map(words), ["1E2lost", "2E3won"]);
  equal(all(root, ".party-standings th[scope=col]").map(words), ["Place", "Player", "Wins", "W–D–L"]);
  equal(all(root, ".party-standings td b").map(words), ["2", "1", "0"]);
}));

test("two names on a step of the podium stand apart, and long ones fit", () => onPage(PHONE, (root, show) => {
  const entrants = ["Ada", "Wilhelmina Maximiliane", "Constantinopolitan", LONG].map((name, at) => entrant(at + 1, { name }));
  show(party({ phase: "over", entrants, pairings: [pairing(1, 1, 2, won(1))], places: [1, 2, 2, 2].map((place, at) => ({ place, entrant: at + 1 })) }, "swiss"));
  const names = all(root, '[data-step="2"] .party-names > span');
  equal(names.length, 3);
  for (const [at, name] of names.slice(1).entries()) {
    const gap = name.getBoundingClientRect().top - names[at].getBoundingClientRect().bottom;
    some(gap >= 0.25 * letters(name), `${gap} px between two names`);
  }
  const step = one(root, '[data-step="2"]').getBoundingClientRect();
  some(names.every((name) => name.getBoundingClientRect().right <= step.right + 1), "inside of the step");
}));

test("a word of 14 letters is whole on a phone's podium", () => onPage(PHONE, (root, show) => {
  const entrants = [entrant(1, { name: "Constantinople", player: "p" }), entrant(2), entrant(3)];
  show(party({ phase: "over", entrants, pairings: [pairing(1, 1, 2, won(1))], places: [1, 2, 3].map((number) => ({ place: number, entrant: number })) }, "swiss"));
  equal(brokenWords(one(root, '[data-step="1"] .party-names')), []);
}));

test("the steps of the podium have points or wins where the format counts them", () => onPage(PHONE, (root, show) => {
  const entrants = people(3).map((one, at) => ({ ...one, points: [5, 2, 0][at], wins: [2, 1, 0][at] }));
  const places = [1, 2, 3].map((number) => ({ place: number, entrant: number }));
  const steps = (/** @type {"swiss" | "winner_stays" | "knockout"} */ format) => {
    show(party({ phase: "over", entrants, pairings: [pairing(1, 1, 2, won(1))], places }, format));
    return all(root, ".party-on-step").map(words);
  };
  equal(steps("swiss"), ["1 point", "2½ points", "0 points"]);
  equal(steps("winner_stays"), ["1 win", "2 wins", "0 wins"]);
  equal(steps("knockout"), ["", "", ""]);
}));

test("a name that is too long says in its field what is left out", () => onPage(PHONE, (root) => {
  let name = "Ada";
  const player = /** @type {any} */ ({ name: () => name, id: () => "", face: () => null, isRenamed: () => false, rename: (/** @type {string} */ typed) => (name = typed.slice(0, 24)), guest: false });
  const show = () => render(html`<${NameField} player=${player} /><button type="button">Join</button>`, root);
  show();
  const field = /** @type {HTMLInputElement} */ (one(root, "#name"));
  const told = () => words(one(root, ".name-long"));
  equal(told(), "");
  equal(one(root, ".name-long").getBoundingClientRect().height, 0, "it takes no place");
  const type = (/** @type {string} */ text) => {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    show();
    return told();
  };
  equal(type("Wilhelmina Maximiliane V"), "");
  equal(type("Wilhelmina Maximiliane Victoria"), "Too long: “ictoria” is left out.");
  some(one(root, ".name-long").getBoundingClientRect().right <= PHONE[0], "inside of the window");
  const top = () => one(root, "button:last-child").getBoundingClientRect().top;
  const before = top();
  field.dispatchEvent(new Event("blur"));
  show();
  equal([field.value, top()], [name, before], "a button below it does not move away from the finger");
  some(field.maxLength > 2 * 24, "the field does not swallow it first");
}));

test("a party that ended before a game did has no podium and no places", () => onPage(PHONE, (root, show) => {
  show(party({ phase: "over", entrants: people(3), pairings: [pairing(1, 1, 2, { game: 1, room: "R" })] }, "swiss"));
  equal([all(root, ".party-podium").length, all(root, ".party-standings").length], [0, 0]);
  equal(words(one(root, ".party-own")), "The party ended before a game was over: nobody has a place.");
}));

test("the cross table has whole names where there is room, and scrolls alone where there is none", () => onPage(PHONE, (root, show) => {
  const table = (/** @type {number} */ count) => {
    const entrants = [...people(count - 1), entrant(count, { name: LONG })];
    show(party({ entrants, pairings: [pairing(1, 1, 2)] }, "round_robin"));
    return all(root, ".party-cross tbody th");
  };
  some(table(5).every(isWhole), "whole names of five");
  const box = one(root, ".party-cross");
  some(box.scrollWidth <= box.clientWidth, "no need to scroll");
  equal(table(12).length, 12);
  some(box.scrollWidth > box.clientWidth, "it scrolls");
  some(box.getBoundingClientRect().right <= PHONE[0], "inside of the window");
}));

test("in a game of a party no button is seen that can do nothing yet, and each keeps its place", () => onPage(PHONE, (root) => {
  const running = some(inRoom(golden("snapshot")).state.room, "a room");
  const over = { ...running, game: some(inRoom(golden("snapshot.over")).state.room, "a room").game };
  const seen = (/** @type {any} */ room, /** @type {any} */ left = null) => {
    const actions = html`<${Actions} room=${room} left=${left} steps=${null} sending=${false} act=${() => {}} />`;
    const line = room.settings.party && html`<p class="party-line"></p>`;
    render(html`<section class="room">${line}<div class="room-panel">${actions}</div></section>`, root);
    return all(root, ".actions button").filter((button) => styleOf(button).visibility === "visible").map(words);
  };
  const inParty = (/** @type {any} */ room) => ({ ...room, settings: { ...room.settings, hints: false, party: { party: "KQRZX", pairing: 1, table: 1, game: 1 } } });
  equal(seen(inParty(running)), ["Resign"]);
  const height = one(root, ".actions").getBoundingClientRect().height;
  equal(seen(inParty(over)), ["Back to the party", "Review"]);
  equal(one(root, ".actions").getBoundingClientRect().height, height);
  equal(seen(inParty(running), 0), ["Claim the win", "Claim a draw", "Resign"], "an absent opponent");
  equal(seen(running), ["Hint", "Resign"], "outside of a party");
}));

test("beside a board the letters of the buttons are as large as their own row has room for", () => inWindow(568, 320, (root) => {
  const room = some(inRoom(golden("snapshot")).state.room, "a room");
  const actions = html`<${Actions} room=${room} left=${null} steps=${null} sending=${false} act=${() => {}} />`;
  render(html`<section class="room"><div class="room-panel" style="inline-size: 16rem">${actions}</div></section>`, root);
  const [resign] = all(root, ".actions button").filter((button) => words(button) === "Resign");
  equal(letters(resign), 13);
  render(null, root);
}));

test("the line of a party's room begins where the bar above it does", () => inWindow(LAPTOP[0], LAPTOP[1], (root) => {
  const line = html`<p class="party-line"><span>Friday LAN</span><span role="status"></span></p>`;
  const room = html`<section class="room" style=${{ "--w": 3, "--h": 3 }}><div class="room-bar"><b>Room</b></div>${line}</section>`;
  render(room, root);
  const [bar, own] = [".room-bar", ".party-line"].map((part) => one(root, part).getBoundingClientRect());
  some(bar.left > 50 && Math.abs(bar.left - own.left) < 1 && Math.abs(bar.right - own.right) < 1, `${bar.left} and ${own.left}`);
  render(null, root);
}));

test("a phone is called to the table over everything, and what is typed just then answers nothing", () => onPage(PHONE, (root) => {
  const state = party({ entrants: people(2), pairings: [pairing(1, 1, 2)] });
  const shown = /** @type {any} */ ({ state, me: state.entrants[0], presence: { ready: [], checks: [{ pairing: 1, until: performance.now() + 60_000 }] } });
  let answers = 0;
  render(html`<${Summons} party=${shown} pairing=${state.pairings[0]} ready=${() => (answers += 1)} onclose=${() => {}} />`, root);
  const dialog = /** @type {HTMLDialogElement} */ (one(root, "dialog"));
  const { width, height } = dialog.getBoundingClientRect();
  equal([width, height, dialog.open, one(root, "dialog h2").textContent], [...PHONE, true, "Table 1!"]);
  equal(dialog.ownerDocument.activeElement?.tagName, "H2");
  one(root, "dialog .button-primary").click();
  equal(answers, 1);
}));

test("the call to the table says what the game is for", () => onPage(PHONE, (root) => {
  const said = (/** @type {"final" | "third" | null} */ stage) => {
    const state = party({ entrants: people(2), pairings: [pairing(1, 1, 2, { stage })] });
    const shown = /** @type {any} */ ({ state, me: state.entrants[0], presence: { ready: [], checks: [] } });
    render(html`<${Summons} party=${shown} pairing=${state.pairings[0]} ready=${() => {}} onclose=${() => {}} />`, root);
    return all(root, "#summons-text > p").slice(1, -1).map(words);
  };
  equal([said(null), said("third"), said("final")], [[], ["This is for third place."], ["This is the final."]]);
}));

test("a pair of whom one has a name from right to left begins at the left as others do", () => onPage(PHONE, (root, show) => {
  const entrants = [entrant(1, { name: "שרה לוי" }), ...people(4).slice(1)];
  show(party({ entrants, pairings: [pairing(1, 1, 2), pairing(2, 3, 4)] }, "swiss"), { checks: [] });
  const pairs = all(root, ".party-pair > :first-child");
  equal(pairs.map((pair) => styleOf(pair).direction), ["ltr", "ltr"]);
  equal(pairs[0].getBoundingClientRect().left, pairs[1].getBoundingClientRect().left);
}));

test("who has nobody to play is told who left and what can be done", () => onPage(PHONE, (root, show) => {
  const entrants = [...people(3), entrant(4, { name: "Ben", left: true })];
  show(party({ entrants, pairings: [pairing(1, 2, 3), { ...pairing(2, 1, 2), second: null }] }, "swiss"));
  equal(words(one(root, ".party-card p")).split(". ")[0], "Ben has left");
  equal(all(root, ".party-card .buttons > *").map(words), ["Bring others in", "Play the computer"]);
  one(root, ".party-card .buttons > button").click();
  equal(/** @type {HTMLDetailsElement} */ (one(root, ".party-bring")).open, true);
}));

test("a full party has no way in for somebody new, and says so", () => onPage(PHONE, (root, show) => {
  for (const phase of /** @type {const} */ (["gathering", "playing"])) {
    show(party({ phase, round: 0, entrants: people(12) }, "round_robin"), {}, false, { me: null });
    equal(words(one(root, ".party-card p:last-of-type")), "The party has 12 people, no more can play: look on.", phase);
    equal(all(root, ".party-come").length, 0, phase);
  }
}));

test("a host who looks on reads that the party is paused, and who in the queue is away", () => onPage(LAPTOP, (root, show) => {
  const state = party({ entrants: people(3), pairings: [pairing(1, 1, 2)], queue: [3] }, "winner_stays");
  show({ ...state, paused: true }, { away: [3] }, true, { me: null });
  equal([words(one(root, ".party-card h2")), words(one(root, ".party-queue"))], ["Paused", "E3 (away)"]);
}));

test("the host reads that the standings go, and can save them, before the party begins again", async () => {
  await addStrings("forms");
  await onPage(LAPTOP, (root, show, sent) => {
    const state = party({ phase: "over", entrants: people(2), places: [{ place: 1, entrant: 2 }, { place: 2, entrant: 1 }] }, "swiss");
    show(state, {}, true);
    for (const at of [0, 1]) {
      all(root, ".party-again > button")[at].click();
      show(state, {}, true);
      equal(sent.length, at, "nothing is sent yet");
      equal([words(one(root, "#again-text")), all(root, "dialog a[download]").length], ["This deletes the standings. Save them first:", 4]);
      one(root, "dialog [type=submit]").click();
      show(state, {}, true);
    }
    equal(sent.map(({ type, settings }) => [type, Boolean(settings)]), [["again", false], ["again", true]]);
  });
});

test("the host gives names also after the end, and who has got one is told", () => onPage(LAPTOP, (root, show) => {
  const entrants = [entrant(1, { name: "Theo", fixed_name: true }), entrant(2)];
  const state = party({ phase: "over", entrants, places: [{ place: 1, entrant: 1 }, { place: 2, entrant: 2 }] }, "swiss");
  show(state, {}, true);
  equal(all(root, ".party-entrants .party-name").map(words), ["Theo", "E2"]);
  one(root, ".party-name").click();
  show(state, {}, true);
  equal(one(root, "#entrant-name").getAttribute("maxlength"), "96", "as long as in any field for a name");
  show(state);
  equal(all(root, ".party-name").length, 0);
  some(words(one(root, ".party-head")).includes("You are Theo here: the host has given you this name."), "the reason");
}));

test("the button that stops the clocks keeps its place, so that a second click opens nothing", () => onPage(LAPTOP, (root, show, sent) => {
  const state = party({ entrants: people(2), pairings: [pairing(1, 1, 2)] });
  const stop = () => some(all(root, ".party-host button").find((button) => words(button) === "Stop the clocks"), "the button");
  show(state, {}, true);
  const before = stop().getBoundingClientRect().left;
  stop().click();
  show({ ...state, paused: true, clocksStopped: true }, {}, true);
  some(Math.abs(stop().getBoundingClientRect().left - before) < 10, "it keeps its place");
  equal(stop().getAttribute("aria-disabled"), "true");
  stop().click();
  equal(sent.length, 1);
}));

test("several rest, and one rests", () => onPage(LAPTOP, (root, show) => {
  const bye = (/** @type {number} */ number) => pairing(number, number, 0, { second: null, outcome: { winner: number, how: "bye" } });
  show(party({ entrants: people(4), pairings: [bye(1), bye(2), bye(3)] }));
  equal(all(root, ".party-pair small").map(words), ["rest"]);
  show(party({ entrants: people(4), pairings: [bye(1), bye(2)] }));
  equal(all(root, ".party-pair small").map(words), ["rests", "rests"]);
}));

test("nobody who was sent away is told to wait for the next party", () => onPage(PHONE, (root, show) => {
  const state = party({ phase: "over", entrants: people(2), places: [{ place: 1, entrant: 2 }, { place: 2, entrant: 1 }] }, "swiss");
  const waits = () => words(root).includes("keep this page open");
  show(state);
  equal(waits(), true);
  show(state, {}, false, { ended: true });
  equal(waits(), false);
}));

test("at the end of a party each kept game is a link, and one without a move says so", () => onPage(PHONE, (root, show) => {
  const games = gamesIn([{ pairing: 1, id: "11111111", how: "line" }, { pairing: 1, id: "22222222", how: "line" }, { pairing: 2, id: null, how: "no_move" }]);
  const state = party({ entrants: people(4), phase: "over", round: 2, past: [[[1, 2, 2, 0], [3, 4, 2, 0]]], pairings: [pairing(3, 1, 3, won(1))], places: people(4).map(({ number }) => ({ place: number, entrant: number })) }, "swiss");
  show(state, {}, false, { games });
  const links = all(root, ".party-pair > a").map((link) => [words(link), link.getAttribute("href")?.split("/").at(-1)]);
  equal(links, [["E2", "22222222"], ["E1 – , E2", "22222222"]], "in the viewer's own games and in the first round");
  equal(all(root, ".party-pair > small").map(words), ["No move was made."]);
}));

test("who comes to a party reads how it is played before the button and the code", () => onPage(PHONE, (root, show) => {
  show(party({ entrants: people(2), phase: "gathering", round: 0 }, "swiss"), {}, false, { me: null });
  const rules = some(all(root, ".note").find((note) => words(note).startsWith("Swiss: ")), "the rules");
  some(rules.getBoundingClientRect().bottom <= one(root, ".party-come").getBoundingClientRect().top, "above the button");
}));
