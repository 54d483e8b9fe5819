// The part of the core for what the server's host has switched off. Pure.
// @ts-check

import { ask, happen } from "./step.js";

/** @typedef {import("./protocol.js").Features} Features */

/** Everything is allowed. @type {Features} */
export const ALL_ON = Object.freeze({
  spectators: true, listing: true, quick_match: true, chat: true, history: true, ratings: true, parties: true,
});

/**
 * The features have changed. A feature that is off ends here at once, and the list of rooms that is
 * back is asked for again.
 *
 * @param {import("./step.js").Step} step @param {Partial<Features>} told
 */
export function switched(step, told) {
  const { session } = step;
  const before = session.features;
  session.features = { ...ALL_ON, ...told };
  const { listing, quick_match: matches } = session.features;
  if (!listing) {
    session.lobby = null;
  } else if (!before.listing && session.watchesLobby) {
    ask(step, { type: "watch_lobby" });
  }
  if (!matches && before.quick_match && session.queue) {
    ask(step, { type: "cancel_match" });
  }
  happen(step, { type: "features", before });
}
