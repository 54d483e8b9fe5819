// Sentences of the big screen. Pure.
// @ts-check

import { strings } from "../strings.js";
import { rulesText, variantName } from "../variant-text.js";
import { nameOf } from "./followed.js";

/** @typedef {import("./followed.js").PartyState} PartyState */
/** @typedef {import("./followed.js").Pairing} Pairing */

/** The rounds of a knockout that have names, by their pairings. @type {Record<number, string>} */
const NAMED = { 1: "big.final", 2: "big.semi", 4: "big.quarter" };

/** The name of a knockout round with so many pairings. @param {number} pairings */
export const roundName = (pairings) => (NAMED[pairings] ? strings(NAMED[pairings]) : strings("big.last", { count: 2 * pairings }));

/** The variant, and how far the party is: "Gravity · Final". @param {PartyState} state */
export function stageText(state) {
  const { settings: { format, variant }, phase } = state;
  if (phase === "gathering") return `${strings(`big.format.${format}`)} · ${rulesText(state.settings)}`;
  const name = variant && phase !== "over" ? `${variantName(variant)} · ` : "";
  return name + progressText(state);
}

/** @param {PartyState} state */
function progressText({ settings, round, pairings, phase, entrants }) {
  const { format } = settings;
  const how = strings(`big.format.${format}`);
  if (phase === "over") return how;
  if (format === "knockout") {
    const own = pairings.filter(({ stage }) => stage !== "third").length;
    return own > 0 ? roundName(own) : how;
  }
  if (format === "winner_stays") {
    return settings.first_to ? strings("big.firstTo", { how, count: settings.first_to }) : how;
  }
  const rounds = format === "swiss" ? settings.rounds : entrants.length - 1 + (entrants.length % 2);
  return round > 0 ? strings("big.round", { how, round, rounds: Math.max(rounds, round) }) : how;
}

/**
 * How a pairing ended, or who leads the party now, in one sentence. `again`: a drawn game is played again.
 *
 * @param {PartyState} state @param {Pick<import("./memory.js").Result, "pairing" | "again" | "ended"> | import("./memory.js").Led} news
 */
export function newsText(state, news) {
  if ("leader" in news) return strings("big.led", { name: nameOf(state, news.leader) });
  const { pairing, again, ended } = news;
  const { first, second, outcome } = pairing;
  const both = { first: nameOf(state, first), second: nameOf(state, second) };
  if (again || !outcome) return strings("big.result.again", both);
  const { winner, how, note } = outcome;
  if (winner === null || winner === undefined) {
    return strings(how === "forfeit" ? "big.result.nobody" : "big.result.draw", both);
  }
  const won = { winner: nameOf(state, winner), loser: nameOf(state, winner === first ? second : first) };
  const key = how !== "game" ? how : ended === "time" || ended === "resignation" ? ended : "won";
  const text = strings(`big.result.${key}`, won);
  return note ? strings("big.result.note", { text, note }) : text;
}
