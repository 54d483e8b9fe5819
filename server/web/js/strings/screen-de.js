// The texts of the big screen of a party in German.
// @ts-check

/** @type {import("../strings.js").StringTable} */
export const de = {
};
