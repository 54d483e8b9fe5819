// The state of a room after each of its events, like `protocol/src/room.rs`. It adds what differs
// between viewers: which marks are ours, and countdowns as times of this device's clock. Pure.
// Presence is in `presence.js`.
// @ts-check

import { SILENCE } from "./chat.js";
import { presenceFrom, ratingsAtStart, withSeats } from "./presence.js";
import { check, isRunning, markAt, markPlaced, marksOf, other, playerOf, winner } from "./rules.js";

/** @typedef {import("./protocol.js").RoomEvent} RoomEvent */
/** @typedef {import("./protocol.js").Mark} Mark */

/**
 * @typedef {object} Game
 * @property {number} number 1 for the room's first game
 * @property {Mark} first who moved first
 * @property {readonly number[]} moves the cells played, in order; sides alternate from `first`
 * @property {readonly Mark[] | null} placed the mark of each move; null where each is its side's own
 * @property {readonly import("./protocol.js").PlyEffect[] | null} effects what moves led to beside their marks
 * @property {import("./protocol.js").Playable | null} playable what may be played next, as the server says
 * @property {import("./protocol.js").GameResult | null} result
 * @property {import("./protocol.js").OpeningPhase | null} opening the phase of a swap2 opening
 * @property {string | null} id the id of a game that is over and kept
 */

/**
 * @typedef {object} Room
 * @property {string} code
 * @property {number} v the number of facts so far
 * @property {import("./protocol.js").RoomSettings} settings
 * @property {import("./protocol.js").ByMark<import("./protocol.js").Seat>} seats
 * @property {string | null} maker the player who made the room
 * @property {boolean} isMaker whether that is us
 * @property {import("./protocol.js").Score} score
 * @property {import("./protocol.js").Series} series how many wins decide it
 * @property {import("./protocol.js").Pace} pace how fast two computers play
 * @property {Game | null} game the running game or the last one
 * @property {import("./presence.js").Presence} presence
 * @property {readonly Mark[]} you the marks we play: none for a spectator, both at one screen
 * @property {import("./session.js").Moment | null} moveDeadline when the time for the move ends
 * @property {number | null} standsAt the milliseconds on a clock that the host of the party has stopped
 * @property {{by: string | null, mark: Mark, wins: number} | null} streak who has won the last games in a row, since we came
 * @property {import("./protocol.js").HintReason | null} reason why the computer has made the last move
 * @property {import("./protocol.js").Strength | null} adjusted the computer's strength, if it has changed since
 *   the last move of its opponent
 * @property {import("./protocol.js").Hint | null} hint for the position on the board
 * @property {Mark | null} hinted who of two people has taken a hint for it
 * @property {import("./protocol.js").Evaluation | null} evaluation of the position on the board
 * @property {import("./protocol.js").Review | null} review the last review
 * @property {import("./chat.js").Chat} chat
 */

/** A series that no number of wins decides. @type {import("./protocol.js").Series} */
const OPEN = Object.freeze({ first_to: null });

/**
 * The room that a snapshot describes.
 *
 * @param {import("./protocol.js").Snapshot} snapshot
 * @param {number} at when it arrived
 * @param {string | null} player our player id
 * @returns {Room | null} `null` where its moves are impossible
 */
export function roomFromSnapshot(snapshot, at, player) {
  const { settings, seats } = snapshot;
  const game = snapshot.game && gameFrom(snapshot.game);
  const legal = (/** @type {number} */ cell, /** @type {number} */ ply) =>
    !check(settings.board, game && { ...game, moves: game.moves.slice(0, ply), playable: null }, cell);
  if (game && !game.moves.every(legal)) {
    return null;
  }
  const left = snapshot.move_ms_left ?? null;
  return {
    code: snapshot.room,
    v: snapshot.v,
    settings,
    maker: snapshot.maker ?? null,
    isMaker: player !== null && snapshot.maker === player,
    seats,
    score: snapshot.score,
    series: snapshot.series ?? OPEN,
    pace: snapshot.pace ?? "normal",
    game,
    presence: presenceFrom(snapshot.presence, at),
    you: marksOf(seats, player),
    ...clock(left, snapshot.clock_stopped ?? false, at),
    streak: null,
    reason: null,
    adjusted: null,
    hint: null,
    hinted: null,
    evaluation: null,
    review: null,
    chat: SILENCE,
  };
}

