// The numbers of parties. A test of `protocol` writes this file.
// @ts-check

/** The most entrants of a party. */
export const MAX_ENTRANTS = 200;

/** The most entrants of a round robin. */
export const MAX_ROUND_ROBIN = 12;

/** The pairings of "winner stays on" that are remembered. */
export const KEPT_PAIRINGS = 40;

/** The results of earlier rounds that the host has decided and that are remembered. */
export const KEPT_DECISIONS = 32;
