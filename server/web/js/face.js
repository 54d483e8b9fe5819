// Faces: which one a person has, and one by chance. Pure. The drawings are in `faces/`.
// @ts-check

import { ANIMALS, COLOURS } from "./generated/faces.js";

/** @typedef {import("./client/protocol.js").Face} Face */

/**
 * The face of a player: the chosen one, or the one that follows from the id.
 *
 * @param {string} player the id, 16 hexadecimal digits
 * @param {Face | null | undefined} face
 * @returns {Face}
 */
export function faceOf(player, face) {
  if (isFace(face)) return face;
  const byte = (/** @type {number} */ at) => Number.parseInt(player.slice(at, at + 2), 16) || 0;
  return { animal: ANIMALS[byte(14) % ANIMALS.length], colour: COLOURS[byte(12) % COLOURS.length] };
}

/** Whether a value is a face that this page can draw. @param {any} value @returns {value is Face} */
export const isFace = (value) => ANIMALS.includes(value?.animal) && COLOURS.includes(value?.colour);

/** @param {() => number} random gives a number from 0 to below 1 @returns {Face} */
export function randomFace(random) {
  const pick = (/** @type {readonly string[]} */ list) => list[Math.floor(random() * list.length)];
  return { animal: pick(ANIMALS), colour: pick(COLOURS) };
}
