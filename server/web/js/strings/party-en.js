// The texts of parties in English.
// @ts-check

/** @type {import("../strings.js").StringTable} */
export const en = {
};
