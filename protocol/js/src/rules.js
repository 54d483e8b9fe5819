// The page's knowledge of a game: whose turn it is, the position after n moves, the moves that the
// server allows next, the names of cells. It knows no rules: a move's consequences are told. Pure.
// @ts-check

import { LONG_MOVE_MS } from "./generated/constants.js";

/** @typedef {import("./protocol.js").Mark} Mark */
/** @typedef {import("./protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("./protocol.js").ClientMessage} ClientMessage */
/** @typedef {import("./room.js").Game} Game */
/** @typedef {import("./protocol.js").WinningLine} WinningLine */
/** @typedef {import("./room.js").Room} Room */
/**
 * The part of the page's state, or of the core's session, that has the room.
 *
 * @typedef {{room: (Room & {closed?: string | null}) | null, unanswered: readonly ClientMessage[]}} InRoom
 */

/** Both marks, X first. @type {readonly Mark[]} */
export const MARKS = Object.freeze(["x", "o"]);

/** Boards with at most 9 cells have numbers, one key each. Larger boards have coordinates. */
const NUMBERED = 9;

/**
 * @param {Mark} mark
 * @returns {Mark}
 */
export const other = (mark) => (mark === "x" ? "o" : "x");

/**
 * @param {BoardSpec} board
 */
export const cellCount = (board) => board.width * board.height;

/**
 * Why a cell takes no mark of either side, as one of the server's refusal codes, or null.
 * @param {BoardSpec} board
 * @param {Game | null} game
 * @param {number} cell
 * @returns {null | "no_such_cell" | "cell_taken" | "not_playable"}
 */
export function check(board, game, cell) {
  if (!Number.isInteger(cell) || cell < 0 || cell >= cellCount(board)) return "no_such_cell";
  if (marksAfter(board, game)[cell]) return "cell_taken";
  return game?.playable?.cells?.includes(cell) === false ? "not_playable" : null;
}

/**
 * The cell that a tap plays. In `gravity` a tap anywhere in a column plays the column's free cell.
 * @param {{settings: import("./protocol.js").RoomSettings, game: Game | null}} room
 * @param {number} cell
 */
export function landing({ settings: { variant, board }, game }, cell) {
  if (variant !== "gravity" || !game) return cell;
  const column = Array.from({ length: board.height }, (_, row) => row * board.width + (cell % board.width));
  return column.findLast((one) => check(board, game, one) === null) ?? cell;
}

/**
 * The id of the player on a seat; null for an open seat and for a computer.
 * @param {import("./protocol.js").Seat} seat
 */
export const playerOf = (seat) => (seat.kind === "human" ? seat.player : null);

/**
 * The marks that a player plays: none for a spectator, both at one screen.
 * @param {import("./protocol.js").ByMark<import("./protocol.js").Seat>} seats
 * @param {string | null} player
 */
export const marksOf = (seats, player) =>
  MARKS.filter((mark) => player !== null && playerOf(seats[mark]) === player);

/**
 * Whether the cells have the numbers 1 to 9.
 * @param {BoardSpec} board
 */
export const isNumbered = (board) => cellCount(board) <= NUMBERED;

/**
 * Row and column of a cell, counted from 1.
 * @param {BoardSpec} board
 * @param {number} cell
 */
export const position = (board, cell) => ({
  row: Math.floor(cell / board.width) + 1,
  column: (cell % board.width) + 1,
});

/**
 * The column's letter and the row's number: `b2`.
 * @param {BoardSpec} board
 * @param {number} cell
 */
export function coordinates(board, cell) {
  const { row, column } = position(board, cell);
  return columnName(column) + row;
}

/**
 * The letter of a column, counted from 1.
 * @param {number} column
 */
export const columnName = (column) => String.fromCharCode(96 + column);

/**
 * The name of a cell, the same in every place: its number on a numbered board, else its coordinates.
 * @param {BoardSpec} board
 * @param {number} cell
 */
export const cellName = (board, cell) =>
  isNumbered(board) ? String(cell + 1) : coordinates(board, cell);

