// The bracket of a knockout as columns, from the first round that fits to the final. Rounds that are
// over come from the past, rounds to come are empty places. Pure.
// @ts-check

import { WIN } from "../client/party-state.js";

/** @typedef {import("./followed.js").PartyState} PartyState */

/** The pairings of the first column at most. */
const MOST_LEAVES = 8;

/**
 * @typedef {{number: number | null, state: "open" | "won" | "lost"}} Slot `number` is null for a place
 *   that nobody has yet
 * @typedef {{key: string, slots: [Slot, Slot], isBye: boolean, isLive: boolean}} Match
 * @typedef {{left: number, matches: Match[]}} Column `left`: the pairings of the round: 1 is the final
 */

/** @type {Slot} */
const NOBODY = { number: null, state: "open" };

/**
 * All rounds that have been paired, each without the game for the third place.
 *
 * @param {PartyState} state
 * @returns {Match[][]}
 */
function rounds({ past, pairings }) {
  const over = past.map((pairs, at) => pairs.map(([first, second, own, other], place) => {
    const slots = /** @type {[Slot, Slot]} */ ([slot(first, own, other), second ? slot(second, other, own) : NOBODY]);
    return { key: `${at} ${place}`, slots, isBye: !second, isLive: false };
  }));
  const now = pairings.filter(({ stage }) => stage !== "third").map(matchOf);
  return now.length > 0 ? [...over, now] : over;
}

/** A pairing of the round of now. @param {import("./followed.js").Pairing} pairing @returns {Match} */
export function matchOf({ first, second, outcome, number, room }) {
  const state = (/** @type {number} */ entrant) => (outcome ? (outcome.winner === entrant ? "won" : "lost") : "open");
  const slots = /** @type {[Slot, Slot]} */ ([first, second].map((entrant) =>
    (entrant === null ? NOBODY : { number: entrant, state: state(entrant) })));
  return { key: String(number), slots, isBye: !second, isLive: Boolean(room) && !outcome };
}

/** @param {number} number @param {number} own @param {number} other @returns {Slot} */
const slot = (number, own, other) => ({ number, state: own >= WIN && own > other ? "won" : "lost" });

/**
 * The columns, the earliest round first, or none while a round has too many pairings. In each column the
 * winners of neighbours meet in the next one.
 *
 * @param {PartyState} state
 * @returns {Column[]}
 */
export function columnsOf(state) {
  const all = rounds(state);
  const last = all.at(-1);
  if (!last || last.length > MOST_LEAVES) return [];
  /** @type {Column[]} */
  const columns = [{ left: last.length, matches: last }];
  for (let at = all.length - 2; at >= 0; at -= 1) {
    const fed = ordered(all[at], columns[0].matches);
    if (fed.length > MOST_LEAVES) break;
    columns.unshift({ left: fed.length, matches: fed });
  }
  for (let left = Math.ceil(last.length / 2); columns[columns.length - 1].left > 1; left = Math.ceil(left / 2)) {
    columns.push({ left, matches: toCome(columns[columns.length - 1].matches, left) });
  }
  return columns;
}

/**
 * The pairings of a round in the order of the places that they led to. A pairing of which nobody went
 * on comes last.
 *
 * @param {Match[]} round @param {Match[]} next
 */
function ordered(round, next) {
  const places = next.flatMap(({ slots }) => slots.map(({ number }) => number));
  const placeOf = (/** @type {Match} */ { slots }) => {
    const place = places.findIndex((number) => number !== null && slots.some((one) => one.number === number));
    return place < 0 ? places.length : place;
  };
  return [...round].sort((one, another) => placeOf(one) - placeOf(another));
}

/**
 * A round that is not paired yet: its places have the winners so far.
 *
 * @param {Match[]} before @param {number} left
 * @returns {Match[]}
 */
function toCome(before, left) {
  const winner = (/** @type {Match | undefined} */ match) =>
    match?.slots.find(({ state, number }) => number !== null && (match.isBye || state === "won"))?.number ?? null;
  return Array.from({ length: left }, (_, at) => ({
    key: `${left} ${at}`,
    slots: [{ ...NOBODY, number: winner(before[2 * at]) }, { ...NOBODY, number: winner(before[2 * at + 1]) }],
    isBye: false,
    isLive: false,
  }));
}
