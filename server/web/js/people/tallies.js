// Won, lost and drawn games: as a table, as "12–9–4", and in words.
// @ts-check

import { html } from "../html.js";
import { strings } from "../strings.js";
import { number } from "./when.js";

/** @typedef {import("../client/protocol.js").Tally} Tally */

/** @param {Tally} tally @returns {string} won, lost, drawn */
export const tallyText = ({ wins, losses, draws }) => [wins, losses, draws].map(number).join("–");

/** @param {Tally} tally */
export const tallyWords = ({ wins, losses, draws }) =>
  strings("profile.tally", { wins: number(wins), losses: number(losses), draws: number(draws) });

/**
 * A table, none without rows.
 *
 * @param {{title: string, rows: {head: import("../html.js").Children, tally: Tally}[]}} props
 */
export const TallyTable = ({ title, rows }) => rows.length > 0 && html`
  <table class="tallies">
    <caption>${title}</caption>
    <thead>
      <tr>
        <td></td>
        ${["won", "lost", "drawn"].map((name) => html`
          <th key=${name} scope="col">
            <span aria-hidden="true">${strings(`tally.${name}`)}</span>
            <span class="visually-hidden">${strings(`games.${name}`)}</span>
          </th>
        `)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(({ head, tally: { wins, losses, draws } }, at) => html`
        <tr key=${at}>
          <th scope="row">${head}</th>
          ${[wins, losses, draws].map((count, column) => html`<td key=${column}>${number(count)}</td>`)}
        </tr>
      `)}
    </tbody>
  </table>
`;
