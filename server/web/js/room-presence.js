// What passes in a room: who is connected, how many watch, who offers a rematch. It comes whole: in a
// message of its own, in a snapshot and in a pong. Countdowns become times of this page's clock. Pure.
// @ts-check

import { MARKS, other, playerOf } from "./rules.js";

/** @typedef {import("./state.js").Presence} Presence */
/** @typedef {import("./protocol.js").Mark} Mark */
/** @typedef {import("./protocol.js").ByMark<import("./protocol.js").Seat>} Seats */

/**
 * The presence that a message tells.
 *
 * @param {import("./protocol.js").Presence} message
 * @param {number} at when it arrived
 * @returns {Presence}
 */
export function presenceFrom({ x, o, spectators, rematch }, at) {
  return { x: seatPresence(x, at), o: seatPresence(o, at), spectators, rematch: rematch ?? null };
}

/**
 * @param {import("./protocol.js").SeatPresence | null} seat @param {number} at
 * @returns {import("./state.js").SeatPresence | null}
 */
function seatPresence(seat, at) {
  if (!seat) {
    return null;
  }
  // The time of a player who is gone was over before this message.
  const claimAt = seat.state === "away" ? at + seat.claim_in_ms : seat.state === "gone" ? 0 : null;
  return { state: seat.state, claimAt };
}

/**
 * The presence after players have taken, left or exchanged seats: it goes with the player. The server
 * tells the presence of a new player a moment later.
 *
 * @param {Presence} presence @param {Seats} before @param {Seats} seats
 * @returns {Presence}
 */
export function withSeats(presence, before, seats) {
  const previous = (/** @type {Mark} */ mark) => {
    const player = playerOf(seats[mark]);
    const was = (/** @type {Mark} */ one) => player !== null && playerOf(before[one]) === player;
    return [mark, other(mark)].find(was);
  };
  const of = (/** @type {Mark | undefined} */ mark) => (mark ? presence[mark] : null);
  const rematch = MARKS.find((mark) => previous(mark) === presence.rematch) ?? null;
  return { ...presence, x: of(previous("x")), o: of(previous("o")), rematch };
}

/** @param {Presence} one @param {Presence} another @returns {boolean} */
export const isSamePresence = (one, another) => JSON.stringify(one) === JSON.stringify(another);
