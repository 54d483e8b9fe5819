// The party that the big screen follows: its types, and small questions about it. Pure.
// @ts-check

import { entrantsOf, leaderOf } from "../client/party-state.js";
import { isGame, orderIn, ranked, scoring, standings } from "../client/party-view.js";
import { isolated } from "../room/room-text.js";
import { strings } from "../strings.js";

/** @typedef {import("../client/protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("../client/party-state.js").PartyState} PartyState */
/** @typedef {import("../client/party-state.js").Entrant} Entrant */
/** @typedef {import("../client/party-state.js").Pairing} Pairing */
/** @typedef {import("../client/protocol.js").TableBoard} TableBoard */
/** @typedef {import("../client/party.js").Party} Followed */

/** A name that stays in its line, whatever it begins with. @param {PartyState} state @param {number | null} number @returns {string} "" for nobody */
export const nameOf = ({ entrants }, number) => (number === null ? "" : isolated(entrants[number - 1]?.name ?? ""));

/** A face is as wide as so many letters. */
const FACE_LETTERS = 2;

/** The letters of a name with its face and its mark. @param {PartyState} state @param {number} number */
export const lettersOf = (state, number) =>
  nameOf(state, number).length + (number === leaderOf(state) ? strings("big.host").length + 1 : 0) +
  (state.entrants[number - 1]?.player ? FACE_LETTERS : 0);

/** Entrants who have not left. @param {PartyState} state */
export const present = ({ entrants }) => entrants.filter(({ left }) => !left);

/** @param {Pairing} pairing */
export const isOpen = ({ outcome }) => !outcome;

/**
 * The entrants who have X and O in the running or last game of a pairing of two.
 *
 * @param {Pairing} pairing
 * @returns {import("../client/protocol.js").ByMark<number>}
 */
export function marksIn(pairing) {
  const { x, o } = orderIn(pairing, Math.max(pairing.game, 1));
  return { x, o: o ?? x };
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
 * The standings with the places of this moment. Somebody who left without a point is not in them.
 *
 * @param {PartyState} state
 */
export function ranks(state) {
  const score = scoring(state.settings);
  const rows = standings(state).filter(({ entrant, place }) => !entrant.left || place !== null || score(entrant) > 0);
  return ranked(state, rows);
}

/** The entrants of this knockout round who have not lost. @param {PartyState} state */
export const aliveIn = ({ pairings }) =>
  pairings
    .filter(({ stage }) => stage !== "third")
    .flatMap((pairing) => (pairing.outcome ? [pairing.outcome.winner ?? 0] : entrantsOf(pairing)))
    .filter((number) => number > 0);

/**
 * The wins in a row of an entrant, up to now: the last pairings of the entrant that are over.
 *
 * @param {PartyState} state
 * @param {number} entrant
 */
export function streakOf({ pairings }, entrant) {
  const own = pairings.filter((pairing) => pairing.outcome && entrantsOf(pairing).includes(entrant));
  const lost = own.findLastIndex(({ outcome }) => outcome?.winner !== entrant);
  return own.length - 1 - lost;
}
