// The rooms in which the player may have a seat: which ones are remembered, and what is kept of each, as the player
// has seen it last. Pure. Their texts are in `screens/welcome.js`.
// @ts-check

import { isMyTurn, opponent } from "../client/rules.js";
import { STRENGTHS } from "../strengths.js";

/** @typedef {import("../client/room.js").Room} Room */
/** @typedef {import("../client/protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("../client/protocol.js").Computer} Computer */

/**
 * @typedef {object} KnownRoom
 * @property {string} code
 * @property {{board: BoardSpec, variant?: import("../client/protocol.js").Variant}} [game] earlier versions of the page stored the code alone
 * @property {{kind: "human", name: string} | {kind: "open"} | ({kind: "computer"} & Computer)} [foe] none for two players at one screen
 * @property {boolean} [turn] whether it was the player's turn
 */

/** So many rooms are remembered. */
export const MOST_ROOMS = 4;

/** @param {Room} room @returns {KnownRoom} */
function knownFrom(room) {
  const { code, settings: { board, variant } } = room;
  const mark = opponent(room);
  const seat = mark && room.seats[mark];
  const foe = seat?.kind === "human" ? { kind: seat.kind, name: seat.name } : (seat ?? undefined);
  return { code, game: { board, variant }, foe, turn: isMyTurn(room) };
}

/** @param {readonly KnownRoom[]} rooms @param {string} code */
export const without = (rooms, code) => rooms.filter((room) => room.code !== code);

/** @param {readonly KnownRoom[]} rooms @param {string} code */
export const isKnown = (rooms, code) => rooms.some((room) => room.code === code);

/**
 * The rooms with another one in front. One more than the most are kept where people wait in all the others.
 *
 * @param {KnownRoom} room @param {readonly KnownRoom[]} others
 */
function withRoom(room, others) {
  const people = others.filter(isWithPeople);
  const most = Math.max(MOST_ROOMS - 1, isWithPeople(room) ? 0 : people.length);
  const kept = [...people, ...others.filter((one) => !isWithPeople(one))].slice(0, most);
  return [room, ...others.filter((one) => kept.includes(one))];
}

/** @param {KnownRoom} room */
const isWithPeople = ({ foe }) => foe?.kind === "human" || foe?.kind === "open";

/**
 * The rooms that the start page offers to return to, after a change of the room that the player is in.
 *
 * @param {readonly KnownRoom[]} rooms @param {Room | null} room @param {Room | null} was the room before
 * @returns {readonly KnownRoom[]} the same where nothing changed
 */
export function roomsAfter(rooms, room, was) {
  const code = (room ?? was)?.code;
  if (room === was || !code) return rooms;
  const others = without(rooms, code);
  // After a game of a party its player goes back to the party.
  const seated = room !== null && room.you.length > 0 && !(room.settings.party && room.game?.result);
  if (!seated) return others.length < rooms.length ? others : rooms;
  const known = knownFrom(room);
  return JSON.stringify(known) === JSON.stringify(rooms[0]) ? rooms : withRoom(known, others);
}

/**
 * What the browser has stored.
 *
 * @param {unknown} stored
 * @returns {KnownRoom[]}
 */
export const roomsFrom = (stored) =>
  (Array.isArray(stored) ? stored : []).slice(0, 2 * MOST_ROOMS).flatMap((one) => {
    const { code, ...facts } = typeof one === "string" ? { code: one } : Object(one);
    if (typeof code !== "string" || code === "") return [];
    return [isReadable(facts) ? { code, ...facts } : { code }];
  });

/** @param {any} facts */
function isReadable({ game, foe }) {
  const { board, variant = "line" } = Object(game);
  const { width, height, line } = Object(board);
  return [width, height, line].every(Number.isInteger) && typeof variant === "string" && (!foe || isFoe(foe));
}

/** @param {any} foe */
function isFoe({ kind, name, strategy, strength }) {
  if (kind === "computer") return typeof strategy === "string" && STRENGTHS.includes(strength);
  return kind === "open" || (kind === "human" && typeof name === "string");
}
