// Parties for the tests of their screens.
// @ts-check

/** @typedef {import("../../server/web/js/screen/followed.js").PartyState} PartyState */
/** @typedef {import("../../server/web/js/screen/followed.js").Pairing} Pairing */
/** @typedef {import("../../server/web/js/screen/followed.js").Followed} Followed */

/** @param {number} number @param {object} [more] */
export const entrant = (number, more) => ({
  number, name: `E${number}`, player: null, computer: null, left: false, points: 0, wins: 0, draws: 0, losses: 0, ...more,
});

/** @param {number} number @param {number} first @param {number | null} second @param {object} [more] @returns {Pairing} */
export const pairing = (number, first, second, more) => ({
  number, table: second ? number : 0, first, second, stage: null, game: 0, room: null, outcome: null, ...more,
});

/** @param {number | null} winner @param {"game" | "bye" | "forfeit" | "host" | "draw_odds"} [how] */
export const won = (winner, how = "game") => ({ outcome: { winner, how } });

/** @param {Partial<PartyState>} change @param {"knockout" | "swiss" | "winner_stays" | "round_robin"} [format] @returns {PartyState} */
export const party = (change, format = "knockout") => ({
  code: "KQRZX", v: 1, name: "Fest", host: "0", leader: null, phase: "playing", paused: false, entrants: [], round: 1, pairings: [],
  past: [], pastDecisions: [], queue: [], places: [],
  settings: {
    board: { width: 3, height: 3, line: 3 }, format, move_time_ms: 20_000, opening: "free", rounds: 5, tables: 1,
    first_to: null, chat: "off", fill: null,
  },
  ...change,
});

/** @param {PartyState} state @param {Partial<Followed["presence"]>} [presence] @returns {Followed} */
export const follow = (state, presence) => ({
  role: "screen", state, boards: {}, me: null, leading: null, isHost: false,
  presence: { away: [], ready: [], checks: [], nextAt: null, spectators: 1, ...presence },
});

export const people = (/** @type {number} */ count) => Array.from({ length: count }, (_, at) => entrant(at + 1));
