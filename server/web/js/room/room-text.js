// Names and small texts about a room: marks, players, cells, lines, times. Pure.
// @ts-check

import { computerName } from "../computer-text.js";
import { MARKS, cellName, coordinates, markAt, markPlaced } from "../client/rules.js";
import { strings } from "../strings.js";
import { sharesMarks } from "../variant-text.js";

/** @typedef {import("../client/protocol.js").Mark} Mark */
/** @typedef {import("../client/protocol.js").WinningLine} WinningLine */
/** @typedef {import("../client/protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("../core/state.js").Room} Room */

/** Letters that are read from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufefc]/;

/** A name apart from the sentence around it, where it is read from right to left. @param {string} name */
export const isolated = (name) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** @param {Mark} mark */
export const markLetter = (mark) => mark.toUpperCase();

/**
 * The name of a mark's player. It is the mark itself for an open seat, and a number for a player without
 * a name at a shared screen.
 * @param {Room} room
 * @param {Mark} mark
 */
export function playerName(room, mark) {
  const seat = room.seats[mark];
  if (seat.kind === "open") return markLetter(mark);
  if (room.you.length === 2) return room.names?.[mark] || strings(`room.player.${mark}`);
  return seat.kind === "human" ? seat.name : computerName(seat, room.settings);
}

/** Whether two players at one screen have no names. @param {Room} room */
export const isNameless = ({ you, names }) => you.length === 2 && MARKS.every((mark) => !names?.[mark]);

/** @param {Room} room */
export const isExhibition = ({ seats }) => MARKS.every((mark) => seats[mark].kind === "computer");

/**
 * The name of a mark's player in a headline: the side for two computers and for two players without names.
 * @param {Room} room @param {Mark} mark
 */
export function headlineName(room, mark) {
  if (!isExhibition(room) && !isNameless(room)) return isolated(playerName(room, mark));
  return sharesMarks(room.settings.variant) ? strings(`room.player.${mark}`) : markLetter(mark);
}

/**
 * A side in a sentence: its mark, or its player where both place the same marks.
 * @param {Room} room @param {Mark} mark
 */
export const sideName = (room, mark) =>
  sharesMarks(room.settings.variant) ? headlineName(room, mark) : markLetter(mark);

/**
 * The last part of a key with one text for "you" and one for others.
 * @param {Room} room
 * @param {Mark} mark
 */
export const youOrOther = (room, mark) => (room.you.length === 1 && room.you[0] === mark ? "you" : "other");

/**
 * A sentence about the player of a mark.
 * @param {Room} room
 * @param {string} key has a text for `you` and one for `other`
 * @param {Mark} mark
 * @param {Record<string, string | number>} [params]
 */
export const sentenceAbout = (room, key, mark, params) =>
  strings(`${key}.${youOrOther(room, mark)}`, {
    name: playerName(room, mark),
    mark: markLetter(mark),
    ...params,
  });

/**
 * @param {BoardSpec} board
 * @param {WinningLine} line
 */
export function lineName(board, line) {
  if (line.kind === "row" || line.kind === "column") {
    return strings(`room.line.${line.kind}`, { number: line.number });
  }
  if (line.kind === "boards") {
    return strings("room.line.boards", { boards: joinList(line.boards.map((at) => String(at + 1))) });
  }
  if (line.kind !== "stretch" && line.kind !== "cube") return strings("room.line.diagonal");
  const from = coordinates(board, line.from);
  const to = coordinates(board, line.to);
  return strings(`room.line.${line.kind === "cube" ? "cube" : line.direction}`, { from, to });
}

/** A list: "a, b and c". @param {string[]} items */
export function joinList(items) {
  if (items.length < 2) return items.join("");
  return items.slice(0, -1).join(", ") + strings("room.and") + items[items.length - 1];
}

/**
 * A cell, with the mark for it where that is said: "O on g7".
 * @param {string} cell
 * @param {Mark | null} [placed]
 */
export const withMark = (cell, placed) => (placed ? strings("room.placed", { mark: markLetter(placed), cell }) : cell);

/**
 * The last move: "X took g7.", or "Ada put O on g7." where a mark may be anybody's.
 * @param {Room} room with a game that has a move
 */
export function lastMoveText(room) {
  const { game, settings: { board } } = room;
  if (!game || game.moves.length === 0) return "";
  const ply = game.moves.length - 1;
  const mark = markAt(game.first, ply);
  const cell = cellName(board, game.moves[ply]);
  if (!game.placed) return strings("room.took", { mark: markLetter(mark), cell });
  return sentenceAbout(room, "room.put", mark, { name: headlineName(room, mark), placed: withMark(cell, markPlaced(game, ply)) });
}

/**
 * Minutes and seconds, rounded up: 0:00 means that the time is over.
 * @param {number} ms
 */
export function formatTime(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}
