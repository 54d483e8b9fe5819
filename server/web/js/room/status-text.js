// How a room stands, in two lines: a headline that is read at a glance, and a sentence that says more.
// Pure. `status.js` shows them and `changes-text.js` reads them aloud.
// @ts-check

import { VARIANTS } from "../parts.js";
import { MARKS, cellName, claimAt, hasTwoPeople, iOffer, isOver, isStopped, isRunning, markAt, nextMark, opponent, other, theyOffer, turn } from "../client/rules.js";
import { strings } from "../strings.js";
import { strengthName } from "../computer-text.js";
import { commentText } from "./comment-text.js";
import { ratedText } from "./rating.js";
import { formatTime, headlineName, isExhibition, isNameless, isolated, joinList, lastMoveText, lineName, markLetter, playerName, sentenceAbout, sideName, youOrOther } from "./room-text.js";
import { firstTo, seriesWinner } from "./series.js";

/** @typedef {import("../client/protocol.js").Mark} Mark */
/** @typedef {import("../core/state.js").Room} Room */

/** The sentence before the first full stop stands alone in the headline. @param {string} text */
const split = (text) => /** @type {[string, string]} */ (text.split("|"));

/**
 * @param {Room} room
 * @returns {string} whose turn it is, what the opening needs, who has won
 */
export function headline(room) {
  if (room.closed) return split(strings(`room.closed.${room.closed}`))[0];
  const { game } = room;
  if (!game) return strings(room.you.length > 0 ? "room.waiting" : "room.waiting.watch");
  if (game.result) return resultHeadline(room);
  if (isStopped(room)) return strings("room.stopped");
  const mark = turn(room) ?? "x";
  const adds = game.opening?.state === "placing" && game.opening.until_ply > 3;
  const key = game.opening ? `room.opening.${adds ? "adding" : game.opening.state}` : "room.turn";
  if (!game.opening && (isExhibition(room) || isNameless(room))) {
    return strings("room.turn.both", { mark: sideName(room, mark) });
  }
  if (!game.opening && room.seats[mark].kind === "computer" && room.you.length === 1) {
    return strings("room.thinking");
  }
  return sentenceAbout(room, key, mark, { name: headlineName(room, mark) });
}

/** @param {Room} room with a game that is over */
function resultHeadline(room) {
  const result = room.game?.result;
  if (rulingOf(room) === "ended") return strings("room.over");
  if (!result || !("winner" in result) || !result.winner) return strings("room.draw");
  const { winner } = result;
  const series = seriesWinner(room) === winner;
  const side = youOrOther(room, other(winner)) === "you" ? "lost" : youOrOther(room, winner) === "you" ? "won" : "other";
  return strings(`room.${series ? "series.over" : "result"}.${side}`, { name: headlineName(room, winner) });
}

/** Why a party has ended the game; null if it has not. @param {Room} room */
const rulingOf = ({ game }) => (game?.result?.how === "absence" ? game.result.party ?? null : null);

/**
 * How a game ended: "With row 2.", "Ben resigned."
 * @param {Room} room with a game that is over
 */
export function howText(room) {
  const result = room.game?.result;
  if (!result) return "";
  const ruling = rulingOf(room);
  if (ruling) return strings(`room.how.party.${ruling}`);
  const winner = "winner" in result ? result.winner : null;
  if (!winner) return strings(`room.how.draw.${result.how}`);
  const lines = result.how === "line" ? result.lines : [];
  const loser = other(winner);
  const lost = youOrOther(room, loser) === "you" ? ".lost" : "";
  const left = result.how === "resignation" && room.seats[loser].kind === "open";
  const gone = left && room.gone[loser];
  // A side that has completed a line and has not won has lost by it.
  const completed = lines.length > 0 && lastMover(room) !== winner ? ".completed" : "";
  return strings(left ? `room.how.left${gone ? ".name" : ""}` : `room.how.${result.how}${completed}${lost}`, {
    mark: sideName(room, winner),
    loser: isolated(gone || playerName(room, loser)),
    lines: joinList(lines.map((line) => lineName(room.settings.board, line))),
  });
}

/** The side that has made the last move. @param {Room} room */
const lastMover = ({ game }) => game && markAt(game.first, game.moves.length - 1);

/**
 * The limits of the next move: the board that it must go to, the mark that goes with it.
 * @param {Room} room
 * @returns {string} "" where it may go to every empty cell
 */
export function aheadText({ game, settings }) {
  if (!game || game.result || game.moves.length === 0) return "";
  const { board, variant } = settings;
  const leaving = game.playable?.leaving ?? null;
  if (leaving !== null) return strings("room.next.leaving", { cell: cellName(board, leaving) });
  if (variant !== "ultimate" || !VARIANTS.module) return "";
  const boards = VARIANTS.module.openBoards(settings, game);
  return boards.length === 1 ? strings("room.next.board", { board: boards[0] }) : strings("room.next.any");
}

/**
 * The second line.
 * @param {Room} room
 * @param {number | null} [left] milliseconds until the win can be claimed, if the opponent is away
 * @returns {string} "" where there is no more to say
 */
