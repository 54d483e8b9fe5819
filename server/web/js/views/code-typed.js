// The field for a room code turns a typed or pasted text into letters. Pure.
// @ts-check

import { CODE_LENGTH } from "../client/generated/constants.js";
import { parseCode } from "../client/protocol.js";

/**
 * The letters of a text in the five boxes: the code of a link or of a whole code, else the first letters
 * as they were typed.
 *
 * @param {string} text
 * @returns {string}
 */
export function codeTyped(text) {
  const letters = [...text.toUpperCase().replace(/[\s-]/g, "")];
  return parseCode(text) ?? letters.slice(0, CODE_LENGTH).join("");
}
