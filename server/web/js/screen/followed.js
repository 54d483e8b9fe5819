// The party that the big screen follows: its types, and small questions about it. Pure.
// @ts-check

/** @typedef {import("../protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("../core/party-state.js").PartyState} PartyState */
/** @typedef {import("../core/party-state.js").Entrant} Entrant */
/** @typedef {import("../core/party-state.js").Pairing} Pairing */
/** @typedef {import("../protocol.js").TableBoard} TableBoard */
/** @typedef {import("../core/party.js").Party} Followed */

/** Half points of a win. */
const WIN = 2;

/**
 * The party of a route, as soon as its snapshot is there.
 *
 * @param {import("../core/state.js").State} state
 * @param {string} code
 * @returns {Followed | null}
 */
export const followed = ({ party }, code) =>
  party?.state.code === code ? /** @type {Followed} */ (party) : null;

/** @param {PartyState} state @param {number | null} number @returns {string} "" for nobody */
export const nameOf = ({ entrants }, number) => (number === null ? "" : entrants[number - 1]?.name ?? "");

/** Entrants who have not left. @param {PartyState} state */
export const present = ({ entrants }) => entrants.filter(({ left }) => !left);

/** Whether two play it. A bye is no game. @param {Pairing} pairing */
export const isGame = ({ second }) => second !== null;

/** @param {Pairing} pairing */
export const isOpen = ({ outcome }) => !outcome;

/** @param {Pairing} pairing @returns {number[]} one number for a bye */
export const playersOf = ({ first, second }) => (second ? [first, second] : [first]);

/**
 * The entrants who have X and O in the running or last game of a pairing: X begins each game.
 *
 * @param {Pairing} pairing
 * @returns {import("../protocol.js").ByMark<number>}
 */
export function marksIn({ first, second, game }) {
  const other = second ?? first;
  return game > 0 && game % 2 === 0 ? { x: other, o: first } : { x: first, o: other };
}

/**
 * The last pairing of each table, by table: in "winner stays on" a table has one after another.
 *
 * @param {PartyState} state
 * @returns {Pairing[]}
 */
export function tablesOf({ pairings }) {
  /** @type {Map<number, Pairing>} */
  const tables = new Map();
  for (const pairing of pairings) {
    const before = tables.get(pairing.table);
    if (isGame(pairing) && (!before || before.number < pairing.number)) tables.set(pairing.table, pairing);
  }
  return [...tables.values()].sort((one, another) => one.table - another.table);
}

/**
 * The order of the entrants now: by points, then by the places after the last round, then by number.
 * Places that are final stand.
 *
 * @param {PartyState} state
 * @returns {{place: number, entrant: Entrant}[]} equal entrants have one place
 */
export function standings({ entrants, places, phase, settings }) {
  const last = new Map(places.map(({ place, entrant }) => [entrant, place]));
  const placeOf = (/** @type {Entrant} */ { number }) => last.get(number) ?? entrants.length + 1;
  const isFinal = phase === "over";
  const score = (/** @type {Entrant} */ entrant) =>
    (settings.format === "winner_stays" ? entrant.wins * WIN : entrant.points);
  const rows = entrants.filter((entrant) => !entrant.left || last.has(entrant.number) || score(entrant) > 0);
  const compare = (/** @type {Entrant} */ one, /** @type {Entrant} */ another) =>
    (isFinal ? 0 : score(another) - score(one)) || placeOf(one) - placeOf(another);
  const sorted = [...rows].sort((one, another) => compare(one, another) || one.number - another.number);
  let place = 0;
  return sorted.map((entrant, at) => {
    if (at === 0 || compare(sorted[at - 1], entrant) !== 0) place = at + 1;
    return { place: isFinal ? placeOf(entrant) : place, entrant };
  });
}

/** The entrants of this knockout round who have not lost. @param {PartyState} state */
export const aliveIn = ({ pairings }) =>
  pairings
    .filter(({ stage }) => stage !== "third")
    .flatMap((pairing) => (pairing.outcome ? [pairing.outcome.winner ?? 0] : playersOf(pairing)))
    .filter((number) => number > 0);

/**
 * The wins in a row of an entrant, up to now: the last pairings of the entrant that are over.
 *
 * @param {PartyState} state
 * @param {number} entrant
 */
export function streakOf({ pairings }, entrant) {
  const own = pairings.filter((pairing) => pairing.outcome && playersOf(pairing).includes(entrant));
  const lost = own.findLastIndex(({ outcome }) => outcome?.winner !== entrant);
  return own.length - 1 - lost;
}

/** Half points as people write them: `2½`. @param {number} points */
export const pointsText = (points) => {
  const whole = Math.floor(points / WIN);
  return points % WIN === 0 ? String(whole) : `${whole || ""}½`;
};
