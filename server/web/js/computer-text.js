// Texts about a computer: its name in a room, its strategy and its strength. Pure.
// @ts-check

import { hasStrengths, isBetween, levelOf } from "./strengths.js";
import { strings } from "./strings.js";

/**
 * The name of a computer: its strategy, and its strength if the strategy has several.
 *
 * @param {import("./client/protocol.js").Computer} computer
 * @returns {string}
 */
export const computerName = (computer) => strings("computer.name", { how: computerHow(computer) });

/**
 * How a computer plays: its strength if the strategy has several, and its strategy if somebody chose another than
 * the usual one. A narrow place has only the first of them.
 *
 * @param {import("./client/protocol.js").Computer} computer
 * @returns {string[]}
 */
export const computerParts = ({ strategy, strength }) =>
  [...(hasStrengths(strategy) ? [strengthName(strength)] : []), ...(strategy === "minimax" ? [] : [strings(`computer.${strategy}`)])];

/** The name of a strength in a sentence: "very weak", "level 4". @param {string} strength */
export const strengthName = (strength) =>
  isBetween(strength) ? strings("computer.level", { level: levelOf(strength) }) : strings(`computer.${strength}`);

/** @param {import("./client/protocol.js").Computer} computer */
export const computerHow = (computer) => computerParts(computer).join(" · ");
