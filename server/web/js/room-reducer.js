// The state of a room after each of its events, like `protocol/src/room.rs`. It adds what differs
// between viewers: which marks are ours, and countdowns as times of this page's clock. Pure.
// @ts-check

import { MARKS, cellCount, markAt, other } from "./rules.js";

/** @typedef {import("./protocol.js").Mark} Mark */
/** @typedef {import("./protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("./protocol.js").RoomEvent} RoomEvent */
/** @typedef {import("./protocol.js").Seat} Seat */
/** @typedef {import("./state.js").Room} Room */
/** @typedef {import("./state.js").Game} Game */

/**
 * The room that a snapshot describes.
 *
 * @param {import("./protocol.js").Snapshot} snapshot
 * @param {number} at when it arrived
 * @returns {Room | null} `null` where its moves break the rules
 */
export function roomFromSnapshot(snapshot, at) {
  const { settings, seats, game } = snapshot;
  if (game && !game.moves.every((cell, ply) => isFree(settings.board, game.moves, ply, cell))) {
    return null;
  }
  const left = snapshot.move_ms_left ?? null;
  return {
    code: snapshot.room,
    v: snapshot.v,
    settings,
    seats,
    score: snapshot.score,
    game: game && {
      number: game.number,
      first: game.first,
      moves: game.moves,
      result: game.result,
      opening: game.result ? null : (game.opening ?? null),
      settling: false,
    },
    offers: snapshot.offers,
    you: snapshot.you,
    names: null,
    spectators: snapshot.spectators,
    moveDeadline: left === null ? null : at + left,
    claimAt: { x: claimAt(seats.x, at), o: claimAt(seats.o, at) },
    hint: null,
    evaluation: null,
    review: null,
    sent: null,
    chosen: null,
    last: null,
    closed: null,
    desynced: "no",
  };
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
export function roomReducer(room, event, at, player) {
  const changed = change(room, event, at, player);
  return changed && { ...room, ...changed, v: room.v + 1, last: event };
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
      return seated(room, event.mark, event.seat, at, player);
    case "presence": {
      const seat = room.seats[event.mark];
      if (seat.kind !== "human") {
        return {};
      }
      return occupied(room, event.mark, { ...seat, presence: event.presence }, at);
    }
    case "game_started":
      return started(room, event, at);
    case "moved":
      return moved(room, event, at);
    case "opening":
      return opening(room, event, at);
    case "game_over":
      return over(room, event);
    case "rematch":
      return { offers: { ...room.offers, [event.mark]: event.offered } };
    case "closed":
      return { closed: event.reason, moveDeadline: null, sent: null, chosen: null };
    default:
      // A newer server may send a kind that this page does not know. It only counts as a version.
      return {};
  }
}

/**
 * @param {Room} room @param {Mark} mark @param {Seat} seat @param {number} at
 * @returns {{seats: Room["seats"], claimAt: Room["claimAt"]}}
 */
function occupied(room, mark, seat, at) {
  return {
    seats: { ...room.seats, [mark]: seat },
    claimAt: { ...room.claimAt, [mark]: claimAt(seat, at) },
  };
}

/**
 * @param {Room} room @param {Mark} mark @param {Seat} seat @param {number} at
 * @param {string | null} player
 * @returns {Partial<Room>}
 */
function seated(room, mark, seat, at, player) {
  const next = occupied(room, mark, seat, at);
  const mine = (/** @type {Mark} */ m) => {
    const there = next.seats[m];
    return there.kind === "human" && there.player === player;
  };
  return { ...next, you: MARKS.filter(mine) };
}

/**
 * @param {Room} room @param {RoomEvent & {kind: "game_started"}} event @param {number} at
 * @returns {Partial<Room>}
 */
function started(room, event, at) {
  const { game: number, first, score } = event;
  return {
    game: { number, first, moves: [], result: null, opening: null, settling: false },
    score,
    offers: { x: false, o: false },
    moveDeadline: moveDeadline(room, at),
    ...NEW_POSITION,
    review: null,
  };
}

/**
 * @param {Room} room @param {RoomEvent & {kind: "moved"}} event @param {number} at
 * @returns {Partial<Room> | null}
 */
