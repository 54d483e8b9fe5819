// How the games of the viewer ended. A later round forgets how a game was decided, so the page remembers
// which ones the viewer has missed.
// @ts-check

import { strings } from "../strings.js";
import { foeOf, metBy, plays } from "./model.js";
import { name } from "./text.js";

/** @typedef {import("./model.js").Party} Party */
/** @typedef {import("./model.js").PartyState} PartyState */
/** @typedef {import("./model.js").Met} Met */

/**
 * The games that the viewer has lost without playing since the page was loaded, by a party's code and a pairing's
 * number: whether the viewer missed it, or had left before. @type {Map<string, boolean>}
 */
const forfeits = new Map();

/** The viewer's place in a party since the page was loaded: the party's code and the entrant's number. @type {Map<string, number>} */
const places = new Map();

/** Whether the host has given the viewer's place to another device. @param {Party} party */
export function hasLostPlace({ state, me }) {
  const place = state.entrants[(places.get(state.code) ?? 0) - 1];
  return !me && Boolean(place?.player);
}

/** Takes what is decided now. A player who has left has missed nothing. @param {Party} party */
export function remember({ state, me }) {
  if (me) places.set(state.code, me.number);
  else if (state.phase === "gathering") places.delete(state.code);
  if (!me) return;
  for (const pairing of state.pairings) {
    const game = `${state.code} ${pairing.number}`;
    const isLost = plays(pairing, me.number) && isMissed(pairing.outcome, me.number);
    if (isLost && !forfeits.has(game)) forfeits.set(game, !me.left);
  }
}

/** @param {import("./model.js").Pairing["outcome"]} outcome @param {number} me */
const isMissed = (outcome, me) => outcome?.how === "forfeit" && outcome.winner !== me;

/** @param {PartyState} state @param {Met | undefined} met */
const hasMissed = ({ code }, met) => Boolean(met && forfeits.get(`${code} ${met.number}`));

/** Whether the viewer was not ready in time for their last game. @param {PartyState} state @param {number} me */
export const hasMissedLast = (state, me) => hasMissed(state, metBy(state, me).at(-1));

/** Whether the viewer was not ready in time for the game before their last one. @param {PartyState} state @param {number} me */
export const hasMissedBefore = (state, me) => hasMissed(state, metBy(state, me).at(-2));

/** How a game ended, where the result does not say it. @param {PartyState} state @param {Met} met @param {number} me */
export function ownHow(state, met, me) {
  if (hasMissed(state, met)) return strings("party.sheet.missed");
  const { outcome } = met;
  if (outcome?.how === "forfeit" && outcome.winner === me) {
    return strings("party.how.forfeit", { loser: name(state, foeOf(/** @type {any} */ (met), me)) });
  }
  return outcome?.how === "host" ? strings("party.how.host") : "";
}
