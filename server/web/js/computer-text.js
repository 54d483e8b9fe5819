// Texts about a computer: its name in a room, and notes on its strategy and strength. Pure.
// @ts-check

import { STRENGTHS, hasStrengths, isBetween, levelOf } from "./choices.js";
import { strings } from "./strings.js";

/**
 * The name of a computer: its strategy, and its strength if the strategy has several.
 *
 * @param {import("./protocol.js").Computer} computer
 * @returns {string}
 */
export const computerName = (computer) => strings("computer.name", { how: computerHow(computer) });

/**
 * How a computer plays: its strength if the strategy has several, and its strategy. A narrow place has only
 * the first of them.
 *
 * @param {import("./protocol.js").Computer} computer
 * @returns {string[]}
 */
export const computerParts = ({ strategy, strength }) =>
  [...(hasStrengths(strategy) ? [strengthName(strength)] : []), strings(`computer.${strategy}`)];

/** The name of a strength in a sentence: "very weak", "level 4". @param {string} strength */
export const strengthName = (strength) =>
  isBetween(strength) ? strings("computer.level", { level: levelOf(strength) }) : strings(`computer.${strength}`);

/** @param {import("./protocol.js").Computer} computer */
export const computerHow = (computer) => computerParts(computer).join(" · ");

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
  const [below, above] = [-2, 0].map((step) => strengthName(STRENGTHS[levelOf(strength) + step]));
  return strings("nine.between.note", { below, above });
}
