// Before the first round: the way in, and everybody who is in. Names pop in where they stay.
// @ts-check

import { html } from "../html.js";
import { partyRules } from "../party/rules.js";
import { strings } from "../strings.js";
import { leaderOf } from "../client/party-state.js";
import { lettersOf, nameOf, present } from "./followed.js";
import { Name, Pages } from "./lists.js";
import { TURN_MS, pageAt, turnAt } from "./timing.js";

/** @typedef {import("./followed.js").Followed} Followed */

/** So many names fit on a page, in so many columns, with letters of this size. */
const SIZES = [
  { most: 6, columns: 1, size: 76 },
  { most: 12, columns: 2, size: 56 },
  { most: 24, columns: 2, size: 42 },
  { most: 51, columns: 3, size: 28 },
];

/** @param {{party: Followed, memory: import("./memory.js").Memory, at: number}} props */
export function People({ party, memory, at }) {
  const { state, presence } = party;
  const all = present(state);
  const { most, columns, size } = SIZES.find((one) => all.length <= one.most) ?? SIZES[SIZES.length - 1];
  // The page with the newest names is shown for a turn after somebody has come in.
  const last = Math.max(0, Math.ceil(all.length / most) - 1);
  const isFresh = at - memory.joinedAt < TURN_MS;
  const { items, page, pages } = pageAt(all, most, isFresh ? last : turnAt(at));
  const style = { "--columns": columns, "--rows": most / columns, "--name": `calc(${size} * var(--u))` };
  return html`<section class="big-people">
    <h2>${strings("big.people", { count: all.length })}</h2>
    <ul class="big-crowd" style=${style}>
      ${items.map(({ number }) => html`<li key=${number} class="big-cut" style=${{ "--letters": lettersOf(state, number) }} data-away=${presence.away.includes(number)}><${Name} state=${state} number=${number} /></li>`)}
    </ul>
    <${Pages} page=${page} pages=${pages} />
    <p class="big-note">${state.phase === "gathering" && beforeText(state, all.length)}</p>
  </section>`;
}

/** The line before the start: the party waits for this, and its settings. @param {Followed["state"]} state @param {number} count how many are in */
function beforeText(state, count) {
  const leader = leaderOf(state);
  const key = count < 2 ? "few" : leader ? "start.by" : "start";
  const chosen = partyRules(state.settings).join(", ");
  return [strings(`big.gathering.${key}`, { name: nameOf(state, leader) }), chosen].filter(Boolean).join(" · ");
}
