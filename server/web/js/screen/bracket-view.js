// The bracket of a knockout on the whole screen, with the game for the third place below the final.
// @ts-check

import { html } from "../html.js";
import { strings } from "../strings.js";
import { matchOf } from "./bracket.js";
import { nameOf } from "./followed.js";
import { roundName } from "./texts.js";

/** @typedef {import("./followed.js").PartyState} PartyState */
/** @typedef {import("./bracket.js").Match} Match */

/** @param {{state: PartyState, columns: import("./bracket.js").Column[]}} props */
export function Bracket({ state, columns }) {
  const third = state.pairings.find(({ stage }) => stage === "third");
  return html`<section class="big-wide">
    <h2 class="visually-hidden">${strings("big.bracket.title")}</h2>
    <ol class="big-bracket" style=${{ "--columns": columns.length }}>
      ${columns.map(({ left, matches }, at) => html`<li class="big-column" key=${left} data-first=${at === 0} data-final=${left === 1}>
        <h3>${roundName(left)}</h3>
        <ol class="big-matches">
          ${matches.map((match) => html`<${Pair} key=${match.key} state=${state} match=${match} />`)}
        </ol>
        ${left === 1 && third && html`<div class="big-third">
          <h3>${strings("big.third")}</h3>
          <ol class="big-matches"><${Pair} state=${state} match=${matchOf(third)} /></ol>
        </div>`}
      </li>`)}
    </ol>
  </section>`;
}

/** @param {{state: PartyState, match: Match}} props */
const Pair = ({ state, match: { slots, isBye, isLive } }) => html`<li class="big-match" data-live=${isLive}>
  ${slots.map(({ number, state: place }, at) => html`<span class="big-slot big-two" data-place=${place} data-empty=${number === null}>
    ${number === null ? (isBye && at === 1 ? strings("big.bye") : "–") : nameOf(state, number)}
  </span>`)}
</li>`;
