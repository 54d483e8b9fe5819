// The interface of this package: `connect`, where a token is kept, and questions about a room.
// @ts-check

import { Client } from "./client.js";
import { parseCode } from "./protocol.js";
import { RefusedError } from "./promises.js";
import {
  MARKS, cellName, check, isMyTurn, isOver, isRunning, marksAfter, myChoice, other, turn, winner,
} from "./rules.js";
import { browserStore, fileStore, memoryStore } from "./store.js";

/** @typedef {import("./client.js").ClientEvent} ClientEvent */
/** @typedef {import("./client.js").ConnectOptions} ConnectOptions */
/** @typedef {import("./party.js").Party} Party */
/** @typedef {import("./protocol.js").Intent} Intent */
/** @typedef {import("./protocol.js").Mark} Mark */
/** @typedef {import("./protocol.js").RoomSummary} RoomSummary */
/** @typedef {import("./protocol.js").Seat} Seat */
/** @typedef {import("./protocol.js").ServerMessage} ServerMessage */
/** @typedef {import("./room.js").Game} Game */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./store.js").Store} Store */

/**
 * A client of a server. It connects at once, and again whenever the connection breaks.
 *
 * @param {string} url the server's address, such as `http://192.0.2.1:7333`
 * @param {ConnectOptions} [options]
 */
export function connect(url, options = {}) {
  return new Client(url, options);
}

/** The marks on the board, by cell. @param {import("./room.js").Room} room */
export function boardOf({ settings, game }) {
  return marksAfter(settings.board, game);
}

/**
 * The cells that may be played now, by either side.
 * @param {import("./room.js").Room} room
 * @returns {number[]}
 */
export function freeCells({ settings: { board }, game }) {
  const cells = Array.from({ length: board.width * board.height }, (_, cell) => cell);
  return cells.filter((cell) => check(board, game, cell) === null);
}

/** The name on a seat. @param {import("./protocol.js").Seat} seat */
export function nameOn(seat) {
  if (seat.kind === "open") return "nobody yet";
  return seat.kind === "human" ? seat.name : "computer";
}

export { Client, RefusedError, browserStore, fileStore, memoryStore };
export { MARKS, cellName, isMyTurn, isOver, isRunning, myChoice, other, parseCode, turn, winner };