/** @param {import("./protocol.js").GameRecord} record @returns {Game} */
const gameFrom = ({ number, first, moves, placed, effects, playable, result, opening, id }) => ({
  number,
  first,
  moves,
  placed: placed ?? null,
  effects: effects ?? null,
  playable: playable ?? null,
  result,
  opening: result ? null : (opening ?? null),
  id: id ?? null,
});

/**
 * The room as a player sees it.
 *
 * @param {Room} room @param {string | null} player
 * @returns {Room} the same where nothing changes
 */
export function seenBy(room, player) {
  const isMaker = player !== null && room.maker === player;
  const you = marksOf(room.seats, player);
  return isMaker === room.isMaker && you.join() === room.you.join() ? room : { ...room, isMaker, you };
}

/**
 * The room with one more event.
 *
 * @param {Room} room
 * @param {RoomEvent} event
 * @param {number} at when it arrived
 * @param {string | null} player our player id
 * @returns {Room | null} `null` where the event is impossible
 */
export function applyEvent(room, event, at, player) {
  const changed = change(room, event, at, player);
  return changed && { ...room, ...changed, v: room.v + 1 };
}

/**
 * The fields that an event changes.
 *
 * @param {Room} room
 * @param {RoomEvent} event
 * @param {number} at
 * @param {string | null} player
 * @returns {Partial<Room> | null}
 */
function change(room, event, at, player) {
  switch (event.kind) {
    case "seated":
      return { ...seated(room, { ...room.seats, [event.mark]: event.seat }, player), ...adjusted(room, event) };
    case "game_started":
      return started(room, event, at);
    case "moved":
      return moved(room, event, at);
    case "taken_back":
      return takenBack(room, event, at);
    case "chosen":
      return chosen(room, event, at, player);
    case "game_over":
      return over(room, event);
    case "paced":
      return paced(room, event.pace, at);
    case "clock":
      return runningGame(room, event) && clock(event.move_ms_left, event.stopped ?? false, at);
    case "closed":
      return { moveDeadline: null, standsAt: null };
    default:
      // A newer server may send a kind that this page does not know. It only counts as a version.
      return {};
  }
}

/**
 * @param {Room} room @param {Room["seats"]} seats @param {string | null} player
 * @returns {Pick<Room, "seats" | "presence" | "you">}
 */
function seated(room, seats, player) {
  const presence = withSeats(room.presence, room.seats, seats);
  return { seats, presence, you: marksOf(seats, player) };
}

/**
 * A computer's seat is told again with another strength.
 *
 * @param {Room} room @param {RoomEvent & {kind: "seated"}} event
 * @returns {Partial<Room>}
 */
const adjusted = ({ seats }, { mark, seat }) =>
  seat.kind === "computer" && seats[mark].kind === "computer" ? { adjusted: seat.strength } : {};

/**
 * @param {Room} room @param {RoomEvent & {kind: "game_started"}} event @param {number} at
 * @returns {Partial<Room>}
 */
function started(room, event, at) {
  const { game: number, first, score, opening, playable, series } = event;
  return {
    game: gameFrom({ number, first, moves: [], playable, result: null, opening }),
    score,
    series: series ?? OPEN,
    presence: { ...room.presence, rematch: null, series: null, hints: null, takeBack: null, ratings: ratingsAtStart(room.presence.ratings) },
    reason: null,
    adjusted: null,
    moveDeadline: moveDeadline(room, at),
    ...NEW_POSITION,
  };
}

/**
 * @param {Room} room @param {RoomEvent & {kind: "moved"}} event @param {number} at
 * @returns {Partial<Room> | null}
 */
function moved(room, event, at) {
  const game = runningGame(room, event);
  if (!game) {
    return null;
  }
  const { ply, mark, cell, placed, effect, playable = null, over: end } = event;
  const isNext = ply === game.moves.length && mark === markAt(game.first, ply);
  if (!isNext || check(room.settings.board, game, cell)) {
    return null;
  }
  // Where some mark is not its side's own, a record has all of them.
  const isPlaced = game.placed || placed || game.playable?.marks || playable?.marks;
  const before = game.moves.map((_, at) => markPlaced(game, at));
  const next = {
    ...game,
    moves: [...game.moves, cell],
    placed: isPlaced ? [...before, placed ?? mark] : null,
    effects: effect ? [...(game.effects ?? []), { ply, ...effect }] : game.effects,
    playable,
    opening: event.opening ?? game.opening,
  };
  const after = end ? ended(room, next, end) : { game: next, moveDeadline: moveDeadline(room, at) };
  const byComputer = room.seats[mark].kind === "computer";
  return { ...after, ...newPosition(room), reason: event.reason ?? null, adjusted: byComputer ? room.adjusted : null };
}

