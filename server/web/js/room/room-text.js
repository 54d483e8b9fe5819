// Texts about a room: whose turn it is, how a game ended, what has changed. Pure. `status.js` shows
// them.
// @ts-check

import { computerName } from "../computer-text.js";
import { MARKS, coordinates, isOver, markAt, nextMark, other, playerOf, position } from "../rules.js";
import { strings } from "../strings.js";

/** @typedef {import("../protocol.js").Mark} Mark */
/** @typedef {import("../protocol.js").WinningLine} WinningLine */
/** @typedef {import("../protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("../protocol.js").GameResult} GameResult */
/** @typedef {import("../core/state.js").Room} Room */

/** @param {Mark} mark */
export const markLetter = (mark) => mark.toUpperCase();

/**
 * The name of a mark's player. It is the mark itself for an open seat, and for a player without a
 * name at a shared screen.
 * @param {Room} room
 * @param {Mark} mark
 */
export function playerName(room, mark) {
  const seat = room.seats[mark];
  if (seat.kind === "open") return markLetter(mark);
  if (room.you.length === 2) return room.names?.[mark] || markLetter(mark);
  return seat.kind === "human" ? seat.name : computerName(seat);
}

/**
 * The last part of a key with one text for "you" and one for others.
 * @param {Room} room
 * @param {Mark} mark
 */
const youOrOther = (room, mark) => (room.you.length === 1 && room.you[0] === mark ? "you" : "other");

/**
 * A sentence about the player of a mark.
 * @param {Room} room
 * @param {string} key has a text for `you` and one for `other`
 * @param {Mark} mark
 * @param {Record<string, string | number>} [params]
 */
const sentenceAbout = (room, key, mark, params) =>
  strings(`${key}.${youOrOther(room, mark)}`, {
    name: playerName(room, mark),
    mark: markLetter(mark),
    ...params,
  });

/**
 * A cell: "row 2, column 3".
 * @param {BoardSpec} board
 * @param {number} cell
 */
export const cellName = (board, cell) => strings("room.cell", position(board, cell));

/**
 * @param {BoardSpec} board
 * @param {WinningLine} line
 */
export function lineName(board, line) {
  if (line.kind === "row" || line.kind === "column") {
    return strings(`room.line.${line.kind}`, { number: line.number });
  }
  if (line.kind !== "stretch") return strings(`room.line.${line.kind}`);
  const [from, to] = [coordinates(board, line.from), coordinates(board, line.to)];
  return strings(`room.line.${line.direction}`, { from, to });
}

/**
 * A list: "a, b and c".
 * @param {string[]} items
 * @param {string} [word] the key of the last separator
 * @param {string} [comma] between the others
 */
export function joinList(items, word = "room.and", comma = ", ") {
  if (items.length < 2) return items.join("");
  return items.slice(0, -1).join(comma) + strings(word) + items[items.length - 1];
}

/**
 * How a game ended: "Ada wins with row 2.", "You win: Ben resigned."
 * @param {Room} room
 * @param {GameResult} result
 */
export function resultText(room, result) {
  const winner = "winner" in result ? result.winner : null;
  if (!winner) return strings(`room.draw.${result.how}`);
  const loser = playerName(room, other(winner));
  const lines = result.how === "line" ? result.lines : [];
  const named = joinList(lines.map((line) => lineName(room.settings.board, line)));
  const lost = youOrOther(room, other(winner)) === "you";
  const side = youOrOther(room, winner) === "you" ? "won" : lost ? "lost" : "other";
  const left = result.how === "resignation" && room.seats[other(winner)].kind === "open";
  return strings(`room.result.${left ? "left" : result.how}.${side}`, {
    winner: playerName(room, winner),
    loser,
    lines: named,
  });
}

/**
 * The status of the room: whose turn it is, what the opening needs, how the game ended.
 * @param {Room} room
 */
export function statusText(room) {
  if (room.closed) return strings(`room.closed.${room.closed}`);
  const game = room.game;
  if (!game) return strings(room.you.length > 0 ? "room.waiting" : "room.waiting.watch");
  if (game.result) return resultText(room, game.result);
  if (game.opening) return openingText(room, game.opening);
  const mark = nextMark(game);
  if (room.you.length === 2 && !room.names?.[mark]) {
    return strings("room.turn.both", { mark: markLetter(mark) });
  }
  if (room.seats[mark].kind === "computer" && room.you.length === 1) return strings("room.thinking");
  return sentenceAbout(room, "room.turn", mark);
}

