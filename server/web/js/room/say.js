// What happens in a room, said in words: whose turn it is, how a game ended, what has just
// changed. Pure: from the state of a room to text by `t`; who shows it is status.js.
// @ts-check

import { computerName } from "../computer.js";
import { MARKS, coordinates, isOver, markAt, nextMark, other, position, turn } from "../rules.js";

/** @typedef {import("../protocol.js").Mark} Mark */
/** @typedef {import("../protocol.js").WinningLine} WinningLine */
/** @typedef {import("../protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("../protocol.js").GameResult} GameResult */
/** @typedef {import("../state.js").Room} Room */
/** @typedef {(key: string, params?: Record<string, string | number>) => string} T */

/**
 * A mark as people write it.
 * @param {Mark} mark
 */
export const letter = (mark) => mark.toUpperCase();

/**
 * What to call whoever plays a mark: a name, the computer, or the mark itself where nobody sits
 * there or where two share this screen and gave no name.
 * @param {T} t
 * @param {Room} room
 * @param {Mark} mark
 */
export function called(t, room, mark) {
  const seat = room.seats[mark];
  if (seat.kind === "open") return letter(mark);
  if (room.you.length === 2) return room.names?.[mark] || letter(mark);
  return seat.kind === "human" ? seat.name : computerName(t, seat);
}

/**
 * The key of a sentence about a mark: one for "you", one for everybody else.
 * @param {Room} room
 * @param {Mark} mark
 */
const person = (room, mark) => (room.you.length === 1 && room.you[0] === mark ? "you" : "other");

/**
 * A sentence about a mark.
 * @param {T} t
 * @param {Room} room
 * @param {string} key with one text for `you` and one for `other`
 * @param {Mark} mark
 * @param {Record<string, string | number>} [params]
 */
const about = (t, room, key, mark, params) =>
  t(`${key}.${person(room, mark)}`, { name: called(t, room, mark), mark: letter(mark), ...params });

/**
 * A cell: "row 2, column 3".
 * @param {T} t
 * @param {BoardSpec} board
 * @param {number} cell
 */
export const cellName = (t, board, cell) => t("room.cell", position(board, cell));

/**
 * A line that won, or might.
 * @param {T} t
 * @param {BoardSpec} board
 * @param {WinningLine} line
 */
export function lineName(t, board, line) {
  if (line.kind === "row" || line.kind === "column") {
    return t(`room.line.${line.kind}`, { number: line.number });
  }
  if (line.kind !== "stretch") return t(`room.line.${line.kind}`);
  const [from, to] = [coordinates(board, line.from), coordinates(board, line.to)];
  return t(`room.line.${line.direction}`, { from, to });
}

/**
 * Several things in a row: "a, b and c".
 * @param {T} t
 * @param {string[]} items
 * @param {string} [word] the key of the last joint
 * @param {string} [comma] between the others
 */
export function list(t, items, word = "room.and", comma = ", ") {
  if (items.length < 2) return items.join("");
  return items.slice(0, -1).join(comma) + t(word) + items[items.length - 1];
}

/**
 * How a game ended: "Ada wins with row 2.", "You win: Ben resigned."
 * @param {T} t
 * @param {Room} room
 * @param {GameResult} result
 */
export function resultText(t, room, result) {
  const winner = "winner" in result ? result.winner : null;
  if (!winner) return t(`room.draw.${result.how}`);
  const loser = called(t, room, other(winner));
  const lines = result.how === "line" ? result.lines : [];
  const named = list(
    t,
    lines.map((line) => lineName(t, room.settings.board, line)),
  );
  const lost = person(room, other(winner)) === "you";
  const side = person(room, winner) === "you" ? "won" : lost ? "lost" : "other";
  const left = result.how === "resignation" && room.seats[other(winner)].kind === "open";
  return t(`room.result.${left ? "left" : result.how}.${side}`, {
    winner: called(t, room, winner),
    loser,
    lines: named,
  });
}

/**
 * How things stand: whose turn it is, what the opening asks for, how the game ended.
 * @param {T} t
 * @param {Room} room
 */
