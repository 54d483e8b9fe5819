// The state of a party after each of its facts, like `protocol/src/party/state.rs`. Pure.
// @ts-check

import { KEPT_DECISIONS, KEPT_PAIRINGS, MAX_ENTRANTS } from "./generated/party.js";

/** @typedef {import("./protocol.js").PartyEvent} PartyEvent */
/** @typedef {import("./protocol.js").PairingOutcome} PairingOutcome */

/** @typedef {Required<Omit<import("./protocol.js").Entrant, "face" | "fixed_name" | "set_aside" | "removed">> & {face?: import("./protocol.js").Face | null, fixed_name?: boolean, set_aside?: boolean, removed?: boolean}} Entrant */
/** @typedef {Required<import("./protocol.js").Pairing>} Pairing */

/**
 * @typedef {object} PartyState
 * @property {string} code
 * @property {number} v the number of facts so far
 * @property {string} name
 * @property {import("./protocol.js").PartySettings} settings
 * @property {string} host the player who made the party
 * @property {number | null} leader the entrant who leads it in the host's place
 * @property {"gathering" | "playing" | "over"} phase
 * @property {boolean} paused
 * @property {boolean} [clocksStopped] whether the clocks of running games stand still meanwhile
 * @property {number} [playedBefore] pairings before the party began again: the first one has the next number
 * @property {readonly Entrant[]} entrants by number, from 1
 * @property {number} round 0 before the first
 * @property {readonly Pairing[]} pairings of this round; in "winner stays on" those that run and the last
 * @property {readonly (readonly import("./protocol.js").PastPairing[])[]} past the earlier rounds
 * @property {readonly import("./protocol.js").PastDecision[]} pastDecisions the results of earlier rounds that the host decided, the latest one last
 * @property {readonly number[]} queue "winner stays on": those who wait, the next one first
 * @property {readonly import("./protocol.js").Place[]} places after the last round, or the final ones
 */

/** Half points of a win and of a bye. */
export const WIN = 2;

/** The id in place of a host's who asked to be forgotten. */
const NOBODY = "0".repeat(16);

/** The fields of a place whose player the host has removed. */
const REMOVED = Object.freeze({ player: null, removed: true });

/** @param {import("./protocol.js").Entrant} entrant @returns {Entrant} */
const entrantFrom = ({ number, name, face, player, fixed_name, computer, left, set_aside, removed, points, wins, draws, losses }) => ({
  number,
  name,
  face,
  player: player ?? null,
  fixed_name: fixed_name ?? false,
  computer: computer ?? null,
  left: left ?? false,
  set_aside: set_aside ?? false,
  removed: removed ?? false,
  points: points ?? 0,
  wins: wins ?? 0,
  draws: draws ?? 0,
  losses: losses ?? 0,
});

/** @param {import("./protocol.js").Pairing} pairing @returns {Pairing} */
const pairingFrom = ({ number, table, first, second, stage, game, room, outcome }) => ({
  number,
  table,
  first,
  second: second ?? null,
  stage: stage ?? null,
  game: game ?? 0,
  room: room ?? null,
  outcome: outcome ?? null,
});

/** @param {import("./protocol.js").Pairing} pairing @returns {number[]} one for a bye */
export const entrantsOf = ({ first, second }) => (second ? [first, second] : [first]);

/** @param {PartyState} state @param {number | null | undefined} number @returns {Entrant | null} */
export const entrantOf = ({ entrants }, number) => entrants[(number ?? 0) - 1] ?? null;

/** Whether the party has a host who has not asked to be forgotten. @param {Pick<PartyState, "host">} state */
export const hasHost = ({ host }) => host !== NOBODY;

/** The player who leads the party. @param {Pick<PartyState, "leader" | "host" | "entrants">} state @returns {string | null} */
export const leadingPlayer = ({ leader, host, entrants }) =>
  (leader ? entrants[leader - 1]?.player ?? null : hasHost({ host }) ? host : null);

/** The number of the entrant who leads the party; `null` if its host only looks on. @param {PartyState} state */
export function leaderOf(state) {
  const player = leadingPlayer(state);
  return state.entrants.find((one) => player !== null && one.player === player)?.number ?? null;
}

