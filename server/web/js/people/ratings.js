// The ratings of a player, each with its uncertainty.
// @ts-check

import { html } from "../html.js";
import { strings } from "../strings.js";
import { number } from "./when.js";

/** @param {{ratings: readonly import("../client/protocol.js").Rating[]}} props */
export const Ratings = ({ ratings }) => ratings.length > 0 && html`
  <section class="group">
    <h2>${strings("ratings.title")}</h2>
    <ul class="ratings" role="list">
      ${ratings.map(({ class: kind, rating, deviation, games }) => html`
        <li key=${kind}>
          <span>${strings(`class.${kind}`)}</span>
          <b>${rating} <small>± ${deviation}</small></b>
          <span class="note">${strings("ratings.games", { count: number(games) })}</span>
        </li>
      `)}
    </ul>
    <p class="note">${strings("ratings.note")}</p>
  </section>
`;