/**
 * What the opening needs now.
 * @param {Room} room
 * @param {import("../protocol.js").OpeningPhase} phase
 */
function openingText(room, phase) {
  if (!room.game) return "";
  const next = markLetter(nextMark(room.game));
  if (phase.state === "choosing") return sentenceAbout(room, "room.opening.choose", phase.by);
  const three = phase.until_ply === 3;
  const key = three ? "room.opening.place" : "room.opening.add";
  return sentenceAbout(room, key, phase.by, { next });
}

/**
 * What has changed between two states of a room, for screen readers; "" for nothing.
 * @param {Room | null} before
 * @param {Room} room
 */
export function changesText(before, room) {
  if (!before || before.code !== room.code) return enteredText(room);
  const texts = MARKS.flatMap((mark) => [
    ...seatChange(before, room, mark),
    ...presenceChange(before, room, mark),
  ]);
  const [old, game] = [before.game, room.game];
  if (game && old !== game) {
    const started = game.number !== old?.number;
    if (started) texts.push(strings("room.begins", { number: game.number }));
    texts.push(statusText(room));
    const moved = game.moves.length > (old?.moves.length ?? 0);
    if (!started && moved) texts.push(lastMoveText(room));
  }
  if (isOver(room)) texts.push(...offerChange(before, room));
  if (room.closed && !before.closed) texts.push(statusText(room));
  return texts.join(" ");
}

/**
 * @param {Room} room
 */
function enteredText(room) {
  const [mark] = room.you;
  const seated = room.you.length === 1;
  const role = seated ? [strings("room.you.play", { mark: markLetter(mark) })] : [];
  const watch = room.you.length === 0 ? [spectatorText(room)] : [];
  return [statusText(room), ...role, ...watch].join(" ");
}

/**
 * What a spectator sees: two players, two computers or an open seat.
 * @param {Room} room
 */
export function spectatorText(room) {
  const kinds = MARKS.map((mark) => room.seats[mark].kind);
  if (kinds.includes("open")) return strings("room.watching.open");
  return strings(kinds.includes("human") ? "room.watching" : "room.watching.exhibition");
}

/**
 * The last move: "X took row 1, column 2."
 * @param {Room} room with a game that has a move
 */
export function lastMoveText(room) {
  if (!room.game || room.game.moves.length === 0) return "";
  const ply = room.game.moves.length - 1;
  const cell = cellName(room.settings.board, room.game.moves[ply]);
  return strings("room.took", { mark: markLetter(markAt(room.game.first, ply)), cell });
}

/**
 * @param {Room} before
 * @param {Room} room
 * @param {Mark} mark
 * @returns {string[]}
 */
function seatChange(before, room, mark) {
  const [was, is] = [before.seats[mark], room.seats[mark]];
  if (was === is || room.you.includes(mark)) return [];
  if (is.kind === "open" && was.kind !== "open")
    return [strings("room.left", { name: playerName(before, mark), mark: markLetter(mark) })];
  if (is.kind !== "human" || playerOf(was) === is.player) return [];
  const across = before.seats[other(mark)];
  if (across.kind === "human" && across.player === is.player && before.you.length < 2) {
    return [strings("room.plays", { name: is.name, mark: markLetter(mark) })];
  }
  return [strings("room.joined", { name: is.name, mark: markLetter(mark) })];
}

/**
 * A player who stays has lost the connection, is gone or is back.
 * @param {Room} before
 * @param {Room} room
 * @param {Mark} mark
 * @returns {string[]}
 */
function presenceChange(before, room, mark) {
  const seat = room.seats[mark];
  if (seat.kind !== "human" || room.you.includes(mark)) return [];
  const [was, is] = [before, room].map(({ presence }) => presence[mark]?.state ?? "connected");
  if (was === is || playerOf(before.seats[mark]) !== seat.player) return [];
  return [strings(`room.presence.${is}`, { name: seat.name })];
}

/**
 * A player offers a rematch, or a player who stays has taken the offer back.
 * @param {Room} before
 * @param {Room} room
 * @returns {string[]}
 */
function offerChange(before, room) {
  const [was, is] = [before.presence.rematch, room.presence.rematch];
  if (was === is) return [];
  if (is) return [sentenceAbout(room, "room.offers", is)];
  if (!was || playerOf(before.seats[was]) !== playerOf(room.seats[was])) return [];
  return [sentenceAbout(room, "room.offers.back", was)];
}

/**
 * Minutes and seconds, rounded up: 0:00 means that the time is over.
 * @param {number} ms
 */
export function formatTime(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}
