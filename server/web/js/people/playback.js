// The tempo in which a kept game plays by itself: that of its players, but neither so fast that nobody
// sees a move nor so slow that anybody waits. Pure.
// @ts-check

/** The shortest wait for a move, in milliseconds. */
export const SHORTEST_MS = 350;

/** The longest wait for a move, in milliseconds. */
export const LONGEST_MS = 1_500;

/**
 * The wait before a move.
 *
 * @param {readonly number[]} times for each move the milliseconds since the game began
 * @param {number} ply the number of moves before it
 */
export function waitFor(times, ply) {
  const passed = (times[ply] ?? 0) - (times[ply - 1] ?? 0);
  return Math.min(Math.max(passed, SHORTEST_MS), LONGEST_MS);
}
