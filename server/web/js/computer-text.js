// Texts about a computer: its name in a room, and notes on its strategy and strength. Pure.
// @ts-check

import { hasStrengths } from "./choices.js";
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
  (hasStrengths(strategy) ? [strength, strategy] : [strategy]).map((part) => strings(`computer.${part}`));

/** @param {import("./protocol.js").Computer} computer */
export const computerHow = (computer) => computerParts(computer).join(" · ");

/**
 * A sentence about a strategy at a strength.
 *
 * @param {string} strategy
 * @param {string} strength ignored where the strategy has no strengths
 * @returns {string}
 */
export function computerNote(strategy, strength) {
  return strings(hasStrengths(strategy) ? `${strategy}.${strength}.note` : `strategy.${strategy}.note`);
}
