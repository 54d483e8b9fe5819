// The words of a room in German.
// @ts-check

/** @type {import("../words.js").Words} */
export const room = {};
