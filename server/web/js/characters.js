// The characters of a text, as people count them. Pure.
// @ts-check

import { BYTES_PER_CHAR } from "./client/generated/constants.js";

/** A browser without it counts code points. */
const segmenter = "Segmenter" in Intl ? new Intl.Segmenter() : null;

/** @param {string} text */
export const characters = (text) =>
  segmenter ? Array.from(segmenter.segment(text), ({ segment }) => segment) : [...text];

/** How long a text is for the server: many bytes count as further characters. @param {string} text */
export const length = (text) =>
  Math.max(characters(text).length, Math.ceil(new TextEncoder().encode(text).length / BYTES_PER_CHAR));