/**
 * The side that moves after `ply` moves.
 * @param {Mark} first
 * @param {number} ply
 * @returns {Mark}
 */
export const markAt = (first, ply) => (ply % 2 === 0 ? first : other(first));

/**
 * The mark that a move placed.
 * @param {Pick<Game, "first" | "placed">} game
 * @param {number} ply the number of moves before it
 */
export const markPlaced = ({ first, placed }, ply) => placed?.[ply] ?? markAt(first, ply);

/**
 * The mark on each cell after the first `plies` moves of a game.
 * @param {BoardSpec} board
 * @param {Pick<Game, "first" | "moves" | "placed" | "effects"> | null} game
 * @param {number} [plies] all moves by default
 * @returns {(Mark | null)[]}
 */
export function marksAfter(board, game, plies = game ? game.moves.length : 0) {
  /** @type {(Mark | null)[]} */
  const marks = new Array(cellCount(board)).fill(null);
  const removed = new Map(game?.effects?.map((effect) => [effect.ply, effect.removed]));
  game?.moves.slice(0, plies).forEach((cell, ply) => {
    marks[removed.get(ply) ?? cell] = null;
    marks[cell] = markPlaced(game, ply);
  });
  return marks;
}

/**
 * The boards that the first `plies` moves of a game have decided.
 * @param {Pick<Game, "effects">} game
 * @param {number} plies
 */
export const decidedAfter = ({ effects }, plies) =>
  (effects ?? []).flatMap(({ ply, decided }) => (decided && ply < plies ? [decided] : []));

/**
 * @param {Room} room
 */
export const isRunning = (room) => room.game !== null && room.game.result === null;

/**
 * Whether the last game is over.
 * @param {Room} room
 */
export const isOver = (room) => room.game !== null && room.game.result !== null;

/**
 * The review of the current game, if it has arrived.
 * @param {Room} room
 */
export const reviewOf = (room) => (room.review?.game === room.game?.number ? room.review : null);

/**
 * The side of the next move. In an opening another seat may have to act.
 * @param {Game} game
 */
export const nextMark = (game) => markAt(game.first, game.moves.length);

/**
 * The marks that the next move may place.
 * @param {Game} game
 * @returns {readonly Mark[]}
 */
export const inksOf = (game) => game.playable?.marks ?? [nextMark(game)];

/**
 * The mark that the next move places: the wanted one if it may, else the own one if it may.
 * @param {Game} game
 * @param {Mark | null} [wanted]
 */
export function inkFor(game, wanted) {
  const inks = inksOf(game);
  return [wanted, nextMark(game)].find((mark) => mark && inks.includes(mark)) ?? inks[0];
}

/**
 * The seat that has to act: the mark to move, or in an opening the seat that places or chooses.
 * @param {Room} room
 * @returns {Mark | null} null while no game runs
 */
export function turn(room) {
  const game = room.game;
  if (!game || game.result) return null;
  return game.opening ? game.opening.by : nextMark(game);
}

/**
 * @param {Room} room
 */
export function isMyTurn(room) {
  const mark = turn(room);
  return mark !== null && room.you.includes(mark);
}

/**
 * The viewer's move or choice that is on its way to the board, or null.
 * @param {InRoom} state
 * @returns {{cell: number, mark: Mark} | {choice: import("./protocol.js").OpeningChoice} | null}
 */
export function sentMove({ room, unanswered }) {
  const game = room?.game;
  if (!game || game.result || room.closed) return null;
  for (const message of unanswered) {
    const here = "game" in message && "room" in message && message.room === room.code && message.game === game.number;
    if (here && message.type === "play" && message.ply === game.moves.length) {
      return { cell: message.cell, mark: inkFor(game, message.placed) };
    }
    if (here && message.type === "choose" && game.opening?.state === "choosing") {
      return { choice: message.choice };
    }
  }
  return null;
}

/**
 * @param {InRoom} state
 */
export const isSending = (state) => sentMove(state) !== null;

