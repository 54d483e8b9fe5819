// A party as the screens see it: who I am in it, what I wait for, who stands where. Pure.
// @ts-check

import { WIN, entrantOf, pointsOf } from "../client/party-state.js";
import { awaited, isGame, ranked, standings as inOrder } from "../client/party-view.js";

/** @typedef {import("../client/party-state.js").PartyState} PartyState */
/** @typedef {import("../client/party-state.js").Entrant} Entrant */
/** @typedef {import("../client/party-state.js").Pairing} Pairing */
/** @typedef {import("../client/party.js").Party} Party the party that the page follows */

/** @param {PartyState} party @param {number | null | undefined} number */
export const nameOf = (party, number) => entrantOf(party, number)?.name ?? "–";

/** @param {Pairing} pairing @param {number} number */
export const plays = ({ first, second }, number) => first === number || second === number;

/** @param {Pairing} pairing @param {number} number */
export const foeOf = ({ first, second }, number) => (first === number ? second : first);

/**
 * The task of an entrant, or what they wait for.
 *
 * @typedef {{kind: "gathering" | "visitor" | "left" | "over" | "late" | "out" | "queue" | "waiting"}
 *   | {kind: "ready" | "playing" | "bye" | "decided", pairing: Pairing}} Situation
 */

/**
 * @param {PartyState} party
 * @param {Entrant | null} me
 * @returns {Situation}
 */
export function situationOf(party, me) {
  if (party.phase === "over") return { kind: "over" };
  if (!me) return { kind: "visitor" };
  const mine = party.pairings.filter((one) => plays(one, me.number));
  const last = mine.at(-1);
  // An entrant who has left and is out cannot come back.
  if (me.left && !isOut(party, me, last)) return { kind: "left" };
  if (party.phase === "gathering") return { kind: "gathering" };
  const open = mine.find((one) => !one.outcome);
  if (open) return { kind: !isGame(open) ? "bye" : open.room ? "playing" : "ready", pairing: open };
  if (isOut(party, me, last)) return { kind: "out" };
  if (party.settings.format === "winner_stays") return { kind: "queue" };
  if (last) return { kind: "decided", pairing: last };
  return { kind: party.round > 0 && me.wins + me.losses + me.draws + me.points === 0 ? "late" : "waiting" };
}

/** The loser of a semi-final plays for the third place. @param {PartyState} party @param {Entrant} me @param {Pairing | undefined} last */
function isOut(party, me, last) {
  if (party.settings.format !== "knockout" || !last?.outcome || last.outcome.winner === me.number) {
    return party.settings.format === "knockout" && !last && me.losses > 0;
  }
  return !isSemiFinal(party, last);
}

/** @param {PartyState} party @param {Pairing} pairing of this round */
const isSemiFinal = ({ pairings }, pairing) =>
  !pairing.stage && pairings.length === 2 && pairings.every(({ stage }) => !stage);

/** How many pairings of this round must end before the next one is paired. @param {PartyState} party */
export const awaitedTables = (party) => awaited(party).map(({ table }) => table).sort((one, other) => one - other);

/**
 * @typedef {object} Row a row of the standings
 * @property {number} place shared by those who are equal; 0 before anybody has a point
 * @property {Entrant} entrant
 * @property {number} tiebreak
 */

/**
 * The standings: the final places, else the order of now, where equals share a place.
 *
 * @param {PartyState} party
 * @returns {Row[]}
 */
export const standings = (party) => ranked(party, inOrder(party));

/**
 * A pairing of any round, as lists show it. `second` is null for a bye.
 *
 * @typedef {object} Met
 * @property {number} number
 * @property {number} round
 * @property {number} first
 * @property {number | null} second
 * @property {[number, number] | null} points half points of both; null while it is open
 * @property {Pairing["outcome"]} outcome of this round, or decided by the host
 * @property {Pairing | null} pairing with its table, in this round
 */

/**
 * All pairings that are known, by round, the last round first.
 *
 * @param {PartyState} party
 * @returns {{round: number, met: Met[]}[]}
 */
export function rounds(party) {
  const { past, pairings, round } = party;
  const decided = new Map(party.pastDecisions.map(({ pairing, outcome }) => [pairing, outcome]));
  let number = party.playedBefore ?? 0;
  const earlier = past.map((list, at) => ({
    round: at + 1,
    met: list.map(([first, second, own, other]) => {
      number += 1;
      return { number, round: at + 1, first, second: second || null, points: /** @type {[number, number]} */ ([own, other]), outcome: decided.get(number) ?? null, pairing: null };
    }),
  }));
  const now = pairings.map((one) => ({
    number: one.number, round, first: one.first, second: one.second ?? null, points: one.outcome && pointsOf(one.outcome, one.first), outcome: one.outcome, pairing: one,
  }));
  return (now.length > 0 ? [...earlier, { round, met: now }] : earlier).reverse();
}

/**
 * An entrant's meetings, in order.
 * @param {PartyState} party
 * @param {number} number
 * @returns {Met[]}
 */
export const metBy = (party, number) =>
  rounds(party).reverse().flatMap(({ met }) => met.filter(({ first, second }) => first === number || second === number));

/** The stage of a round of a knockout, by how many pairings it has. @param {PartyState} party @param {Met[]} met */
export function roundKind({ settings }, met) {
  if (settings.format !== "knockout") return "round";
  const count = met.filter(({ pairing }) => pairing?.stage !== "third").length;
  const final = met.some(({ pairing }) => pairing?.stage === "final") || (count === 1 && met.length === 1);
  return final ? "final" : count === 2 ? "semi" : count === 4 ? "quarter" : "last";
}

/** How many can still win a knockout. @param {PartyState} party */
export const remaining = ({ pairings }) =>
  pairings.filter(({ stage }) => stage !== "third").reduce((sum, { outcome, second }) => sum + (outcome || !second ? 1 : 2), 0);

/** The sign of half points in a table. @param {number} half */
export const sign = (half) => (half === WIN ? "1" : half === 1 ? "½" : "0");