/**
 * @param {Room} room @param {RoomEvent & {kind: "taken_back"}} event @param {number} at
 * @returns {Partial<Room> | null}
 */
function takenBack(room, event, at) {
  const game = runningGame(room, event);
  const { ply, playable = null } = event;
  if (!game || ply >= game.moves.length) {
    return null;
  }
  const { moves, placed, effects } = game;
  const before = {
    ...game,
    moves: moves.slice(0, ply),
    placed: placed && placed.slice(0, ply),
    effects: effects && effects.filter((effect) => effect.ply < ply),
    playable,
  };
  return { game: before, moveDeadline: moveDeadline(room, at), reason: null, ...newPosition(room) };
}

/** Clears what is about the previous position. @param {Room} room @returns {Partial<Room>} */
const newPosition = ({ presence }) => ({ presence: presence.takeBack ? { ...presence, takeBack: null } : presence, ...NEW_POSITION });

/**
 * @param {Room} room @param {RoomEvent & {kind: "chosen"}} event @param {number} at
 * @param {string | null} player
 * @returns {Partial<Room> | null}
 */
function chosen(room, event, at, player) {
  const game = runningGame(room, event);
  if (!game) {
    return null;
  }
  const { opening = null, seats, score } = event;
  return {
    game: { ...game, opening },
    score,
    ...seated(room, seats, player),
    moveDeadline: moveDeadline(room, at),
  };
}

/**
 * @param {Room} room @param {RoomEvent & {kind: "game_over"}} event
 * @returns {Partial<Room> | null}
 */
function over(room, event) {
  const game = runningGame(room, event);
  return game && { ...ended(room, game, event), ...newPosition(room) };
}

/**
 * @param {Room} room @param {Game} game @param {import("./protocol.js").GameEnd} end
 * @returns {Partial<Room>}
 */
function ended(room, game, { result, score, id = null }) {
  const after = { ...game, playable: null, result, opening: null, id };
  return { game: after, score, moveDeadline: null, standsAt: null, streak: streakAfter(room, winner(after)) };
}

/** @param {Room} room @param {Mark | null} mark of the winner @returns {Room["streak"]} */
function streakAfter({ seats, streak }, mark) {
  if (!mark) return null;
  const by = playerOf(seats[mark]);
  const isSame = streak?.by === by && (streak.mark === mark || playerOf(seats[other(mark)]) !== by);
  return { by, mark, wins: isSame ? streak.wins + 1 : 1 };
}

/**
 * @param {Room} room @param {Room["pace"]} pace @param {number} at
 * @returns {Partial<Room>}
 */
function paced(room, pace, at) {
  return { pace, moveDeadline: isRunning(room) ? moveDeadline({ ...room, pace }, at) : null };
}

/** Clears what is about the previous position. */
const NEW_POSITION = Object.freeze({ hint: null, hinted: null, evaluation: null });

/**
 * The running game, if the event is about it.
 *
 * @param {Room} room @param {{game: number}} event
 */
const runningGame = ({ game }, event) =>
  game?.number === event.game && !game.result ? game : null;

/**
 * Whether a message is about the position on the board.
 *
 * @param {Room} room @param {{game: number, ply: number}} message
 */
export const isAt = ({ game }, { game: number, ply }) =>
  game !== null && game.number === number && game.moves.length === ply && !game.result;

/** @param {Room} room @param {number} at @returns {number | null} */
function moveDeadline(room, at) {
  const limit = room.settings.move_time_ms;
  // Paused computers have no clock.
  return typeof limit !== "number" || room.pace === "paused" ? null : at + limit;
}

/**
 * A clock that runs, or stands with so many milliseconds.
 *
 * @param {number | null} left @param {boolean} stopped @param {number} at
 * @returns {Pick<Room, "moveDeadline" | "standsAt">}
 */
const clock = (left, stopped, at) =>
  ({ moveDeadline: stopped || left === null ? null : at + left, standsAt: stopped ? left : null });
