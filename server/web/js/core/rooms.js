// The rooms in which the player may have a seat: which ones are remembered, and what is kept of each, as the player
// has seen it last. Pure. Their texts are in `views/summary.js`.
// @ts-check

import { isMyTurn, isOver, isRunning, opponent } from "../client/rules.js";
import { STRENGTHS } from "../strengths.js";

/** @typedef {import("../client/room.js").Room} Room */
/** @typedef {import("../client/protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("../client/protocol.js").Computer} Computer */

/**
 * @typedef {object} KnownRoom
 * @property {string} code
 * @property {{board: BoardSpec, variant?: import("../client/protocol.js").Variant}} [game] earlier versions of the page stored the code alone
 * @property {{kind: "human", name: string} | {kind: "open"} | ({kind: "computer"} & Computer)} [foe] none for two players at one screen
 * @property {"turn" | "runs" | "over"} [stands] how its game stood: at the player's turn, at another one, at its end
 */

/** So many rooms are remembered, and those with a computer among the first few of them. */
const MOST_ROOMS = 12;
const MOST_WITH_COMPUTERS = 4;

/** @param {Room} room @returns {KnownRoom} */
function knownFrom(room) {
  const { code, settings: { board, variant } } = room;
  const mark = opponent(room);
  const seat = mark && room.seats[mark];
  const foe = seat?.kind === "human" ? { kind: seat.kind, name: seat.name } : (seat ?? undefined);
  return { code, game: { board, variant }, foe, stands: standingOf(room) };
}

/** @param {Room} room @returns {KnownRoom["stands"]} none before the first game */
const standingOf = (room) => (isOver(room) ? "over" : isMyTurn(room) ? "turn" : isRunning(room) ? "runs" : undefined);

/** The running games first, those that are over last. @type {readonly KnownRoom["stands"][]} */
const STANDINGS = ["turn", "runs", undefined, "over"];

/** The rooms as the start page lists them, without games against a computer that are over. @param {readonly KnownRoom[]} rooms */
export const inOrder = (rooms) =>
  rooms.filter(({ stands, foe }) => stands !== "over" || foe?.kind !== "computer").sort((one, other) => STANDINGS.indexOf(one.stands) - STANDINGS.indexOf(other.stands));

/** @param {readonly KnownRoom[]} rooms @param {string} code */
export const without = (rooms, code) => rooms.filter((room) => room.code !== code);

/** @param {readonly KnownRoom[]} rooms @param {string} code */
export const isKnown = (rooms, code) => rooms.some((room) => room.code === code);

/**
 * The rooms with another one in front. Of too many the games that are over leave first, then those with a computer.
 *
 * @param {KnownRoom} room @param {readonly KnownRoom[]} others
 */
function withRoom(room, others) {
  const rank = (/** @type {KnownRoom} */ one) => Number(one.stands === "over") * 2 + Number(!isWithPeople(one));
  const ranked = [...others].sort((one, other) => rank(one) - rank(other));
  return [room, ...ranked.filter((one, at) => at + 1 < (isWithPeople(one) ? MOST_ROOMS : MOST_WITH_COMPUTERS))];
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
 * Reads what the browser has stored. A room whose facts are spoilt keeps its code alone.
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

/** Whether texts can be made of it. @param {any} facts */
const isReadable = ({ game, foe }) =>
  Number.isInteger(game?.board?.width * game?.board?.height * game?.board?.line) &&
  (!foe || foe.kind === "open" || (foe.kind === "human" ? typeof foe.name === "string" : STRENGTHS.includes(foe.strength)));
