// Calls a player to the next game of the party, wherever on the page: the sound, a vibration, the title of
// the tab, the way to the party's screen, and on a phone a window over everything.
// @ts-check

import { partyOf } from "../client/party-view.js";
import { html, render } from "../html.js";
import { play, wake } from "../room/alerts.js";
import { strings } from "../strings.js";
import { foeOf, situationOf } from "./model.js";
import { remember as rememberOwn } from "./own.js";
import { Summons } from "./summons.js";
import { name } from "./text.js";

/** @typedef {import("../core/state.js").State} State */
/** @typedef {import("../view.js").Page} Page */

/** How long the result of a game stays before the next one calls, in milliseconds. */
const RESULT_MS = 4_000;

/**
 * Where the preferences have the party in which one is: its `code` and `name`, with which the start page leads back, and whether
 * it has `lent` the sound, which was off.
 */
const IN_PARTY = "inParty";

/** How long the room of a decided game stays, unless the player looks at it again, in milliseconds. */
const ROOM_MS = 8_000;

/** How long a room talks after its last line, in milliseconds. */
const TALK_MS = 30_000;

/** How long a phone vibrates, rests and vibrates, in milliseconds. */
const VIBRATION = [200, 100, 200];

/** How long the title shows one of its two texts, in milliseconds. */
const FLASH_MS = 1_000;

/** How the calls end that are about the end of the party, and of a game. */
const OVER = "over";
const DONE = "done";

/** Whether the page is followed already. */
let followed = false;
/** The last call: the party with its pairing, "" for none. */
let called = "";
let flash = 0;
let leading = 0;
/** The call that may be shown, the one that the player has put off, and where it is drawn. */
let due = "";
let putOff = "";
/** @type {HTMLElement | null} */
let root = null;
/** The last line of the room's talk, and until when it counts as talking. */
let line = 0;
let talkUntil = 0;

/** Calls from now on. @param {Page} page */
export function follow(page) {
  if (followed) return;
  followed = true;
  page.subscribe((state) => look(page, state));
  document.addEventListener("visibilitychange", () => {
    // A player who comes back to the tab is called again.
    if (document.visibilityState === "visible") putOff = "";
    draw(page);
  });
  look(page, page.state);
}

/**
 * Makes a player callable who joins or makes a party, or takes a place: a browser allows sound from
 * this tap on.
 * @param {Pick<Page, "dispatch">} page
 * @param {State["prefs"]} prefs
 */
export function callable(page, prefs) {
  wake();
  if (prefs.sound !== "off") return;
  const forms = { ...prefs.forms, [IN_PARTY]: { ...prefs.forms[IN_PARTY], lent: "yes" } };
  page.dispatch({ type: "prefs", prefs: { sound: "on", forms } });
}

/** @param {Page} page @param {State} state */
function look(page, state) {
  remember(page, state);
  listen(state);
  const call = callOf(state);
  if (call.id === called) return draw(page);
  called = call.id;
  due = "";
  clearInterval(flash);
  clearTimeout(leading);
  draw(page);
  if (!call.id) return;
  if (call.text) ring(state, call.text);
  const go = () => {
    lead(page, call.id);
    due = call.id;
    draw(page);
  };
  leading = setTimeout(go, call.id.endsWith(DONE) ? ROOM_MS : waitBefore(state));
}

/** Notes that somebody talks in the room. @param {State} state */
function listen({ room }) {
  const last = room?.chat.lines.at(-1)?.n ?? 0;
  if (last > line) talkUntil = performance.now() + TALK_MS;
  line = last;
}

/** @param {Page} page @param {State} state */
function remember(page, state) {
  const party = partyOf(state);
  if (party) rememberOwn(party);
  const prefs = prefsBeside(party, state.prefs);
  if (prefs) page.dispatch({ type: "prefs", prefs });
}

/**
 * Returns what changes in the preferences. They name the party until it is over or left. The sound that it has lent
 * goes when the player looks at it no more.
 *
 * @param {State["party"]} party @param {State["prefs"]} prefs
 * @returns {Partial<State["prefs"]> | null}
 */
export function prefsBeside(party, { sound, forms }) {
  const { code = "", lent } = forms[IN_PARTY] ?? {};
  if (!party) {
    return lent === "over" ? { sound: sound === "on" ? "off" : sound, forms: { ...forms, [IN_PARTY]: { code } } } : null;
  }
  const stays = (party.isHost || (party.me && !party.me.left)) && party.state.phase !== "over";
  const next = stays ? party.state.code : code === party.state.code ? "" : code;
  if (next === code) return null;
  return { forms: { ...forms, [IN_PARTY]: { ...own(next, lent), ...(stays && { name: party.state.name }) } } };
}

