// The table of a party: places, points, and for few entrants what each played against each.
// @ts-check

import { WIN } from "../client/party-state.js";
import { pointsText } from "../client/party-view.js";
import { FaceOf } from "../face-of.js";
import { html } from "../html.js";
import { strings } from "../strings.js";
import { rounds, sign, standings } from "./model.js";
import { name } from "./text.js";

/** @typedef {import("./model.js").Party} Party */

/** Rows that a long table shows above and below the viewer's own one, and at its top. */
const AROUND = 2;
const TOP = 12;

/** @param {{party: Party}} props */
export function Standings({ party }) {
  const { state, me, leading } = party;
  const rows = standings(state);
  if (rows.length === 0) return null;
  const { format } = state.settings;
  const own = rows.findIndex(({ entrant }) => entrant.number === me?.number);
  const near = (/** @type {number} */ at) => at < TOP || (own >= 0 && Math.abs(at - own) <= AROUND);
  const shown = rows.filter((_, at) => near(at));
  const rest = rows.filter((_, at) => !near(at));
  const table = (/** @type {typeof rows} */ some, /** @type {string} */ label) =>
    html`<${Table} rows=${some} format=${format} me=${me?.number} leading=${leading} label=${label} />`;
  return html`<section class="group">
    <h2>${strings(state.phase === "over" ? "party.final.title" : "party.standings")}</h2>
    ${table(shown, strings("party.standings"))}
    ${rest.length > 0 && html`<details class="more">
      <summary>${strings("party.all", { count: rows.length })}</summary>
      <div>${table(rows, strings("party.all", { count: rows.length }))}</div>
    </details>`}
    ${["swiss", "round_robin"].includes(format) && html`<p class="note">${strings(`party.equal.${format}`)}${format === "swiss" && rows.some(({ entrant }) => restsOf(entrant) > 0) && ` ${strings("party.rests")}`}</p>`}
    ${format === "round_robin" && html`<${Crosstable} party=${party} rows=${rows} />`}
  </section>`;
}

/** The rests of an entrant that gave a point: no win counts them. @param {import("./model.js").Entrant} entrant */
const restsOf = ({ points, wins, draws }) => Math.floor((points - WIN * wins - draws) / WIN);

/** @param {{rows: import("./model.js").Row[], format: string, me: number | undefined, leading: string | null, label: string}} props */
function Table({ rows, format, me, leading, label }) {
  const swiss = format === "swiss";
  const points = swiss || format === "round_robin";
  const wins = format === "winner_stays";
  const note = (/** @type {import("./model.js").Entrant} */ { number, player }) =>
    [number === me ? "room.you" : "", player && player === leading ? "party.mark" : ""].filter(Boolean).map((one) => strings(one)).join(", ");
  return html`<table class="party-standings" aria-label=${label}>
    <thead>
      <tr>
        <th scope="col"><span class="visually-hidden">${strings("party.rank")}</span></th>
        <th scope="col">${strings("party.player")}</th>
        ${(points || wins) && html`<th scope="col">${strings(wins ? "party.wins" : "party.points")}</th>`}
        <th scope="col"><abbr title=${strings("party.tally.title")}>${strings("party.tally")}</abbr></th>
        ${swiss && html`<th scope="col"><abbr title=${strings("party.buchholz.title")}>${strings("party.buchholz")}</abbr></th>`}
      </tr>
    </thead>
    <tbody>
      ${rows.map(({ place, entrant, tiebreak }) => html`<tr class=${entrant.number === me ? "is-me" : null}>
        <td>${place || ""}</td>
        <th scope="row"><${FaceOf} ...${entrant} /><bdi>${entrant.name}</bdi>${note(entrant) && html` <small>(${note(entrant)})</small>`}</th>
        ${(points || wins) && html`<td><b>${wins ? entrant.wins ?? 0 : pointsText(entrant.points ?? 0)}</b></td>`}
        <td>${[entrant.wins ?? 0, entrant.draws ?? 0, entrant.losses ?? 0].join("–")}${swiss && restsOf(entrant) > 0 && html` <small>+${restsOf(entrant)}</small>`}</td>
        ${swiss && html`<td>${pointsText(tiebreak)}</td>`}
      </tr>`)}
    </tbody>
  </table>`;
}

/** Everybody against everybody. @param {{party: Party, rows: import("./model.js").Row[]}} props */
function Crosstable({ party: { state, me }, rows }) {
  /** @type {Map<string, string>} */
  const results = new Map();
  for (const { met } of rounds(state)) {
    for (const { first, second, points } of met) {
      if (!second || !points) continue;
      results.set(`${first} ${second}`, sign(points[0])).set(`${second} ${first}`, sign(points[1]));
    }
  }
  return html`<h3>${strings("party.cross")}</h3>
  <div class="party-cross" tabindex="0" role="region" aria-label=${strings("party.cross")}>
    <table style=${{ "--columns": rows.length }}>
      <thead>
        <tr>
          <td></td>
          ${rows.map(({ entrant }, at) => html`<th key=${entrant.number} scope="col" title=${entrant.name}>
            <span aria-hidden="true">${at + 1}</span><span class="visually-hidden">${entrant.name}</span>
          </th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(({ entrant: row }, at) => html`<tr key=${row.number} class=${row.number === me?.number ? "is-me" : null}>
          <th scope="row"><span aria-hidden="true">${at + 1} </span><bdi>${name(state, row.number)}</bdi></th>
          ${rows.map(({ entrant: column }) => html`<td key=${column.number}>
            ${row === column ? html`<span aria-hidden="true">×</span>` : (results.get(`${row.number} ${column.number}`) ?? "")}
          </td>`)}
        </tr>`)}
      </tbody>
    </table>
  </div>`;
}
