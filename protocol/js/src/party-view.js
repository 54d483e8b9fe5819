// Questions of views about a party's state: standings, names, who is awaited. Pure.
// @ts-check

import { MAX_ENTRANTS, MAX_ROUND_ROBIN } from "./generated/party.js";
import { entrantOf } from "./party-state.js";

/** @typedef {import("./party-state.js").PartyState} PartyState */
/** @typedef {import("./party-state.js").Entrant} Entrant */
/** @typedef {import("./party-state.js").Pairing} Pairing */

/**
 * The party that a session follows, once its snapshot has come.
 *
 * @param {{party: import("./party.js").Party | null}} session @param {string} [code] none for any party
 */
export const partyOf = ({ party }, code) => (party && (!code || party.state.code === code) ? party : null);

/** @param {PartyState} state @param {number} number @returns {string} */
export const nameOf = (state, number) => entrantOf(state, number)?.name ?? "";

/**
 * Everybody in the order of the standings: by half points (in "winner stays on" by wins), then by the
 * tiebreak and the order of the last places. `place` is the last one told, and `null` before the first round is over; after the end it
 * is the final one and decides alone.
 *
 * @param {PartyState} state
 * @returns {{entrant: Entrant, place: number | null, tiebreak: number}[]}
 */
export function standings({ entrants, places, phase, settings }) {
  const told = new Map(places.map((one, order) => [one.entrant, { ...one, order }]));
  const score = scoring(settings);
  const order = (/** @type {Entrant} */ { number }) => told.get(number)?.order ?? entrants.length + number;
  const tie = (/** @type {Entrant} */ { number }) => told.get(number)?.tiebreak ?? 0;
  const now = (/** @type {Entrant} */ one, /** @type {Entrant} */ other) => score(other) - score(one) || tie(other) - tie(one);
  const sorted = [...entrants].sort((one, other) => (phase === "over" ? 0 : now(one, other)) || order(one) - order(other));
  return sorted.map((entrant) => {
    const { place = null, tiebreak = 0 } = told.get(entrant.number) ?? {};
    return { entrant, place, tiebreak: tiebreak ?? 0 };
  });
}

/** The number that ranks an entrant. @param {PartyState["settings"]} settings */
export const scoring = ({ format }) => (/** @type {Entrant} */ { points, wins }) => (format === "winner_stays" ? wins : points);

/**
 * Rows of the standings with the places of this moment: equal entrants share a place, and it is 0 before anybody has
 * a point. Final places stand.
 *
 * @param {PartyState} state
 * @param {ReturnType<typeof standings>} rows
 */
export function ranked({ phase, settings }, rows) {
  const score = scoring(settings);
  const isScored = rows.some(({ entrant }) => score(entrant) > 0);
  let now = 0;
  return rows.map((row, at) => {
    const before = rows[at - 1];
    const isEqual = before && before.place === row.place && score(before.entrant) === score(row.entrant);
    if (!isEqual && isScored) now = at + 1;
    return { ...row, place: phase === "over" ? (row.place ?? now) : now };
  });
}

/**
 * The people who are first among the people, where only computers have the first place; none elsewhere.
 *
 * @param {ReturnType<typeof ranked>} rows
 */
export function firstPeople(rows) {
  const people = rows.filter(({ entrant }) => !entrant.computer);
  const best = people[0]?.place ?? 0;
  return best > 1 ? people.filter(({ place }) => place === best).map(({ entrant }) => entrant) : [];
}

/** How many can play. @param {PartyState} state */
export const mostIn = ({ settings }) => (settings.format === "round_robin" ? MAX_ROUND_ROBIN : MAX_ENTRANTS);

/** Whether nobody new can play: before the start the place of somebody who has left is free. @param {PartyState} state */
export const isFull = (state) =>
  state.entrants.length >= mostIn(state) && (state.phase !== "gathering" || state.entrants.every(({ left }) => !left));

/** Whether two play it. A bye is no game. @param {Pairing} pairing */
export const isGame = ({ second }) => second !== null;

/** The pairings of the round that are not over, without byes. @param {PartyState} state @returns {Pairing[]} */
export const awaited = ({ pairings }) => pairings.filter((pairing) => !pairing.outcome && isGame(pairing));

/** Whether a game of the pairing is being played. @param {Pairing} pairing */
export const isPlayed = ({ game, room, outcome }) => game > 0 && room !== null && !outcome;

/**
 * The entrant who begins a game of a pairing, with X, and the one who plays O: they begin in turn.
 *
 * @param {Pairing} pairing @param {number} game 1 to 3
 * @returns {{x: number, o: number | null}}
 */
export const orderIn = ({ first, second }, game) =>
  (game % 2 === 1 || second === null ? { x: first, o: second } : { x: second, o: first });

/** Half points as people write them: `2½`. @param {number} half */
export function pointsText(half) {
  const whole = Math.floor(half / 2);
  return half % 2 === 0 ? String(whole) : `${whole || ""}½`;
}
