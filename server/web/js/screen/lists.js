// The lists of the big screen: the standings, the queue, the pairings of a large round. A long list turns
// its pages by itself.
// @ts-check

import { isGame, pointsText } from "../client/party-view.js";
import { FaceOf } from "../face-of.js";
import { html } from "../html.js";
import { strings } from "../strings.js";
import { leaderOf } from "../client/party-state.js";
import { aliveIn, lettersOf, nameOf, ranks } from "./followed.js";
import { pageAt, turnAt } from "./timing.js";

/** @typedef {import("./followed.js").Followed} Followed */
/** @typedef {import("./followed.js").PartyState} PartyState */

/** The rows of a page beside the tables. */
const SIDE_ROWS = 10;

/** The rows below a longer text there. */
const SHORT_ROWS = 8;

/** The rows of one column of the whole screen, and its columns. */
const WIDE_ROWS = 10;
const WIDE_COLUMNS = 3;

/** More rows than this are closer beside the tables. */
const AIRY = 7;

/** @param {boolean} isShort more stands above it */
const sideRows = (isShort) => (isShort ? SHORT_ROWS : SIDE_ROWS);

/** The pairings of a page of a large round. */
const PAIRS = 24;

/** @param {{page: number, pages: number}} props */
export const Pages = ({ page, pages }) =>
  pages > 1 && html`<p class="big-pages">${strings("big.page", { page, pages })}</p>`;

/** Beside the leader's mark, a longer name leaves no width for a face. In letters. */
const FACED = 16;

/** A face and a name. The leader's mark is before the name: anybody may have such a name. @param {{state: PartyState, number: number}} props */
export const Name = ({ state, number }) => html`${(number !== leaderOf(state) || nameOf(state, number).length <= FACED) && html`<${FaceOf} ...${state.entrants[number - 1] ?? {}} />`}${number === leaderOf(state) && html`<small class="big-host">${strings("big.host")}</small>${" "}`}${nameOf(state, number)}`;

/** @param {PartyState} state */
const titleOf = ({ settings }) => strings(settings.format === "winner_stays" ? "big.wins.title" : "big.standings.title");

/** @param {PartyState} state @param {{place: number, entrant: import("./followed.js").Entrant}} row */
const standing = (state, { place, entrant }) => html`<li class="big-row" key=${entrant.number} style=${{ "--letters": lettersOf(state, entrant.number) }} data-left=${entrant.left}>
  <span class="big-place">${place || ""}</span>
  <span class="big-two"><${Name} state=${state} number=${entrant.number} /></span>
  <span class="big-points">${state.settings.format === "winner_stays" ? entrant.wins : pointsText(entrant.points)}</span>
</li>`;

/** @param {{title: string, page: number, pages: number, rows: number, children: import("../html.js").Children}} props */
export const SideList = ({ title, page, pages, rows, children }) => html`<section class="big-list" data-close=${rows > AIRY}>
  <div class="big-list-head"><h2>${title}</h2><${Pages} page=${page} pages=${pages} /></div>
  <ol class="big-rows">${children}</ol>
</section>`;

/** The standings beside the tables. @param {{state: PartyState, at: number, isShort: boolean}} props */
export function Standings({ state, at, isShort }) {
  const { items, page, pages } = pageAt(ranks(state), sideRows(isShort), turnAt(at));
  return html`<${SideList} title=${titleOf(state)} page=${page} pages=${pages} rows=${items.length}>${items.map((row) => standing(state, row))}<//>`;
}

/** The standings on the whole screen. @param {{state: PartyState, at: number}} props */
export function WideStandings({ state, at }) {
  const rows = ranks(state);
  const { items, page, pages } = pageAt(rows, WIDE_ROWS * WIDE_COLUMNS, turnAt(at));
  const columns = Math.min(WIDE_COLUMNS, Math.ceil(items.length / WIDE_ROWS));
  const style = { "--columns": columns, "--rows": Math.ceil(items.length / columns) };
  return html`<section class="big-wide">
    <h2>${titleOf(state)}</h2>
    <ol class="big-rows big-columns" style=${style}>${items.map((row) => standing(state, row))}</ol>
    <${Pages} page=${page} pages=${pages} />
  </section>`;
}

/** Those who wait. The next one is not said twice. @param {{state: PartyState, at: number, isShort: boolean}} props */
export function Queue({ state, at, isShort }) {
  const said = isShort && !state.paused ? 1 : 0;
  const { items, page, pages, from } = pageAt(state.queue.slice(said), sideRows(isShort), turnAt(at));
  return html`<${SideList} title=${strings(said ? "big.queue.then" : "big.queue.title")} page=${page} pages=${pages} rows=${items.length}>
    ${items.map((number, place) => html`<li class="big-row" key=${number} style=${{ "--letters": lettersOf(state, number) }}>
      <span class="big-place">${from + place + 1 + said}</span>
      <span class="big-two"><${Name} state=${state} number=${number} /></span>
    </li>`)}
  <//>`;
}

/** Those who can still win a knockout. @param {{state: PartyState, at: number, isShort: boolean}} props */
export function Alive({ state, at, isShort }) {
  const alive = aliveIn(state);
  const { items, page, pages } = pageAt(alive, sideRows(isShort), turnAt(at));
  return html`<${SideList} title=${strings("big.alive.title", { count: alive.length })} page=${page} pages=${pages} rows=${items.length}>
    ${items.map((number) => html`<li class="big-row big-row-name" key=${number} style=${{ "--letters": lettersOf(state, number) }}>
      <span class="big-two"><${Name} state=${state} number=${number} /></span>
    </li>`)}
  <//>`;
}

/** The pairings of a round with too many for a bracket. @param {{state: PartyState, at: number}} props */
export function WidePairings({ state, at }) {
  const pairs = state.pairings.filter(isGame);
  const byes = state.pairings.length - pairs.length;
  const { items, page, pages } = pageAt(pairs, PAIRS, turnAt(at));
  return html`<section class="big-wide">
    <h2>${strings("big.pairs.title")}</h2>
    <ul class="big-pairs">${items.map(({ number, first, second, outcome }) => html`<li key=${number} class="big-pair">
      ${[first, second].map((one) => html`<span class="big-two" data-place=${outcome ? (outcome.winner === one ? "won" : "lost") : "open"}>
        ${nameOf(state, one)}
      </span>`)}
    </li>`)}</ul>
    ${byes > 0 && html`<p class="big-note">${strings("big.byes", { count: byes })}</p>`}
    <${Pages} page=${page} pages=${pages} />
  </section>`;
}
