// The texts of parties in German.
// @ts-check

/** @type {import("../strings.js").StringTable} */
export const de = {
};
