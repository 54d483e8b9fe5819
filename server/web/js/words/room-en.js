// The words of a room in English.
// @ts-check

/** @type {import("../words.js").Words} */
export const room = {};
