// The next thing: a pause, the ready check, the wait for the last tables, the next round.
// @ts-check

import { entrantsOf } from "../client/party-state.js";
import { awaited as openIn } from "../client/party-view.js";
import { html } from "../html.js";
import { strings } from "../strings.js";
import { nameOf } from "./followed.js";
import { pageAt, secondsTo, turnAt } from "./timing.js";

/** @typedef {import("./followed.js").Followed} Followed */

/** The names that fit where no list stands below. */
const MOST_NAMES = 8;

/**
 * The heading and the lines, from the most urgent.
 *
 * @param {Followed} party
 * @param {number} at
 * @returns {{title: string, seconds: number | null, names: string[]}}
 */
export function nextOf({ state, presence }, at) {
  const { phase, paused, pairings, queue, settings, round } = state;
  if (paused) return { title: strings("big.paused"), seconds: null, names: calledIn(state) };
  if (phase === "over") return { title: strings("big.over"), seconds: null, names: [] };
  const due = presence.nextAt;
  // The rounds of a knockout have names, "winner stays on" has none.
  const hasNumbers = settings.format === "swiss" || settings.format === "round_robin";
  if (due !== null) {
    return { title: strings(round === 0 ? "big.next.first" : hasNumbers ? "big.next.round" : "big.next.on", { round: round + 1 }), seconds: secondsTo(due, at), names: [] };
  }
  const checked = new Set(presence.checks.map(({ pairing }) => pairing));
  const awaited = pairings
    .filter(({ number }) => checked.has(number))
    .flatMap(entrantsOf)
    .filter((number) => !presence.ready.includes(number));
  if (awaited.length > 0) {
    const left = Math.min(...presence.checks.map(({ until }) => secondsTo(until, at)));
    return { title: strings("big.next.ready"), seconds: left, names: awaited.map((number) => nameOf(state, number)) };
  }
  if (settings.format === "winner_stays") {
    const names = queue.slice(0, 1).map((number) => nameOf(state, number));
    return { title: strings(names.length > 0 ? "big.next.queue" : "big.next.none"), seconds: null, names };
  }
  const open = openIn(state).length;
  return { title: open > 0 ? strings("big.next.open", { count: open }) : strings("big.next.soon"), seconds: null, names: [] };
}

/** The pairs that are called and have not begun. @param {import("./followed.js").PartyState} state */
const calledIn = (state) =>
  openIn(state).filter(({ room }) => !room).map(({ first, second }) => `${nameOf(state, first)} – ${nameOf(state, second)}`);

/**
 * The names below the heading. A few tables name those who are awaited: then they are not said twice.
 *
 * @param {Followed} party @param {number} at @param {boolean} onTiles
 */
export function namesOf(party, at, onTiles) {
  const { seconds, names } = nextOf(party, at);
  return onTiles && (seconds !== null || party.state.paused) ? [] : names;
}

/** @param {{party: Followed, at: number, onTiles: boolean}} props */
export function Next({ party, at, onTiles }) {
  const { title, seconds } = nextOf(party, at);
  const names = namesOf(party, at, onTiles);
  const { items, page, pages } = pageAt(names, MOST_NAMES, turnAt(at));
  return html`<section class="big-next" data-paused=${party.state.paused}>
    <h2>${title}</h2>
    ${seconds !== null && html`<p class="big-seconds">${seconds}</p>`}
    ${items.length > 0 && html`<ul>${items.map((name) => html`<li class="big-cut" style=${{ "--letters": name.length }}>${name}</li>`)}</ul>`}
    ${pages > 1 && html`<p class="big-pages">${strings("big.page", { page, pages })}</p>`}
  </section>`;
}
