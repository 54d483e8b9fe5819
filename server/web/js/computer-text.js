// A computer in words: what it is called in a room, and what its strategy and strength mean. Pure.
// @ts-check

import { hasStrengths } from "./choices.js";

/** @typedef {import("./strings.js").Strings} Strings */

/**
 * What a computer is called: by its strategy, and by its strength where the strategy has several.
 *
 * @param {Strings} strings
 * @param {import("./protocol.js").Computer} computer
 * @returns {string}
 */
export function computerName(strings, { strategy, strength }) {
  const strategyName = strings(`computer.${strategy}`);
  const how = hasStrengths(strategy) ? `${strategyName}, ${strings(`computer.${strength}`)}` : strategyName;
  return strings("computer.name", { how });
}

/**
 * What a strength of a strategy means, in a sentence that needs no other.
 *
 * @param {Strings} strings
 * @param {string} strategy
 * @param {string} strength is of no account where the strategy has none
 * @returns {string}
 */
export function computerNote(strings, strategy, strength) {
  return strings(hasStrengths(strategy) ? `${strategy}.${strength}.note` : `strategy.${strategy}.note`);
}
