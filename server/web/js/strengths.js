// The strengths of a computer, as `protocol/src/settings/computer.rs` has them: which ones there are, and which
// ones differ on a board. Their texts are in `computer-text.js`. Pure.
// @ts-check

/** @typedef {import("./client/protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("./client/protocol.js").Strength} Strength */

/** All strengths, the weakest first. @type {readonly Strength[]} */
export const STRENGTHS = Object.freeze([
  "very_weak", "level_2", "weak", "level_4", "average", "level_6", "strong", "level_8", "very_strong",
]);

/** The variants in which a line wins and nothing else is different. */
export const GOMOKU_LIKE = ["line", "exact"];

/** Boards with more cells than this have nine strengths. */
const SMALL_CELLS = 64;

/** @param {string} strategy @returns {boolean} whether it has different strengths */
export const hasStrengths = (strategy) => ["minimax", "heuristic"].includes(strategy);

/** A strength without a name of its own is between two others. @param {string} strength */
export const isBetween = (strength) => strength.startsWith("level_");

/** @param {string} strength @returns {number} 1 to 9 */
export const levelOf = (strength) => STRENGTHS.indexOf(/** @type {Strength} */ (strength)) + 1;

/**
 * The strengths that a strategy has on a board: nine where five in a row win on a large one, else those with
 * a name.
 *
 * @param {{board: BoardSpec | null, variant?: string}} rules @param {string} strategy
 */
export function strengthsOf({ board, variant = "line" }, strategy) {
  const isLarge = board?.line === 5 && board.width * board.height > SMALL_CELLS;
  const hasNine = isLarge && strategy === "minimax" && GOMOKU_LIKE.includes(variant);
  return hasNine ? STRENGTHS : STRENGTHS.filter((strength) => !isBetween(strength));
}

/** Whether a strategy has nine strengths on a board. @param {Parameters<typeof strengthsOf>[0]} rules @param {string} strategy */
export const hasNine = (rules, strategy) => strengthsOf(rules, strategy).some(isBetween);

/**
 * How a strength is played where not all are offered: as the next weaker one.
 *
 * @param {readonly Strength[]} offered @param {string} strength
 */
export const playedAs = (offered, strength) =>
  offered.findLast((one) => levelOf(one) <= levelOf(strength)) ?? offered[0];
