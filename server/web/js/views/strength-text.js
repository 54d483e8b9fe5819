// The texts about strengths in a form. Pure.
// @ts-check

import { STRENGTHS, hasStrengths, isBetween, levelOf } from "../strengths.js";
import { strings } from "../strings.js";

/**
 * A strength among nine has its number: "3 weak", "4".
 *
 * @param {string} strength @param {boolean} hasNine
 */
export function strengthLabel(strength, hasNine) {
  if (!hasNine) return strings(`strength.${strength}`);
  const level = String(levelOf(strength));
  return isBetween(strength) ? level : `${level} ${strings(`computer.${strength}`)}`;
}

/**
 * A sentence about a strategy at a strength.
 *
 * @param {string} strategy
 * @param {string} strength ignored where the strategy has no strengths
 * @param {boolean} hasNine whether the board has nine strengths
 * @returns {string}
 */
export function computerNote(strategy, strength, hasNine) {
  if (!hasStrengths(strategy)) return strings(`strategy.${strategy}.note`);
  if (!hasNine) return strings(`${strategy}.${strength}.note`);
  if (!isBetween(strength)) return strings(`nine.${strength}.note`);
  const [below, above] = [-2, 0].map((step) => strings(`computer.${STRENGTHS[levelOf(strength) + step]}`));
  return strings("nine.between.note", { below, above });
}
