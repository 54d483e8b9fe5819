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
 * How a computer plays: its strategy, and its strength if the strategy has several.
 *
 * @param {import("./protocol.js").Computer} computer
 * @returns {string}
 */
export function computerHow({ strategy, strength }) {
  const parts = hasStrengths(strategy) ? [strategy, strength] : [strategy];
  return parts.map((part) => strings(`computer.${part}`)).join(", ");
}

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
