// The presence of a room: who is connected, how many watch, who offers a rematch. It comes whole: in a
// message of its own, in a snapshot and in a pong. Countdowns become times of this device's clock. Pure.
// @ts-check

import { MARKS, other, playerOf } from "./rules.js";

/** @typedef {import("./protocol.js").Mark} Mark */
/** @typedef {import("./protocol.js").ByMark<import("./protocol.js").Seat>} Seats */

/**
 * @typedef {object} SeatPresence
 * @property {"connected" | "away" | "gone"} state
 * @property {import("./session.js").Moment | null} claimAt from when the opponent may claim the
 *   game; `null` while the player is connected
 */

/**
 * @typedef {object} Presence
 * @property {SeatPresence | null} x `null` for an open seat and for a computer
 * @property {SeatPresence | null} o
 * @property {number} spectators
 * @property {Mark | null} rematch the seat whose player offers a rematch
 * @property {import("./protocol.js").Series | null} series the new series that the offer asks for
 * @property {import("./protocol.js").RoomRatings | null} ratings in a room whose games may be rated
 * @property {Mark | null} takeBack the seat whose player asks to take back a move
 * @property {import("./protocol.js").ByMark<number> | null} hints how many each of two people has taken in the game
 */

/**
 * The presence that a message tells.
 *
 * @param {import("./protocol.js").Presence} message
 * @param {number} at when it arrived
 * @returns {Presence}
 */
export function presenceFrom({ x, o, spectators, rematch, series, ratings, hints, take_back }, at) {
  const rest = { rematch: rematch ?? null, series: series ?? null, ratings: ratings ?? null, hints: hints ?? null, takeBack: take_back ?? null };
  return { x: seatPresence(x, at), o: seatPresence(o, at), spectators, ...rest };
}

/**
 * @param {import("./protocol.js").SeatPresence | null} seat @param {number} at
 * @returns {SeatPresence | null}
 */
function seatPresence(seat, at) {
  if (!seat) {
    return null;
  }
  const left = seat.state === "away" ? seat.claim_in_ms : 0;
  return { state: seat.state, claimAt: seat.state === "connected" ? null : at + left };
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
  const series = rematch && presence.series;
  const rating = (/** @type {Mark | undefined} */ mark) => (mark && presence.ratings?.[mark]) ?? null;
  const ratings = presence.ratings && { ...presence.ratings, x: rating(previous("x")), o: rating(previous("o")) };
  return { ...presence, x: of(previous("x")), o: of(previous("o")), rematch, series, ratings, takeBack: null };
}

/** The ratings when the next game begins. @param {Presence["ratings"]} ratings @returns {Presence["ratings"]} */
export function ratingsAtStart(ratings) {
  const at = (/** @type {Mark} */ mark) => ratings?.[mark] && { ...ratings[mark], before: null };
  return ratings && { ...ratings, x: at("x") ?? null, o: at("o") ?? null };
}

/** @param {Presence} one @param {Presence} another @returns {boolean} */
export const isSamePresence = (one, another) => JSON.stringify(one) === JSON.stringify(another);

/** Whether the player of a mark has taken a hint in between. @param {Presence} before @param {Presence} now @param {Mark} mark */
export const tookHint = (before, now, mark) => (now.hints?.[mark] ?? 0) > (before.hints?.[mark] ?? 0);

/**
 * Whether people are told about a change: a player went away or came back, a rematch is offered or no
 * longer, a rating is another one.
 *
 * @param {Presence} before @param {Presence} now
 */
export const isNews = (before, now) =>
  before.rematch !== now.rematch ||
  before.takeBack !== now.takeBack ||
  before.series?.first_to !== now.series?.first_to ||
  (now.ratings !== null && JSON.stringify(before.ratings) !== JSON.stringify(now.ratings)) ||
  MARKS.some((mark) => tookHint(before, now, mark)) ||
  MARKS.some((mark) => now[mark] && now[mark].state !== (before[mark]?.state ?? "connected"));
