// The end of a party: the first three, with strokes that fall once, and the other places beside them.
// @ts-check

import { FaceOf } from "../face-of.js";
import { html } from "../html.js";
import { MarkIcon } from "../room/board-svg.js";
import { joinList } from "../room/room-text.js";
import { firstPeople, pointsText } from "../client/party-view.js";
import { MARKS } from "../client/rules.js";
import { strings } from "../strings.js";
import { lettersOf, nameOf, ranks } from "./followed.js";
import { SideList } from "./lists.js";
import { pageAt, turnAt } from "./timing.js";
import { longestWord } from "./words.js";

/** @typedef {import("./followed.js").PartyState} PartyState */

/** The steps from the left. */
const STEPS = [2, 1, 3];

/** The names on one step: shared places can have more. */
const MOST_NAMES = 3;

/** The rows of a page of the other places. */
const ROWS = 10;

/** Strokes that fall: each is an element. */
const PIECES = 40;

/** A party that ended before a game did has no places. @param {PartyState} state */
const hasPlaces = ({ places }) => places.length > 0;

/** "5½ points", "3 wins"; "" where the format counts neither. @param {PartyState} state @param {import("./followed.js").Entrant} entrant */
function scoreText({ settings: { format } }, { points, wins }) {
  if (format === "knockout") return "";
  if (format === "winner_stays") return strings("big.score.wins", { count: wins });
  return strings("big.score.points", { points: pointsText(points), count: points / 2 });
}

/** @param {{state: PartyState}} props */
export function Podium({ state }) {
  const rows = ranks(state);
  const people = firstPeople(rows);
  // Two who play have two steps.
  const steps = STEPS.filter((step) => rows.some(({ place }) => place === step));
  if (!hasPlaces(state)) return html`<h2 class="big-unplaced">${strings("big.over.none")}</h2>`;
  return html`<section class="big-podium">
    <${Confetti} />
    <h2 class="visually-hidden">${strings("big.podium")}</h2>
    <ol style=${{ "--steps": steps.length }}>
      ${steps.map((place) => {
        const names = rows.filter((row) => row.place === place).map(({ entrant }) => entrant);
        const shown = names.slice(0, MOST_NAMES);
        return html`<li key=${place} class="big-step" data-place=${place} value=${place}>
          <div class="big-step-names" data-count=${Math.min(names.length, MOST_NAMES + 1)} style=${{ "--letters": longestWord(shown.map(({ name }) => name)) }}>
            ${shown.map((one) => html`<p key=${one.number}><${FaceOf} ...${one} /><bdi>${one.name}</bdi></p>`)}
            ${names.length > MOST_NAMES && html`<p>${strings("big.more", { count: names.length - MOST_NAMES })}</p>`}
          </div>
          <div class="big-step-block"><p>${place}</p><p class="big-step-score">${scoreText(state, names[0])}</p></div>
        </li>`;
      })}
    </ol>
    ${people.length > 0 && html`<p class="big-people">${strings("big.firstPeople", { names: joinList(people.map(({ number }) => nameOf(state, number))) })}</p>`}
  </section>`;
}

/** Marks of both inks that fall over the screen. They lie still for those who asked for less motion. */
const Confetti = () => html`<div class="big-confetti" aria-hidden="true">
  ${Array.from({ length: PIECES }, (_, at) => html`
    <i style=${{ "--at": (at * 61.8) % 100, "--wait": (at * 37) % 50, "--turn": (at * 137) % 360, "--size": 0.6 + ((at * 7) % 5) / 6 }}>
      <${MarkIcon} mark=${MARKS[at % 2]} seed=${String(at)} />
    </i>`)}
</div>`;

/** Everybody who has no room on a step. @param {{state: PartyState, at: number}} props */
export function OtherPlaces({ state, at }) {
  const rows = ranks(state);
  const isOnStep = (/** @type {number} */ place, /** @type {number} */ order) => {
    const first = rows.findIndex((row) => row.place === place);
    return place <= STEPS.length && order - first < MOST_NAMES;
  };
  const rest = rows.filter(({ place }, order) => !isOnStep(place, order));
  if (rest.length === 0 || !hasPlaces(state)) return null;
  const { items, page, pages } = pageAt(rest, ROWS, turnAt(at));
  return html`<${SideList} title=${strings("big.others")} page=${page} pages=${pages} rows=${items.length}>
    ${items.map(({ place, entrant }) => html`<li class="big-row" key=${entrant.number} style=${{ "--letters": lettersOf(state, entrant.number) }}>
      <span class="big-place">${place}</span><span class="big-two"><${FaceOf} ...${entrant} /><bdi>${entrant.name}</bdi></span>
    </li>`)}
  <//>`;
}
