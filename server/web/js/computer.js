// A computer in words: what it is called in a room, and what its strategy and strength mean. Pure.
// @ts-check

import { hasStrengths } from "./choices.js";

/** @typedef {(key: string, params?: Record<string, string | number>) => string} T */

/**
 * What a computer is called: by its strategy, and by its strength where the strategy has several.
 *
 * @param {T} t
 * @param {import("./protocol.js").Computer} computer
 * @returns {string}
 */
export function computerName(t, { strategy, strength }) {
  const strategyName = t(`computer.${strategy}`);
  const how = hasStrengths(strategy) ? `${strategyName}, ${t(`computer.${strength}`)}` : strategyName;
  return t("computer.name", { how });
}

/**
 * What a strength of a strategy means, in a sentence that needs no other.
 *
 * @param {T} t
 * @param {string} strategy
 * @param {string} strength is of no account where the strategy has none
 * @returns {string}
 */
export function computerNote(t, strategy, strength) {
  return t(hasStrengths(strategy) ? `${strategy}.${strength}.note` : `strategy.${strategy}.note`);
}
