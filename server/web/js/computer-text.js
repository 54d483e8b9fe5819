// Texts about a computer: its name in a room, its strategy and its strength. Pure.
// @ts-check

import { STRENGTHS, hasNine, hasStrengths, isBetween, levelOf } from "./strengths.js";
import { strings } from "./strings.js";

/** @typedef {import("./client/protocol.js").Computer} Computer */
/** @typedef {Parameters<typeof hasNine>[0]} Rules what is played: it says how many strengths there are */

/**
 * The name of a computer: its strategy, and its strength if the strategy has several.
 *
 * @param {Computer} computer
 * @param {Rules} [rules]
 * @returns {string}
 */
export const computerName = (computer, rules) => strings("computer.name", { how: computerHow(computer, rules) });

/**
 * How a computer plays: its strength if the strategy has several, and its strategy if somebody chose another than
 * the usual one. A narrow place has only the first of them.
 *
 * @param {Computer} computer
 * @param {Rules} [rules]
 * @returns {string[]}
 */
export function computerParts(computer, rules) {
  const { strategy } = computer;
  return [...(hasStrengths(strategy) ? strengthParts(computer, rules) : []), ...(strategy === "minimax" ? [] : [strings(`computer.${strategy}`)])];
}

/** A strength among nine has its number, and its name if it has one. @param {Computer} computer @param {Rules} [rules] */
function strengthParts({ strategy, strength }, rules) {
  const level = strings("computer.level", { level: levelOf(strength), count: STRENGTHS.length });
  if (isBetween(strength)) return [level];
  const name = strings(`computer.${strength}`);
  return rules && hasNine(rules, strategy) ? [level, name] : [name];
}

/** The name of a strength in a sentence: "very weak", "level 4 of 9", "level 5 of 9, average". @param {Computer} computer @param {Rules} [rules] */
export const strengthName = (computer, rules) => strengthParts(computer, rules).join(", ");

/** @param {Computer} computer @param {Rules} [rules] */
export const computerHow = (computer, rules) => computerParts(computer, rules).join(" · ");
