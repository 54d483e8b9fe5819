// The words of the page in German; those of a room are in `room-de.js`.
// @ts-check

import { room } from "./room-de.js";

/** @type {import("../words.js").Words} */
export const de = {
  ...room,
};
