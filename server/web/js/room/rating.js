// The ratings of the players of a quick match: whether the game is rated, and what it has changed. Pure.
// @ts-check

import { isOver } from "../client/rules.js";
import { strings } from "../strings.js";

/** @typedef {import("../client/protocol.js").Mark} Mark */
/** @typedef {import("../core/state.js").Room} Room */

/** Whether the game is rated, in a word; "" in a room whose games are never rated. @param {Room} room */
export const ratedWord = ({ presence: { ratings } }) =>
  ratings ? strings(ratings.rated ? "room.rated" : "room.unrated") : "";

/** The same as a sentence. @param {Room} room */
export function ratedText(room) {
  const word = ratedWord(room);
  return word && `${word[0].toUpperCase()}${word.slice(1)}.`;
}

/**
 * A player's rating, with "?" while it is very uncertain, and its change by the last game.
 * @param {Room} room @param {Mark} mark
 * @returns {[string, string] | null}
 */
export function ratingOf({ presence: { ratings } }, mark) {
  const known = ratings?.[mark];
  if (!known) return null;
  const change = known.before == null ? "" : signed(known.rating - known.before);
  return [`${known.rating}${known.provisional ? "?" : ""}`, change];
}

/** @param {number} change */
const signed = (change) => (change < 0 ? `−${-change}` : `+${change}`);

/**
 * The words of a screen reader when the ratings come: a game is rated, or the viewer's new rating.
 * @param {Room} before @param {Room} room
 */
export function ratingChange(before, room) {
  const [was, is] = [before, room].map(({ presence }) => JSON.stringify(presence.ratings));
  if (was === is) return "";
  const [rating, change] = (isOver(room) && room.you.length === 1 && ratingOf(room, room.you[0])) || ["", ""];
  if (change) return strings("room.rating.new", { rating, change });
  return before.presence.ratings?.rated === room.presence.ratings?.rated ? "" : ratedText(room);
}