/** The kept party. @param {string} code @param {string} [lent] @returns {Record<string, string>} */
const own = (code, lent) => ({ code, ...(lent && { lent: code ? "yes" : "over" }) });

/** Forgets a party that is not there any more. @param {Page} page @param {string} code */
export function forgetParty(page, code) {
  const kept = page.state.prefs.forms[IN_PARTY];
  if (kept?.code === code) page.saveChoices(IN_PARTY, own("", kept.lent));
}

/** Whether the device is one that somebody holds. */
const isPhone = () => matchMedia("(pointer: coarse)").matches;

/** Draws the window of the call, or takes it away. @param {Page} page */
function draw(page) {
  const { state } = page;
  const party = partyOf(state);
  const situation = party && situationOf(party.state, party.me);
  const waits = due && due === callOf(state).id && due !== putOff && isPhone() && !["screen", "sheet"].includes(state.route.screen);
  const isShown = waits && situation?.kind === "ready" && !party?.state.paused;
  if (!isShown && !root) return;
  if (!root) document.body.append((root = document.createElement("div")));
  if (!isShown) return render(null, root);
  const { pairing } = situation;
  const ready = () => page.send({ type: "ready", party: party?.state.code ?? "", pairing: pairing.number });
  const put = () => {
    putOff = due;
    draw(page);
  };
  render(html`<${Summons} key=${due} party=${party} pairing=${pairing} ready=${ready} onclose=${put} />`, root);
}

/**
 * The call of now: a game that waits for its player, or the end of the party.
 *
 * @param {State} state
 * @returns {{id: string, text: string}}
 */
export function callOf(state) {
  const party = partyOf(state);
  const me = party?.me ?? null;
  if (!party || !me) return { id: "", text: "" };
  const { code } = party.state;
  const situation = situationOf(party.state, me);
  if (situation.kind === "over") return { id: `${code} ${OVER}`, text: "" };
  if (situation.kind !== "ready") return { id: isDone(state, party) ? `${code} ${state.room?.code} ${DONE}` : "", text: "" };
  if (party.presence.ready.includes(me.number)) return { id: "", text: "" };
  const foe = name(party.state, foeOf(situation.pairing, me.number));
  return { id: `${code} ${situation.pairing.number}`, text: strings("party.call", { name: foe }) };
}

/** Whether the room on the screen was our own table, and its pairing is decided. @param {State} state @param {import("./model.js").Party} party */
function isDone({ route, room }, party) {
  const tag = room?.settings.party;
  if (route.screen !== "room" || !tag || !room.you.length || !room.game?.result) return false;
  // The next round has other pairings, and there may be a bye in it.
  return party.state.pairings.every(({ number, outcome }) => number !== tag.pairing || outcome);
}

/** Whether somebody is busy in the room: they look at the game again, write, or have just talked. */
const isBusy = () =>
  document.querySelector(".review-steps, dialog[open], textarea:focus, input:focus") !== null || performance.now() < talkUntil;

/** The result of a game stays a moment. @param {State} state */
const waitBefore = ({ route, room }) =>
  route.screen === "room" && room?.settings.party && room.you.length > 0 && room.game?.result ? RESULT_MS : 0;

/** Leads to the party: to a game from any screen, at the end of something only from the party's rooms. @param {Page} page @param {string} id */
function lead(page, id) {
  const { state } = page;
  const party = partyOf(state);
  if (!party || callOf(state).id !== id || ["party", "screen"].includes(state.route.screen)) return;
  const ends = id.endsWith(OVER) || id.endsWith(DONE);
  const inRoom = state.route.screen === "room" && state.room?.settings.party;
  // A room that talks is not torn apart: the bar at its foot leads on.
  if ((ends && !inRoom) || isBusy()) return;
  page.navigate({ screen: "party", code: party.state.code });
}

/** @param {State} state @param {string} text */
function ring({ prefs: { sound } }, text) {
  play(["turn"], sound);
  if (sound !== "off" && isPhone()) navigator.vibrate?.(VIBRATION);
  let usual = document.title;
  flash = setInterval(() => {
    if (document.title !== text) usual = document.title;
    const shown = document.title !== text && called !== "";
    document.title = shown ? text : usual;
  }, FLASH_MS);
}