/** @param {PartyState} state @param {number} number @returns {Pairing | null} of this round */
export const pairingOf = ({ pairings }, number) => pairings.find((one) => one.number === number) ?? null;

/**
 * The pairing of an entrant that is not over.
 *
 * @param {PartyState} state @param {number} entrant
 * @returns {Pairing | null}
 */
export const openPairingOf = ({ pairings }, entrant) =>
  pairings.find((one) => !one.outcome && entrantsOf(one).includes(entrant)) ?? null;

/**
 * @param {import("./protocol.js").PartySnapshot} snapshot
 * @returns {PartyState | null} `null` where no party has such a snapshot
 */
export function stateFromSnapshot(snapshot) {
  const { party: code, v, name, settings, host, phase, round } = snapshot;
  const state = {
    code, v, name, settings, host, phase, round,
    leader: snapshot.leader ?? null,
    paused: snapshot.paused ?? false,
    clocksStopped: snapshot.clocks_stopped ?? false,
    playedBefore: snapshot.played_before ?? 0,
    entrants: snapshot.entrants.map(entrantFrom),
    pairings: snapshot.pairings.map(pairingFrom),
    past: snapshot.past ?? [],
    pastDecisions: snapshot.past_decisions ?? [],
    queue: snapshot.queue ?? [],
    places: snapshot.places ?? [],
  };
  const named = [...state.pairings.flatMap(entrantsOf), ...state.queue, ...(state.leader === null ? [] : [state.leader])];
  return areNumbered(state.entrants) && named.every((number) => entrantOf(state, number)) ? state : null;
}

/** @param {readonly {number: number}[]} entrants */
const areNumbered = (entrants) => entrants.every(({ number }, place) => number === place + 1);

/**
 * The state with one more fact.
 *
 * @param {PartyState} state @param {PartyEvent} event
 * @returns {PartyState | null} `null` where the fact cannot follow
 */
export function applyFact(state, event) {
  return canFollow(state, event) ? { ...state, ...change(state, event), v: state.v + 1 } : null;
}

/** @param {PartyState} state @param {PartyEvent} event @returns {boolean} */
function canFollow(state, event) {
  const known = (/** @type {number} */ number) => entrantOf(state, number) !== null;
  switch (event.kind) {
    case "joined": {
      const { length } = state.entrants;
      const { number } = event.entrant;
      const isNew = number === length + 1 && length < MAX_ENTRANTS && state.phase !== "over";
      return isNew || known(number);
    }
    case "left":
    case "returned":
      return known(event.entrant);
    case "started":
      return state.phase === "gathering";
    case "paired":
      return state.phase === "playing" && event.pairings.flatMap(entrantsOf).every(known);
    case "opened":
      return pairingOf(state, event.pairing)?.outcome === null;
    case "decided": {
      const decided = decidedOf(state, event.pairing);
      const { winner = null } = event.outcome;
      return decided !== null && (winner === null || entrantsOf(decided).includes(winner));
    }
    case "led":
      return typeof event.entrant !== "number" || known(event.entrant);
    case "ranked":
    case "ended":
      return event.places.every(({ entrant }) => known(entrant));
    case "again":
      return state.phase === "over" && areNumbered(event.entrants) && (event.leader ?? 0) <= event.entrants.length;
    default:
      return true;
  }
}

