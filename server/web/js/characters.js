// The characters of a text, as people count them. Pure.
// @ts-check

import { BYTES_PER_CHAR } from "./client/generated/constants.js";

/** Made when it is needed, because that takes a slow phone 0.2 s. @type {Intl.Segmenter | null} */
let segmenter = null;

/** @param {string} text */
export const characters = (text) => {
  // In ASCII each is one. A browser without a segmenter counts code points.
  if (/^[ -~]*$/.test(text) || !("Segmenter" in Intl)) return [...text];
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
};

/** How long a text is for the server: many bytes count as further characters. @param {string} text */
export const length = (text) =>
  Math.max(characters(text).length, Math.ceil(new TextEncoder().encode(text).length / BYTES_PER_CHAR));
