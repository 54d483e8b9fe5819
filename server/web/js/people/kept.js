// Texts about kept games, and a kept game as a room, so that the parts of a room can show it. Pure.
// @ts-check

import { computerName } from "../computer-text.js";
import { markLetter } from "../room/room-text.js";
import { MARKS, marksOf, other } from "../client/rules.js";
import { strings } from "../strings.js";
import { sharesMarks } from "../variant-text.js";

/** @typedef {import("../client/protocol.js").ArchivedGame} ArchivedGame */
/** @typedef {import("../client/protocol.js").GameSummary} GameSummary */
/** @typedef {import("../client/protocol.js").Participant} Participant */
/** @typedef {import("../core/state.js").State} State */
/** @typedef {import("../core/state.js").Room} Room */

/** Whether a text may be the id of a game or a player. The server answers nothing else. @param {string} text */
export const isId = (text) => /^[0-9a-f]{16}$/.test(text);

/** @param {Participant} participant @param {GameSummary} [game] @returns {string} */
export function nameOf(participant, game) {
  if (participant.kind === "human") return participant.name;
  return participant.kind === "somebody" ? strings("people.somebody") : computerName(participant, game);
}

/** @param {Participant} participant */
const seatOf = (participant) =>
  participant.kind === "somebody"
    ? { kind: /** @type {const} */ ("human"), player: "", name: strings("people.somebody") }
    : participant;

/** @param {GameSummary} game */
export const winnerOf = ({ result }) => ("winner" in result ? result.winner : null);

/** The person against whom we played; `null` if there was none. @param {GameSummary} game @param {string | null | undefined} me our player id */
export function foeOf({ players }, me) {
  const mine = MARKS.find((mark) => isPlayer(players[mark], me));
  const foe = mine && players[other(mine)];
  return foe?.kind === "human" && foe.player !== me ? foe : null;
}

/** @param {Participant} one @param {string | null | undefined} player */
const isPlayer = (one, player) => one.kind === "human" && one.player === player;

/**
 * The result in a word: "Won" for one of its players, "X won" or "Ada won" for others.
 *
 * @param {GameSummary} game @param {string | null | undefined} side the id of a player
 */
export function outcomeText(game, side) {
  const winner = winnerOf(game);
  if (!winner) return strings("games.drawn");
  const mine = MARKS.filter((mark) => isPlayer(game.players[mark], side));
  if (mine.length !== 1) return strings("games.won.mark", { mark: sharesMarks(game.variant) ? nameOf(game.players[winner], game) : markLetter(winner) });
  return strings(mine[0] === winner ? "games.won" : "games.lost");
}

/**
 * A kept game as the parts of a room expect one: its last game is over, and nobody is there.
 *
 * @param {ArchivedGame} game
 * @param {string | null} me our player id
 * @param {(import("../client/protocol.js").Found & {kind: "review"}) | null} review
 * @returns {Room}
 */
export function roomOf({ summary, settings, first, moves, placed = null, effects = null }, me, review) {
  const { id, players, result } = summary;
  const seats = { x: seatOf(players.x), o: seatOf(players.o) };
  const room = {
    code: id,
    v: 0,
    settings,
    maker: null,
    isMaker: false,
    seats,
    score: { x: 0, o: 0, draws: 0 },
    series: { first_to: null },
    pace: "normal",
    game: { number: 1, first, moves, placed, effects, playable: null, result, opening: null, id },
    presence: { x: null, o: null, spectators: 0, rematch: null, series: null },
    you: marksOf(seats, me),
    moveDeadline: null,
    standsAt: null,
    hint: null,
    evaluation: null,
    review: review && { ...review, type: "review", room: id, game: 1 },
    chat: { lines: [], muted: [] },
    names: null,
    gone: {},
    closed: null,
  };
  return /** @type {any} */ (room);
}
