// The texts of the big screen of a party in English.
// @ts-check

/** @type {import("../strings.js").StringTable} */
export const en = {
};
