// The words of the page in English; those of a room are in `room-en.js`.
// @ts-check

import { room } from "./room-en.js";

/** @type {import("../words.js").Words} */
export const en = {
  ...room,
};
