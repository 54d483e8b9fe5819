// The times of the big screen: how long a page, a result and a place last. Everything that turns follows
// from one clock, so that the screen has one timer. Pure.
// @ts-check

/** A page of a list, and a set of tables, is shown for so long. */
export const TURN_MS = 12_000;

/** The result of a game stays on its table for so long before the table's next pairing. */
export const MOMENT_MS = 6_000;

/** After so many turns with tables comes one with the bracket or the standings. */
const TURNS_A_ROUND = 4;

/** The parts of the screen change places after so long. No part burns in. */
const PLACE_MS = 600_000;

/** The whole screen moves a little each minute. */
const DRIFT_MS = 60_000;

/** The way of the drift, in parts of the longest one: a lying eight, so that no step is a jump. */
const DRIFT = [[0, 0], [0.5, 0.7], [1, 1], [0.5, 0.3], [0, 0], [-0.5, -0.7], [-1, -1], [-0.5, -0.3]];

/** The number of turns so far. @param {number} at the time of `performance.now()` */
export const turnAt = (at) => Math.floor(at / TURN_MS);

/** Whether the overview has its turn while games are played. @param {number} at */
export const isOverviewTurn = (at) => turnAt(at) % TURNS_A_ROUND === TURNS_A_ROUND - 1;

/**
 * The page of a list that is shown now.
 *
 * @template T
 * @param {readonly T[]} list
 * @param {number} size of a page
 * @param {number} turn
 * @returns {{items: readonly T[], page: number, pages: number, from: number}} `page` counts from 1,
 *   `from` is the place of the first item
 */
export function pageAt(list, size, turn) {
  const pages = Math.max(1, Math.ceil(list.length / size));
  // All pages have the same length, but the last one may lack some.
  const even = Math.ceil(list.length / pages);
  const page = turn % pages;
  return { items: list.slice(page * even, (page + 1) * even), page: page + 1, pages, from: page * even };
}

/**
 * The place of the screen's parts: which side the list has, which edge the heading has, and the drift
 * of the whole, from -1 to 1.
 *
 * @param {number} at
 */
export function placeAt(at) {
  const swaps = Math.floor(at / PLACE_MS);
  const [x, y] = DRIFT[Math.floor(at / DRIFT_MS) % DRIFT.length];
  return { side: swaps % 2 === 0 ? "right" : "left", head: swaps % 4 < 2 ? "top" : "bottom", x, y };
}

/** Whole seconds until a time, not below 0. @param {number} until @param {number} at */
export const secondsTo = (until, at) => Math.max(0, Math.ceil((until - at) / 1000));
