// The rounds of a party as lists: who met whom and how it ended. In a knockout this is the bracket.
// @ts-check

import { WIN } from "../client/party-state.js";
import { awaited, pointsText } from "../client/party-view.js";
import { html } from "../html.js";
import { Link } from "../link.js";
import { strings } from "../strings.js";
import { plays, rounds } from "./model.js";
import { howText, name, roundTitle } from "./text.js";

/** @typedef {import("./model.js").Party} Party */
/** @typedef {import("./model.js").Met} Met */
/** @typedef {import("./files.js").Games} Games */

/** So many byes of a round have rows of their own. */
const FEW_BYES = 2;

/** @param {{party: Party, games?: Games}} props */
export function Rounds({ party, games = {} }) {
  const { state, me } = party;
  const list = rounds(state);
  if (list.length === 0) return null;
  if (state.settings.format === "winner_stays") {
    const met = list[0].met.filter(({ points }) => points).reverse();
    return met.length > 0 && html`<section class="group">
      <h2>${strings("party.lately")}</h2>
      <${List} state=${state} met=${met} me=${me?.number ?? 0} games=${games} />
    </section>`;
  }
  const playing = state.phase === "playing" && awaited(state).length > 0;
  const [shown, folded] = [list.slice(0, 1), list.slice(1)].map((some) => some.map(({ round, met: all }) => {
    // The games of a round that is played stand above with their buttons.
    const isLast = round === list[0].round;
    const met = isLast && playing ? all.filter(({ second }) => !second) : all;
    if (met.length === 0) return null;
    const title = roundTitle(state, all, round);
    const rows = html`<${List} state=${state} met=${met} me=${me?.number ?? 0} games=${games} />`;
    return isLast
      ? html`<section key=${round} class="group"><h2>${title}</h2>${rows}</section>`
      : html`<details key=${round} class="more"><summary>${title}</summary><div>${rows}</div></details>`;
  }));
  return [...shown, folded.length > 0 && html`<div class="party-more">${folded}</div>`];
}

/** @param {{state: Party["state"], met: Met[], me: number, games: Games}} props */
function List({ state, met, me, games }) {
  // Many byes are one row.
  const byes = met.filter(({ second }) => !second);
  const rows = byes.length > FEW_BYES ? met.filter(({ second }) => second) : met;
  return html`<ul class="party-rows" role="list">
    ${rows.map((one) => html`<${Row} key=${one.number} state=${state} met=${one} me=${me} games=${games} />`)}
    ${rows !== met && html`<li class=${byes.some((one) => plays(/** @type {any} */ (one), me)) ? "party-row is-me" : "party-row"}>
      <span class="party-pair">
        <span>${byes.map(({ first }, at) => html`${at > 0 && ", "}<bdi>${name(state, first)}</bdi>`)}</span>
        <small>${strings("party.byeNote", { count: byes.length })}</small>
      </span>
    </li>`}
  </ul>`;
}

/** Leads to a game that is kept. @param {{game?: Games[number], children?: any}} props */
export const GameLink = ({ game, children }) =>
  game?.id ? html`<${Link} to=${{ screen: "game", game: game.id }} title=${strings("room.look")}>${children}<//>` : children;

/** That nobody made a move, where the result of an earlier round does not say it. @param {Games} games @param {Met} met */
export const noMove = (games, { number, second, outcome }) =>
  second && !outcome && games[number]?.how === "no_move" ? strings("party.how.noMove") : "";

/** @param {{state: Party["state"], met: Met, me: number, table?: number, games?: Games}} props */
export function Row({ state, met, me, table, games = {} }) {
  const { first, second, points, pairing } = met;
  const side = (/** @type {number} */ number, /** @type {0 | 1} */ at) => {
    const won = points?.[at] === WIN;
    return html`<bdi class=${won ? "is-winner" : points && points[1 - at] === WIN ? "is-out" : null}>${name(state, number)}</bdi>`;
  };
  const stage = pairing?.stage === "third" ? strings("party.stage.third") : "";
  const how = howText(state, met) || noMove(games, met);
  const note = [stage, !second ? strings("party.byeNote") : how].filter(Boolean).join(" · ");
  const mine = plays(/** @type {any} */ (met), me);
  return html`<li class=${mine ? "party-row is-me" : "party-row"}>
    ${table && html`<b class="party-table">${table}</b>`}
    <span class="party-pair">
      <${GameLink} game=${games[met.number]}><span>${side(first, 0)}${second && html`<span aria-hidden="true"> – </span><span class="visually-hidden">, </span>${side(second, 1)}`}</span><//>
      ${note && html`<small>${note}</small>`}
    </span>
    <span class="party-score">${score(state, met)}</span>
  </li>`;
}

/** "1 : 0", or how it stands. @param {Party["state"]} state @param {Met} met */
function score({ phase }, { second, points, pairing }) {
  if (!second) return "";
  if (points) return `${pointsText(points[0])} : ${pointsText(points[1])}`;
  if (phase === "over") return strings("party.notPlayed");
  return pairing?.room ? strings("party.plays") : "–";
}
