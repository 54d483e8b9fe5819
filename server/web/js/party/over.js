// A party that is over: the podium, one's own place, and the sheet with all results.
// @ts-check

import { firstPeople, pointsText } from "../client/party-view.js";
import { FaceOf } from "../face-of.js";
import { html } from "../html.js";
import { later } from "../later.js";
import { Link } from "../link.js";
import { CELEBRATION } from "../parts.js";
import { lineStroke } from "../room/pen.js";
import { joinList } from "../room/room-text.js";
import { strings } from "../strings.js";
import { Again } from "./again.js";
import { Files } from "./files.js";
import { Entrants, Head } from "./head.js";
import { Host } from "./host.js";
import { foeOf, metBy, standings } from "./model.js";
import { GameLink, Rounds, noMove } from "./rounds.js";
import { Standings } from "./standings.js";
import { ownHow } from "./own.js";
import { leaderName, name, scoreText } from "./text.js";
import { longestWord } from "../screen/words.js";

const Fanfare = later(CELEBRATION, "Fanfare");

/** @typedef {import("./model.js").Party} Party */

/** The steps from left to right, as one knows them. */
const STEPS = [2, 1, 3];

/** @param {import("./head.js").Props & {games: import("./files.js").Games}} props */
export function Over(props) {
  const { party, games } = props;
  const { state, me, isHost } = party;
  const rows = standings(state);
  // A party that ended before a game did has no places.
  const isPlayed = state.places.length > 0;
  const people = firstPeople(rows);
  const own = rows.find(({ entrant }) => entrant.number === me?.number);
  const same = rows.filter(({ place }) => place === own?.place).length;
  const key = own?.place === 1 ? "party.place.first" : same > 1 ? "party.place.shared" : "party.place";
  return html`<div class="screen form party">
    <${Head} ...${props} />
    ${isPlayed && own && (own.place === 1 || people.includes(own.entrant)) && html`<${Fanfare} />`}
    <div class="two-columns">
      <div>
        ${isPlayed ? html`<${Podium} state=${state} rows=${rows} />` : html`<p class="party-own" role="status">${strings("party.over.none")}</p>`}
        ${people.length > 0 && html`<p>${strings("party.people", { names: joinList(people.map(({ number }) => name(state, number))) })}</p>`}
        ${isPlayed && own && html`<p class="party-own" role="status">${strings(key, { place: own.place, count: rows.length })}</p>`}
        ${me && html`<${Sheet} party=${party} games=${games} />`}
        ${isHost ? html`<${Again} ...${props} />` : me && !me.left && props.state.connection.phase !== "ended" && html`<p class="note">${strings("party.replay.wait", { name: leaderName(state) })}</p>`}
        <div class="buttons">
          <${Link} class="button-quiet" to=${{ screen: "party" }}>${strings("party.another")}<//>
          <${Link} class="button-quiet" to=${{ screen: "welcome" }}>${strings("room.closed.menu")}<//>
        </div>
      </div>
      <div>
        ${isPlayed && html`<${Standings} party=${party} />`}
        <${Rounds} party=${party} games=${games} />
        ${isHost && html`<details class="more">
          <summary>${strings("party.who", { count: state.entrants.length })}</summary>
          <div><${Entrants} party=${party} state=${props.state} /></div>
        </details>`}
        <${Files} party=${party} />
        ${isHost && html`<${Host} ...${props} />`}
      </div>
    </div>
  </div>`;
}

/** The three steps. More than three names stand on a step that is shared. @param {{state: import("./model.js").PartyState, rows: import("./model.js").Row[]}} props */
function Podium({ state, rows }) {
  const on = (/** @type {number} */ step) => rows.filter(({ place }) => place === step).slice(0, 4);
  return html`<ol class="party-podium" aria-label=${strings("party.podium")}>
    ${STEPS.filter((step) => on(step).length > 0).map((step) => html`<li key=${step} data-step=${step} value=${step}>
      <span class="party-names" style=${{ "--letters": longestWord(on(step).map(({ entrant }) => entrant.name)) }}>${on(step).map(({ entrant }) => html`<span key=${entrant.number}><${FaceOf} ...${entrant} /><bdi>${entrant.name}</bdi></span>`)}</span>
      <small class="party-on-step">${scoreText(state, on(step)[0].entrant)}</small>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <path d=${lineStroke({ x: 2, y: 4 }, { x: 98, y: 4 }, `podium ${step}`)} vector-effect="non-scaling-stroke" />
      </svg>
      <b class="party-step"><span class="visually-hidden">${strings("party.rank")} </span>${step}</b>
    </li>`)}
  </ol>`;
}

/** The viewer's games. @param {{party: Party, games: import("./files.js").Games}} props */
function Sheet({ party: { state, me }, games }) {
  const number = me?.number ?? 0;
  // A game that the end of the party has broken off does not count.
  const met = metBy(state, number).filter(({ points }) => points);
  // "Winner stays on" has one round: there the games are counted.
  const stays = state.settings.format === "winner_stays";
  if (met.length === 0) return null;
  return html`<section class="group">
    <h2>${strings("party.sheet")}</h2>
    <ul class="party-rows" role="list">
      ${met.map((one, at) => {
        const foe = foeOf(/** @type {any} */ (one), number);
        const own = one.points?.[one.first === number ? 0 : 1];
        const why = ownHow(state, one, number) || noMove(games, one);
        const result = own === undefined ? "" : own === 2 ? "won" : own === 1 ? "drawn" : "lost";
        return html`<li key=${one.number} class="party-row">
          <b class="party-table">${stays ? at + 1 : one.round}</b>
          <span class="party-pair">${foe ? html`<${GameLink} game=${games[one.number]}><bdi>${name(state, foe)}</bdi><//>` : strings("party.byeNote")}${why && html`<small>${why}</small>`}</span>
          <span class="party-score">${foe && result ? strings(`party.sheet.${result}`) : own === undefined ? "" : pointsText(own)}</span>
        </li>`;
      })}
    </ul>
  </section>`;
}
