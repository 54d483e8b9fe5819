// A party as the screens see it: who I am in it, what I wait for, who stands where. Pure.
// @ts-check

/** @typedef {import("../protocol.js").PartyState} PartyState */
/** @typedef {import("../protocol.js").Entrant} Entrant */
/** @typedef {import("../protocol.js").Pairing} Pairing */
/** @typedef {import("../protocol.js").Place} Place */
/** @typedef {import("../core/state.js").State} State */
/** @typedef {NonNullable<State["party"]>} Party the party that the page follows */

/** Half points of a win. */
export const WIN = 2;

/**
 * The party that the page follows, once its snapshot has come.
 *
 * @param {State} state
 * @param {string} [code] none for any party
 * @returns {Party | null}
 */
export const partyOf = ({ party }, code) => (party && (!code || party.state.code === code) ? party : null);

/** @param {PartyState} party @param {number | null | undefined} number */
export const entrantOf = (party, number) => (number ? party.entrants[number - 1] ?? null : null);

/** @param {PartyState} party @param {number | null | undefined} number */
export const nameOf = (party, number) => entrantOf(party, number)?.name ?? "–";

/** @param {Pairing} pairing @param {number} number */
export const plays = ({ first, second }, number) => first === number || second === number;

/** @param {Pairing} pairing @param {number} number */
export const foeOf = ({ first, second }, number) => (first === number ? second : first);

/** Whether it is a pairing of two. @param {Pairing} pairing */
export const isGame = ({ second }) => second !== null && second !== undefined;

/** The pairings that are being played or wait for their players. @param {PartyState} party */
export const openPairings = ({ pairings }) => pairings.filter((one) => isGame(one) && !one.outcome);

/** The boards on which somebody plays now. @param {PartyState} party */
export const runningTables = (party) => openPairings(party).filter(({ room }) => room);

/** Who begins the next game of a pairing, with X. @param {Pairing} pairing @param {number} game from 1 */
export const beginner = ({ first, second }, game) => (game % 2 === 1 ? first : second);

/**
 * What an entrant has to do or to wait for.
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
  if (me.left) return { kind: "left" };
  if (party.phase === "gathering") return { kind: "gathering" };
  const mine = party.pairings.filter((one) => plays(one, me.number));
  const open = mine.find((one) => !one.outcome);
  if (open) return { kind: !isGame(open) ? "bye" : open.room ? "playing" : "ready", pairing: open };
  const last = mine.at(-1);
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
export const awaitedTables = (party) => openPairings(party).map(({ table }) => table).sort((one, other) => one - other);

/**
 * @typedef {object} Row a row of the standings
 * @property {number} place shared by those who are equal
 * @property {Entrant} entrant
 * @property {number} tiebreak
 */

/**
 * The standings: the final places, else the order of now.
 *
 * @param {PartyState} party
 * @returns {Row[]}
 */
export function standings(party) {
  const { entrants, places, phase, settings } = party;
  const last = new Map(places.map((one) => [one.entrant, one]));
  if (phase === "over") {
    return places.flatMap(({ place, entrant, tiebreak = 0 }) => {
      const known = entrantOf(party, entrant);
      return known ? [{ place, entrant: known, tiebreak }] : [];
    });
  }
  const worth = ({ points, wins, losses }) =>
    settings.format === "winner_stays" ? wins * 10_000 - losses : points;
  const tiebreak = (/** @type {Entrant} */ { number }) => last.get(number)?.tiebreak ?? 0;
  const before = (/** @type {Entrant} */ { number }) => last.get(number)?.place ?? entrants.length + 1;
  const sorted = [...entrants].sort((one, other) =>
    worth(other) - worth(one) || before(one) - before(other) || one.number - other.number);
  /** @type {Row[]} */
  const rows = [];
  for (const [at, entrant] of sorted.entries()) {
    const above = rows[at - 1];
    const same = above && worth(above.entrant) === worth(entrant) && before(above.entrant) === before(entrant);
    rows.push({ place: same ? above.place : at + 1, entrant, tiebreak: tiebreak(entrant) });
  }
  return rows;
}

/**
 * A pairing of any round, as lists show it. `second` is null for a bye.
 *
 * @typedef {object} Met
 * @property {number} number
 * @property {number} round
 * @property {number} first
 * @property {number | null} second
 * @property {[number, number] | null} points half points of both; null while it is open
 * @property {Pairing | null} pairing with its table and note, in this round
 */

/**
 * All pairings that are known, by round, the last round first.
 *
 * @param {PartyState} party
 * @returns {{round: number, met: Met[]}[]}
 */
export function rounds(party) {
  const { past, pairings, round } = party;
  let number = 0;
  const earlier = past.map((list, at) => ({
    round: at + 1,
    met: list.map(([first, second, own, other]) => {
      number += 1;
      return { number, round: at + 1, first, second: second || null, points: /** @type {[number, number]} */ ([own, other]), pairing: null };
    }),
  }));
  const now = pairings.map((one) => ({
    number: one.number, round, first: one.first, second: one.second ?? null, points: pointsOf(one), pairing: one,
  }));
  return (now.length > 0 ? [...earlier, { round, met: now }] : earlier).reverse();
}

/** @param {Pairing} pairing @returns {[number, number] | null} */
export function pointsOf({ first, outcome }) {
  if (!outcome) return null;
  const { winner, how } = outcome;
  if (winner) return winner === first ? [WIN, 0] : [0, WIN];
  return how === "forfeit" || how === "bye" ? [0, 0] : [WIN / 2, WIN / 2];
}

/** What one entrant has played, in order. @param {PartyState} party @param {number} number @returns {Met[]} */
export const metBy = (party, number) =>
  rounds(party).reverse().flatMap(({ met }) => met.filter(({ first, second }) => first === number || second === number));

/** The stage of a round of a knockout, by how many pairings it has. @param {PartyState} party @param {Met[]} met */
export function roundKind({ settings }, met) {
  if (settings.format !== "knockout") return "round";
  const count = met.filter(({ pairing }) => pairing?.stage !== "third").length;
  const final = met.some(({ pairing }) => pairing?.stage === "final") || (count === 1 && met.length === 1);
  return final ? "final" : count === 2 ? "semi" : count === 4 ? "quarter" : "round";
}

/** Points as people write them: halves as ½. @param {number} half */
export function pointsText(half) {
  const whole = Math.floor(half / 2);
  return half % 2 === 0 ? String(whole) : `${whole || ""}½`;
}

/** The sign of half points in a table. @param {number} half */
export const sign = (half) => (half === WIN ? "1" : half === 1 ? "½" : "0");