export function detail(room, left = null) {
  if (room.closed) return split(strings(`room.closed.${room.closed}`))[1];
  const { game } = room;
  if (!game) return "";
  if (game.result) return [scoreText(room), howText(room), room.presence.ratings?.rated === false && ratedText(room), adjustedText(room), nextText(room, left)].filter(Boolean).join(" ");
  if (isStopped(room)) return strings("room.stopped.text");
  if (left !== null) return absenceText(room, left);
  if (game.opening) return openingText(room, game.opening);
  const said = [askedText(room), hintedText(room), lastMoveText(room), commentText(room), aheadText(room), adjustedText(room)];
  return said.filter(Boolean).join(" ") || (room.you.length > 0 ? roleText(room) : "");
}

/**
 * The second line while the connection is lost.
 * @param {Room} room @param {boolean} sending whether a move of the viewer waits
 */
export function offlineText(room, sending) {
  const foe = opponent(room);
  if (room.you.length === 0) return strings("room.offline.watch");
  if (sending) return strings("room.offline.sending");
  if (room.moveDeadline !== null) return strings("room.offline.time");
  return foe && hasTwoPeople(room) && isRunning(room)
    ? strings("room.offline.foe", { name: isolated(playerName(room, foe)) })
    : strings("room.offline");
}

/** The score of a series that is decided, the viewer's wins first. @param {Room} room */
export function scoreText(room) {
  const won = seriesWinner(room);
  if (!won) return "";
  const first = room.you.length === 1 ? room.you[0] : won;
  return `${room.score[first]} : ${room.score[other(first)]}.`;
}

/** The computer's strength, if it has changed since its opponent's last move. @param {Room} room */
export function adjustedText({ adjusted, seats, settings }) {
  const seat = MARKS.map((mark) => seats[mark]).find(({ kind }) => kind === "computer");
  if (!adjusted || seat?.kind !== "computer") return "";
  return strings("room.strength", { strength: strengthName(seat, settings) });
}

/** Says who asks to take back a move, or who has to allow it. @param {Room} room */
export function askedText(room) {
  const asks = room.presence.takeBack;
  if (!asks) return "";
  const side = youOrOther(room, asks);
  return strings(`room.back.asks.${side}`, { name: isolated(playerName(room, side === "you" ? other(asks) : asks)) });
}

/** Says that the other player has taken a hint for this move. @param {Room} room */
export const hintedText = (room) =>
  room.hinted && !room.you.includes(room.hinted) ? strings("room.hinted", { name: isolated(playerName(room, room.hinted)) }) : "";

/** The reason why the next game waits. @param {Room} room @param {number | null} left */
function nextText(room, left) {
  const foe = opponent(room);
  if (foe && room.seats[foe].kind === "open") return strings("room.freed");
  if (left !== null) return room.game?.result?.how === "absence" ? "" : absenceText(room, left);
  const who = foe && theyOffer(room) ? "offered" : foe && iOffer(room) ? "waiting" : null;
  if (!foe || !who) return "";
  const name = isolated(playerName(room, foe));
  const { series } = room.presence;
  return series
    ? strings(`room.rematch.${who}.series`, { name, series: seriesName(series.first_to ?? null) })
    : strings(`room.rematch.${who}`, { name });
}

/** The name of a series: "first to 3". @param {number | null} wins */
export const seriesName = (wins) =>
  wins === null ? strings("room.series.open") : strings("room.series.first", { count: wins });

/** @param {Room} room @param {number} left */
function absenceText(room, left) {
  const foe = opponent(room);
  const isTimed = room.moveDeadline !== null && room.moveDeadline <= (absentSince(room) ?? 0);
  const wait = isTimed ? `room.claim.time.${youOrOther(room, turn(room) ?? "x")}` : "room.claim.wait";
  const key = isRunning(room) ? (left > 0 ? wait : "room.presence.gone") : "room.presence.away";
  return strings(key, { name: foe ? isolated(playerName(room, foe)) : "", time: formatTime(left) });
}

/**
 * The next action of the opening.
 * @param {Room} room @param {import("../client/protocol.js").OpeningPhase} phase
 */
function openingText(room, phase) {
  if (!room.game || phase.state === "choosing") return strings("room.opening.why");
  const next = markLetter(nextMark(room.game));
  return strings(phase.until_ply === 3 ? "room.opening.three" : "room.opening.two", { next });
}

/** The viewer's role in a game without a move. @param {Room} room */
export function roleText(room) {
  if (room.you.length === 0) return strings("room.watching");
  const series = firstTo(room);
  const role = room.you.length === 1 ? sideText(room, room.you[0]) : "";
  const goal = series && !isOver(room) ? strings("room.series.goal", { count: series }) : "";
  return [role, goal, ratedText(room)].filter(Boolean).join(" ");
}

/** The viewer's side: what it is after, where the two sides differ in more than their marks. @param {Room} room @param {Mark} mark */
function sideText({ game, settings: { variant, opening } }, mark) {
  if (opening === "swap2" && (!game || game.opening)) return strings("room.you.play.swap2");
  const keys = [`room.you.play.${variant}.${mark}`, `room.you.play.${variant}`];
  return strings(keys.find(strings.has) ?? "room.you.play", { mark: markLetter(mark) });
}

/** From when the opponent's absence can be claimed; null while there is none. @param {Room} room */
export function absentSince(room) {
  const foe = opponent(room);
  return foe && !room.closed ? claimAt(room, foe) : null;
}
