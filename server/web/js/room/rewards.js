// A result's rewards: the change of the rating, wins in a row, the tally with this opponent. Pure.
// @ts-check

import { hasTwoPeople, isOver, opponent, playerOf } from "../client/rules.js";
import { strings } from "../strings.js";
import { ratingOf } from "./rating.js";
import { isolated, playerName } from "./room-text.js";

/** @typedef {import("../core/state.js").State} State */
/** @typedef {import("../core/state.js").Room} Room */

/** Fewer wins in a row are no streak. */
const STREAK = 2;

/** The few signs beside the headline: "+12", "3 wins in a row". @param {Room} room @returns {string[]} */
export function rewardsOf(room) {
  const [mark, second] = room.you;
  if (!isOver(room) || !mark || second) return [];
  const change = ratingOf(room, mark)?.[1];
  const wins = room.streak?.mark === mark ? room.streak.wins : 0;
  return [...(change ? [change] : []), ...(wins >= STREAK ? [strings("room.streak", { count: wins })] : [])];
}

/**
 * The question about the results against the opponent; null where two people do not play, or nothing is kept.
 *
 * @param {State & {room: Room}} state
 * @returns {(import("../client/protocol.js").Intent & {type: "profile"}) | null}
 */
export function tallyQuestion({ room, features }) {
  const foe = opponent(room);
  const player = foe && playerOf(room.seats[foe]);
  return player && features.history && hasTwoPeople(room) && !room.settings.party ? { type: "profile", player } : null;
}

/** "You and Ben: 12–9." once the server has told it, until one of them wants another game: that has its place. @param {State & {room: Room}} state */
export function tallyText(state) {
  const { room, questions } = state;
  const asked = tallyQuestion(state);
  const { message, found } = questions.profile ?? {};
  const isTold = asked && isOver(room) && message?.type === "profile" && message.player === asked.player;
  const you = isTold && found?.kind === "profile" ? found.profile.you : null;
  const foe = opponent(room);
  if (!you || !foe || room.presence.rematch) return "";
  const counts = [you.wins, you.losses, ...(you.draws > 0 ? [you.draws] : [])];
  return strings("room.tally", { name: isolated(playerName(room, foe)), tally: counts.join("–") });
}
