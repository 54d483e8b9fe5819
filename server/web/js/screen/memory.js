// The short memory of the big screen: the last results, the results that a table still shows, and the
// tables on show. It compares two states of the party, so that it also knows what a break has hidden.
// Each list is bounded. Pure.
// @ts-check

import { leaderOf } from "../client/party-state.js";
import { isGame, isPlayed } from "../client/party-view.js";
import { isOpen, tablesOf } from "./followed.js";
import { MOMENT_MS, turnAt } from "./timing.js";

/** @typedef {import("./followed.js").Followed} Followed */
/** @typedef {import("./followed.js").PartyState} PartyState */
/** @typedef {import("./followed.js").Pairing} Pairing */
/** @typedef {import("./followed.js").TableBoard} TableBoard */

/** The lines of news that are kept. */
const MOST_LINES = 8;

/** The tables on show at once: on a larger board they are fewer, so that its marks can be seen from afar. */
const MOST_TILES = 12;
const MOST_LARGE_TILES = 6;
const LARGE_SIDE = 10;

/**
 * `again`: a drawn game is played again. `ended`: how the deciding game ended, as soon as its board says so.
 *
 * @typedef {{key: string, pairing: Pairing, again: boolean, ended: Ended | null}} Result
 */
/** Somebody else leads the party. @typedef {{key: string, leader: number}} Led */
/** @typedef {Result | Led} News */
/** @typedef {NonNullable<TableBoard["result"]>["how"]} Ended */
/** @typedef {{pairing: Pairing, board: TableBoard | null, until: number}} Moment */

/**
 * @typedef {object} Memory
 * @property {Followed | null} party the one that was compared last
 * @property {readonly News[]} news the newest first
 * @property {Readonly<Record<number, Moment>>} moments by table
 * @property {{turn: number, round: number, tables: readonly number[]}} shown the tables on show
 * @property {number} joinedAt when somebody came in last
 */

/** @type {Memory} */
export const EMPTY = Object.freeze({
  party: null, news: [], moments: {}, shown: { turn: -1, round: -1, tables: [] }, joinedAt: Number.NEGATIVE_INFINITY,
});

/**
 * Takes the party as it is now.
 *
 * @param {Memory} memory
 * @param {Followed} party
 * @param {number} at
 * @returns {Memory}
 */
export function remember(memory, party, at) {
  const before = isSame(memory.party?.state, party.state) ? memory.party : null;
  const { news, moments: told } = before ? newsBetween(before, party, at) : { news: [], moments: {} };
  const kept = Object.entries({ ...(before && memory.moments), ...told }).filter(([, { until }]) => until > at);
  // The last move comes a little after the result, and a board goes with its round.
  const moments = Object.fromEntries(kept.map(([table, moment]) =>
    [table, { ...moment, board: party.boards[moment.pairing.number] ?? moment.board }]));
  const lines = [...news, ...(before ? memory.news : [])].slice(0, MOST_LINES);
  const hasCome = before && party.state.entrants.length > before.state.entrants.length;
  return {
    party,
    news: lines.map((line) => ("leader" in line || line.ended || line.again ? line : { ...line, ended: endOf(party, line.pairing) })),
    moments,
    shown: shownTables(memory.shown, party.state, at),
    joinedAt: hasCome ? at : memory.joinedAt,
  };
}

/** Whether it is one party: one that begins again has other entrants. @param {PartyState | undefined} one @param {PartyState} other */
const isSame = (one, other) => one?.code === other.code && one.playedBefore === other.playedBefore;

/** How the last game of a pairing ended. The board comes a little after the result, and goes with its round. @param {Followed} party @param {Pairing} pairing */
function endOf({ boards }, { number, game }) {
  const board = boards[number];
  return board?.game === game ? board.result?.how ?? null : null;
}

/**
 * The results that are new, the newest first.
 *
 * @param {Followed} before @param {Followed} now @param {number} at
 */
function newsBetween(before, now, at) {
  /** @type {News[]} */
  const news = [];
  /** @type {Record<number, Moment>} */
  const moments = {};
  const leader = leaderOf(now.state);
  if (leader && leader !== leaderOf(before.state)) news.push({ key: `led ${now.state.v}`, leader });
  if (before.state.pairings === now.state.pairings) return { news, moments };
  const known = new Map(before.state.pairings.map((pairing) => [pairing.number, pairing]));
  for (const pairing of now.state.pairings) {
    const old = known.get(pairing.number);
    if (old === pairing || !isGame(pairing)) continue;
    const { number, outcome } = pairing;
    if (outcome && isOther(old?.outcome ?? null, outcome)) {
      news.unshift({ key: `${number} ${outcome.winner} ${outcome.how}`, pairing, again: false, ended: null });
      moments[pairing.table] = { pairing, board: now.boards[number] ?? null, until: at + MOMENT_MS };
    } else if (!outcome && old && old.game > 0 && pairing.game > old.game) {
      news.unshift({ key: `${number} again ${pairing.game}`, pairing, again: true, ended: null });
    }
  }
  return { news, moments };
}

/** @param {Pairing["outcome"]} old @param {NonNullable<Pairing["outcome"]>} now */
const isOther = (old, now) => !old || old.winner !== now.winner || old.how !== now.how;

/**
 * The tables on show stay the same for a turn, but a new round, and games when there are none on show,
 * bring others at once.
 *
 * @param {Memory["shown"]} before @param {PartyState} state @param {number} at
 */
function shownTables(before, state, at) {
  const turn = turnAt(at);
  const all = tablesOf(state);
  const live = all.filter(isOpen);
  const isShown = (/** @type {Pairing} */ { table }) => before.tables.includes(table);
  const played = live.filter(isPlayed);
  const isDone = (live.length > 0 && !live.some(isShown)) || (played.length > 0 && !played.some(isShown));
  const isGone = before.tables.some((shown) => all.every(({ table }) => table !== shown));
  const isMore = before.tables.length < Math.min(all.length, mostTiles(state));
  if (before.turn === turn && before.round === state.round && !isDone && !isGone && !isMore) return before;
  return { turn, round: state.round, tables: chooseTables(all, mostTiles(state), turn) };
}

/** @param {PartyState} state */
const mostTiles = ({ settings: { board } }) =>
  (Math.max(board.width, board.height) >= LARGE_SIDE ? MOST_LARGE_TILES : MOST_TILES);

/**
 * All tables if they fit. Else those with a running game, then those whose game begins, then those
 * that are over. Tables that do not fit take turns.
 *
 * @param {readonly Pairing[]} all by table
 * @param {number} most
 * @param {number} turn
 * @returns {number[]}
 */
export function chooseTables(all, most, turn) {
  const groups = [all.filter(isPlayed), all.filter((one) => isOpen(one) && !isPlayed(one)), all.filter((one) => !isOpen(one))];
  /** @type {number[]} */
  const chosen = [];
  for (const group of groups) {
    const room = most - chosen.length;
    const from = group.length > room && room > 0 ? (turn * room) % group.length : 0;
    chosen.push(...[...group, ...group].slice(from, from + Math.min(room, group.length)).map(({ table }) => table));
  }
  return chosen.sort((one, another) => one - another);
}