/** @param {PartyState} state @param {PartyEvent} event @returns {Partial<PartyState>} */
function change(state, event) {
  switch (event.kind) {
    case "joined":
      return joined(state, entrantFrom(event.entrant));
    case "left":
      return {
        entrants: changed(state.entrants, event.entrant, { left: true, ...(event.host && { set_aside: true }), ...(event.removed && REMOVED) }),
        queue: state.queue.filter((one) => one !== event.entrant),
      };
    case "returned": {
      const entrants = changed(state.entrants, event.entrant, { left: false, set_aside: false });
      return { entrants, queue: queued({ ...state, entrants }, event.entrant) };
    }
    case "started":
      return { phase: "playing" };
    case "paired":
      return paired(state, event.round, event.pairings.map(pairingFrom));
    case "opened":
      return { pairings: changed(state.pairings, event.pairing, { game: event.game, room: event.room }) };
    case "decided":
      return decided(state, event.pairing, event.outcome);
    case "ranked":
      return { places: event.places };
    case "paused":
      return { paused: event.paused, clocksStopped: event.paused && (event.clocks ?? false) };
    case "led":
      return { leader: event.entrant ?? null, host: event.forgotten ? NOBODY : state.host };
    case "ended":
      return { phase: "over", places: event.places };
    case "again":
      return again(state, event);
    default:
      // A newer server may send a kind that this page does not know. It only counts as a version.
      return {};
  }
}

/** @param {PartyState} state @param {PartyEvent & {kind: "again"}} event @returns {Partial<PartyState>} */
function again(state, { settings, entrants: told, leader }) {
  const playedBefore = Math.max(...state.pairings.map(({ number }) => number), state.playedBefore ?? 0);
  const entrants = told.map(entrantFrom);
  const queue = settings.format === "winner_stays" ? entrants.filter(({ left }) => !left).map(({ number }) => number) : [];
  return {
    settings, entrants, queue, playedBefore, leader: leader ?? null, phase: "gathering", paused: false, clocksStopped: false,
    round: 0, pairings: [], past: [], pastDecisions: [], places: [],
  };
}

/**
 * @template {{number: number}} T
 * @param {readonly T[]} list @param {number} number @param {Partial<T>} change
 * @returns {T[]}
 */
const changed = (list, number, change) =>
  list.map((one) => (one.number === number ? { ...one, ...change } : one));

/** @param {PartyState} state @param {Entrant} entrant @returns {Partial<PartyState>} */
function joined(state, entrant) {
  const { number, name, player, fixed_name, set_aside, removed } = entrant;
  if (entrantOf(state, number)) {
    return { entrants: changed(state.entrants, number, { name, player, fixed_name, set_aside, removed }) };
  }
  const entrants = [...state.entrants, entrant];
  return { entrants, queue: queued({ ...state, entrants }, number) };
}

/** @param {PartyState} state @param {number} number @returns {readonly number[]} with an entrant who can play at its end */
function queued(state, number) {
  const waits = state.settings.format === "winner_stays" && entrantOf(state, number)?.left === false
    && !openPairingOf(state, number) && !state.queue.includes(number);
  return waits ? [...state.queue, number] : state.queue;
}

/**
 * @param {PartyState} state @param {number} round @param {Pairing[]} fresh
 * @returns {Partial<PartyState>}
 */
function paired(state, round, fresh) {
  const stays = state.settings.format === "winner_stays";
  const isNext = round !== state.round && !stays && state.round > 0;
  const past = isNext ? [...state.past, state.pairings.map(pastFrom)] : state.past;
  const pastDecisions = isNext ? state.pairings.reduce(withDecision, state.pastDecisions) : state.pastDecisions;
  const news = fresh.map((pairing) => ({ ...pairing, outcome: null }));
  const known = isNext ? [] : state.pairings;
  const replaced = known.map((one) => news.find(({ number }) => number === one.number) ?? one);
  const added = news.filter(({ number }) => !known.some((one) => one.number === number));
  const pairings = [...replaced, ...added];
  while (stays && pairings.length > KEPT_PAIRINGS) {
    const over = pairings.findIndex(({ outcome }) => outcome);
    if (over < 0) break;
    pairings.splice(over, 1);
  }
  const play = new Set(news.flatMap(entrantsOf));
  return { round, past, pastDecisions, pairings, queue: state.queue.filter((one) => !play.has(one)) };
}

/**
 * Adds the outcome of a pairing to the decisions of earlier rounds, if the host decided it.
 *
 * @param {readonly import("./protocol.js").PastDecision[]} decisions
 * @param {{number: number, outcome: PairingOutcome | null}} pairing
 */