function moved(room, event, at) {
  const { game } = room;
  if (!game || game.number !== event.game || game.result || game.settling) {
    return null;
  }
  const { board } = room.settings;
  const { ply, mark, cell } = event;
  const legal = ply === game.moves.length && mark === markAt(game.first, ply);
  if (!legal || !isFree(board, game.moves, ply, cell)) {
    return null;
  }
  const moves = [...game.moves, cell];
  const settling = completesLine(board, moves) || moves.length === cellCount(board);
  return {
    game: { ...game, moves, settling },
    moveDeadline: settling ? null : moveDeadline(room, at),
    ...NEW_POSITION,
  };
}

/**
 * @param {Room} room @param {RoomEvent & {kind: "opening"}} event @param {number} at
 * @returns {Partial<Room> | null}
 */
function opening(room, event, at) {
  const { game } = room;
  if (!game || game.number !== event.game) {
    return null;
  }
  const phase = event.phase.state === "done" ? null : event.phase;
  const next = {
    game: { ...game, opening: phase },
    moveDeadline: moveDeadline(room, at),
    chosen: null,
  };
  return event.swapped ? { ...next, ...swapped(room) } : next;
}

/**
 * The players swap seats. Each keeps the score.
 *
 * @param {Room} room
 * @returns {Partial<Room>}
 */
function swapped({ seats, score, offers, claimAt: claims, you, names }) {
  return {
    seats: { x: seats.o, o: seats.x },
    score: { x: score.o, o: score.x, draws: score.draws },
    offers: { x: offers.o, o: offers.x },
    claimAt: { x: claims.o, o: claims.x },
    you: [...you].reverse().map(other),
    names: names && { x: names.o, o: names.x },
  };
}

/**
 * @param {Room} room @param {RoomEvent & {kind: "game_over"}} event
 * @returns {Partial<Room> | null}
 */
function over(room, event) {
  const { game } = room;
  if (!game || game.number !== event.game) {
    return null;
  }
  return {
    game: { ...game, result: event.result, opening: null, settling: false },
    score: event.score,
    moveDeadline: null,
    ...NEW_POSITION,
  };
}

/** Clears what is about the previous position. */
const NEW_POSITION = Object.freeze({ hint: null, evaluation: null, sent: null, chosen: null });

/** @param {Room} room @param {number} at @returns {number | null} */
function moveDeadline(room, at) {
  const limit = room.settings.move_time_ms;
  return limit === null || limit === undefined ? null : at + limit;
}

/** @param {Seat} seat @param {number} at @returns {number | null} */
function claimAt(seat, at) {
  if (seat.kind !== "human" || seat.presence.state === "connected") {
    return null;
  }
  return seat.presence.state === "away" ? at + seat.presence.claim_in_ms : at;
}

/**
 * Whether a cell is on the board and not taken by the first `ply` moves.
 *
 * @param {BoardSpec} board @param {readonly number[]} moves @param {number} ply
 * @param {number} cell
 */
function isFree(board, moves, ply, cell) {
  const taken = moves.indexOf(cell);
  return cell >= 0 && cell < cellCount(board) && (taken === -1 || taken >= ply);
}

/**
 * Whether the last of the moves completes a line.
 *
 * @param {BoardSpec} board @param {readonly number[]} moves
 */
function completesLine({ width, height, line }, moves) {
  const last = moves.length - 1;
  const own = new Set(moves.filter((_, ply) => ply % 2 === last % 2));
  const [column, row] = [moves[last] % width, Math.floor(moves[last] / width)];
  const run = (/** @type {number} */ dx, /** @type {number} */ dy) => {
    let [x, y, count] = [column + dx, row + dy, 0];
    while (x >= 0 && x < width && y >= 0 && y < height && own.has(y * width + x)) {
      [x, y, count] = [x + dx, y + dy, count + 1];
    }
    return count;
  };
  return [[1, 0], [0, 1], [1, 1], [1, -1]].some(
    ([dx, dy]) => 1 + run(dx, dy) + run(-dx, -dy) >= line,
  );
}