/**
 * The choice of a side that the viewer has to make in an opening, or null.
 * @param {Room} room
 */
export function myChoice(room) {
  const opening = isRunning(room) ? room.game?.opening : null;
  const due = opening?.state === "choosing" && room.you.includes(opening.by);
  return due ? { mayAdd: opening.may_add } : null;
}

/** Whether the host of the party has stopped the clock. @param {Room} room */
export const isStopped = ({ standsAt }) => typeof standsAt === "number";

/**
 * Why a cell cannot be played now, as one of the server's refusal codes, or null.
 * @param {InRoom} state
 * @param {number} cell
 * @returns {null | "not_seated" | "not_now" | "game_over" | "no_such_cell" | "cell_taken" |
 *   "not_playable" | "not_your_turn" | "choose_first" | "sending"}
 */
export function whyNot(state, cell) {
  const { room } = state;
  const game = room?.game;
  if (!room || room.you.length === 0) return "not_seated";
  if (!game) return "not_now";
  if (game.result) return "game_over";
  const illegal = check(room.settings.board, game, cell);
  if (illegal === "no_such_cell") return illegal;
  if (!isMyTurn(room)) return "not_your_turn";
  if (isStopped(room)) return "not_now";
  if (myChoice(room)) return "choose_first";
  if (isSending(state)) return "sending";
  return illegal;
}

/**
 * The winning lines of a game.
 * @param {Game | null} game
 * @returns {readonly WinningLine[]}
 */
export const winningLines = (game) => (game?.result?.how === "line" ? game.result.lines : []);

/**
 * The winner; null for a draw and for a running game.
 * @param {Game | null} game
 * @returns {Mark | null}
 */
export function winner(game) {
  const result = game?.result;
  return result && "winner" in result ? result.winner : null;
}

/**
 * The opponent's mark, if the viewer has exactly one seat.
 * @param {Room} room
 * @returns {Mark | null}
 */
export const opponent = (room) => (room.you.length === 1 ? other(room.you[0]) : null);

/**
 * From when the opponent of a player who is away or gone may claim the game; null for others. Where a move may take
 * long, that is never before the clock has ended it: a move since the presence was told has set it anew.
 * @param {Room} room
 * @param {Mark} mark
 */
export function claimAt(room, mark) {
  const seat = hasGoneOn(room) ? null : room.presence[mark];
  const isLong = seat?.state === "away" && (room.settings.move_time_ms ?? 0) >= LONG_MOVE_MS;
  return isLong ? Math.max(seat.claimAt ?? 0, room.moveDeadline ?? 0) : (seat?.claimAt ?? null);
}

/** Whether the players have gone on to their next game of a party: they have not lost the connection. @param {Room} room */
export const hasGoneOn = (room) => isOver(room) && Boolean(room.settings.party);

/**
 * Whether a player is away or gone.
 * @param {Room} room
 * @param {Mark} mark
 */
export const isAway = (room, mark) => claimAt(room, mark) !== null;

/** Whether two people have the seats. @param {Pick<Room, "seats">} room */
export const hasTwoPeople = ({ seats: { x, o } }) => x.kind === "human" && o.kind === "human" && x.player !== o.player;

/** Whether players may ask for hints. @param {Room} room */
export const givesHints = (room) => room.settings.hints ?? !hasTwoPeople(room);

/**
 * Whether the viewer offers a rematch.
 * @param {Room} room
 */
export const iOffer = ({ presence, you }) =>
  presence.rematch !== null && you.includes(presence.rematch);

/**
 * Whether an opponent of the viewer offers a rematch.
 * @param {Room} room
 */
export const theyOffer = ({ presence, you }) =>
  presence.rematch !== null && !you.includes(presence.rematch);

/**
 * Whether the viewer decides how fast two computers play: they made the room.
 * @param {{room: Room | null}} state
 */
export const mayPace = ({ room }) =>
  room !== null && room.isMaker && MARKS.every((mark) => room.seats[mark].kind === "computer");