const withDecision = (decisions, { number, outcome }) =>
  (outcome?.how === "host"
    ? [...decisions.filter(({ pairing }) => pairing !== number), { pairing: number, outcome }].slice(-KEPT_DECISIONS)
    : decisions);

/** @param {Pairing} pairing @returns {import("./protocol.js").PastPairing} */
function pastFrom({ first, second, outcome }) {
  const [own, other] = outcome ? pointsOf(outcome, first) : [0, 0];
  return [first, second ?? 0, own, other];
}

/**
 * The half points of the entrant who began the first game, and of the other one.
 *
 * @param {PairingOutcome} outcome @param {number} first
 * @returns {[number, number]}
 */
export function pointsOf({ winner, how }, first) {
  if (winner) {
    return winner === first ? [WIN, 0] : [0, WIN];
  }
  return how === "forfeit" || how === "bye" ? [0, 0] : [WIN / 2, WIN / 2];
}

/**
 * A pairing of any round that is remembered, and its half points if it is over.
 *
 * @param {PartyState} state @param {number} number
 * @returns {{number: number, table: number, first: number, second: number | null,
 *   points: [number, number] | null} | null}
 */
export function decidedOf(state, number) {
  const pairing = pairingOf(state, number);
  if (pairing) {
    const { table, first, second, outcome } = pairing;
    return { number, table, first, second, points: outcome && pointsOf(outcome, first) };
  }
  const past = state.past.flat()[number - (state.playedBefore ?? 0) - 1];
  return past ? { number, table: 0, first: past[0], second: past[1] || null, points: [past[2], past[3]] } : null;
}

/**
 * @param {PartyState} state @param {number} number @param {PairingOutcome} outcome
 * @returns {Partial<PartyState>}
 */
function decided(state, number, outcome) {
  const before = decidedOf(state, number);
  if (!before) {
    return {};
  }
  const { first, second } = before;
  const now = pointsOf(outcome, first);
  const entrants = state.entrants.map((entrant) => {
    const side = [first, second].indexOf(entrant.number);
    if (side < 0) return entrant;
    const without = before.points ? counted(entrant, before.points[side], !second, -1) : entrant;
    return counted(without, now[side], !second, 1);
  });
  const next = { ...state, entrants, ...withOutcome(state, number, outcome, now) };
  const { pairings, past, pastDecisions } = next;
  return { entrants, pairings, past, pastDecisions, queue: before.points ? state.queue : requeued(next, before, outcome) };
}

/**
 * @param {PartyState} state @param {number} number @param {PairingOutcome} outcome
 * @param {[number, number]} points
 * @returns {Partial<PartyState>}
 */
function withOutcome(state, number, outcome, [own, other]) {
  if (pairingOf(state, number)) {
    return { pairings: changed(state.pairings, number, { outcome }) };
  }
  let place = state.playedBefore ?? 0;
  const past = state.past.map((round) => round.map((one) => {
    place += 1;
    return place === number ? /** @type {typeof one} */ ([one[0], one[1], own, other]) : one;
  }));
  return { past, pastDecisions: withDecision(state.pastDecisions, { number, outcome }) };
}

/** @param {Entrant} entrant @param {number} points @param {boolean} isBye @param {1 | -1} by @returns {Entrant} */
function counted(entrant, points, isBye, by) {
  const sum = { ...entrant, points: Math.max(0, entrant.points + by * points) };
  if (isBye) {
    return sum;
  }
  const count = points === WIN ? "wins" : points === 0 ? "losses" : "draws";
  return { ...sum, [count]: Math.max(0, sum[count] + by) };
}

/**
 * "Winner stays on": the winner is the next one to play, the loser the last. Without a winner both are
 * last.
 *
 * @param {PartyState} state @param {{first: number, second: number | null}} pairing
 * @param {PairingOutcome} outcome
 * @returns {readonly number[]}
 */
function requeued(state, { first, second }, { winner }) {
  const numbers = second ? [first, second] : [first];
  const queue = numbers.reduce((queue, number) => queued({ ...state, queue }, number), state.queue);
  return winner && queue.includes(winner) ? [winner, ...queue.filter((one) => one !== winner)] : queue;
}