export function standing(t, room) {
  if (room.closed) return t(`room.closed.${room.closed}`);
  const game = room.game;
  if (!game) return t(room.you.length > 0 ? "room.waiting" : "room.waiting.watch");
  if (game.result) return resultText(t, room, game.result);
  if (game.opening) return openingText(t, room, game.opening);
  const mark = turn(room);
  if (!mark) return t("room.settling");
  if (room.you.length === 2 && !room.names?.[mark]) {
    return t("room.turn.both", { mark: letter(mark) });
  }
  if (room.seats[mark].kind === "computer" && room.you.length === 1) return t("room.thinking");
  return about(t, room, "room.turn", mark);
}

/**
 * What an opening asks for, and of whom.
 * @param {T} t
 * @param {Room} room
 * @param {import("../protocol.js").OpeningPhase} phase
 */
function openingText(t, room, phase) {
  if (!room.game) return "";
  const next = letter(nextMark(room.game));
  if (phase.state === "choosing") return about(t, room, "room.opening.choose", phase.by);
  const three = phase.until_ply === 3;
  return about(t, room, three ? "room.opening.place" : "room.opening.add", phase.by, { next });
}

/**
 * What has changed between two states of a room, for the live region; "" for nothing.
 * @param {T} t
 * @param {Room | null} before
 * @param {Room} room
 */
export function changes(t, before, room) {
  if (!before || before.code !== room.code) return entered(t, room);
  const said = [...MARKS.flatMap((mark) => seatChange(t, before, room, mark))];
  const [old, game] = [before.game, room.game];
  if (game && old !== game) {
    const started = game.number !== old?.number;
    if (started) said.push(t("room.begins", { number: game.number }));
    if (!game.settling) said.push(standing(t, room));
    if (!started && game.moves.length > (old?.moves.length ?? 0)) said.push(lastMove(t, room));
  }
  if (isOver(room)) said.push(...MARKS.flatMap((mark) => offerChange(t, before, room, mark)));
  if (room.closed && !before.closed) said.push(standing(t, room));
  return said.join(" ");
}

/**
 * @param {T} t
 * @param {Room} room
 */
function entered(t, room) {
  const role = room.you.length === 1 ? [t("room.you.play", { mark: letter(room.you[0]) })] : [];
  const watch = room.you.length === 0 ? [watching(t, room)] : [];
  return [standing(t, room), ...role, ...watch].join(" ");
}

/**
 * Why the viewer has no seat, in words.
 * @param {T} t
 * @param {Room} room
 */
export function watching(t, room) {
  const kinds = MARKS.map((mark) => room.seats[mark].kind);
  if (kinds.includes("open")) return t("room.watching.open");
  return t(kinds.includes("human") ? "room.watching" : "room.watching.exhibition");
}

/**
 * The last move: "X took row 1, column 2."
 * @param {T} t
 * @param {Room} room with a game that has a move
 */
export function lastMove(t, room) {
  if (!room.game || room.game.moves.length === 0) return "";
  const ply = room.game.moves.length - 1;
  const cell = cellName(t, room.settings.board, room.game.moves[ply]);
  return t("room.took", { mark: letter(markAt(room.game.first, ply)), cell });
}

/**
 * @param {T} t
 * @param {Room} before
 * @param {Room} room
 * @param {Mark} mark
 * @returns {string[]}
 */
function seatChange(t, before, room, mark) {
  const [was, is] = [before.seats[mark], room.seats[mark]];
  if (was === is || room.you.includes(mark)) return [];
  if (is.kind === "open")
    return [t("room.left", { name: called(t, before, mark), mark: letter(mark) })];
  if (is.kind !== "human") return [];
  const across = before.seats[other(mark)];
  if (across.kind === "human" && across.player === is.player && before.you.length < 2) {
    return [t("room.plays", { name: is.name, mark: letter(mark) })];
  }
  if (was.kind !== "human" || was.player !== is.player) {
    return [t("room.joined", { name: is.name, mark: letter(mark) })];
  }
  if (was.presence.state === is.presence.state) return [];
  return [t(`room.presence.${is.presence.state}`, { name: is.name })];
}

/**
 * @param {T} t
 * @param {Room} before
 * @param {Room} room
 * @param {Mark} mark
 * @returns {string[]}
 */
function offerChange(t, before, room, mark) {
  if (before.offers[mark] === room.offers[mark]) return [];
  return [about(t, room, room.offers[mark] ? "room.offers" : "room.offers.back", mark)];
}

/**
 * Minutes and seconds, rounded up, so that 0:00 means that it is over.
 * @param {number} ms
 */
export function clock(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}
