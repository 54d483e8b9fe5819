// The changes in a room, for screen readers. Pure. `status.js` says it.
// @ts-check

import { MARKS, hasGoneOn, isOver, isRunning, isStopped, markAt, other, playerOf } from "../client/rules.js";
import { strings } from "../strings.js";
import { inWords } from "../views/summary.js";
import { commentText } from "./comment-text.js";
import { ratingChange } from "./rating.js";
import { lastMoveText, markLetter, playerName, sentenceAbout, sideName } from "./room-text.js";
import { adjustedText, aheadText, askedText, detail, headline, hintedText, howText, roleText, scoreText } from "./status-text.js";

/** @typedef {import("../client/protocol.js").Mark} Mark */
/** @typedef {import("../core/state.js").Room} Room */

/** A headline as a sentence. @param {Room} room */
const spoken = (room) => headline(room).replace(/[^.!?]$/, "$&.");

/** The viewer's role in a game, and the limit of a move. @param {Room} room */
const rolesText = (room) =>
  [roleText(room), room.game && room.you.length > 0 && limitText(room.settings)].filter(Boolean).join(" ");

/** @param {Room["settings"]} settings */
const limitText = ({ move_time_ms: time }) => time !== null && `${strings("rules.time", { time: inWords(time) })}.`;

/**
 * The change between two states of a room, for screen readers; "" for none.
 * @param {Room | null} before
 * @param {Room} room
 * @param {boolean} [sending] whether a move of the viewer is on its way
 */
export function changesText(before, room, sending = false) {
  if (!before || before.code !== room.code) return sending ? rolesText(room) : enteredText(room);
  const texts = MARKS.flatMap((mark) => [
    ...seatChange(before, room, mark),
    ...presenceChange(before, room, mark),
  ]);
  const old = before.game;
  const game = room.game;
  // A snapshot after a break may tell nothing new.
  if (game && JSON.stringify(old) !== JSON.stringify(game)) {
    const started = game.number !== old?.number;
    if (started) texts.push(strings("room.begins", { number: game.number }));
    texts.push(spoken(room), game.opening ? detail(room) : scoreText(room), howText(room));
    if (started) texts.push(rolesText(room));
    const moved = game.moves.length > (old?.moves.length ?? 0);
    const back = !started && old !== null && game.moves.length < old.moves.length;
    if (back) {
      const mark = markAt(game.first, game.moves.length);
      texts.push(sentenceAbout(room, "room.back.done", mark, { mark: sideName(room, mark) }));
    }
    if (!started && moved) texts.push(lastMoveText(room), commentText(room), aheadText(room));
  }
  if (isStopped(room) && !isStopped(before)) texts.push(spoken(room), detail(room));
  if (!isStopped(room) && isStopped(before) && !isOver(room)) texts.push(strings("room.goesOn"), spoken(room));
  if (room.presence.takeBack !== before.presence.takeBack) texts.push(askedText(room));
  if (room.hinted !== before.hinted) texts.push(hintedText(room));
  texts.push(ratingChange(before, room), room.adjusted === before.adjusted ? "" : adjustedText(room));
  if (isOver(room)) texts.push(...offerChange(before, room));
  if (room.closed && !before.closed) texts.push(spoken(room), detail(room));
  return texts.filter(Boolean).join(" ");
}

/** @param {Room} room */
function enteredText(room) {
  // Both are there: their game begins in a moment.
  if (!room.game && MARKS.every((mark) => room.seats[mark].kind !== "open")) return "";
  const said = room.game?.result ? howText(room) : detail(room);
  return [spoken(room), said === roleText(room) ? "" : said, room.closed ? "" : rolesText(room)].filter(Boolean).join(" ");
}

/**
 * @param {Room} before
 * @param {Room} room
 * @param {Mark} mark
 * @returns {string[]}
 */
function seatChange(before, room, mark) {
  const was = before.seats[mark];
  const is = room.seats[mark];
  if (was === is || room.you.includes(mark)) return [];
  if (is.kind === "open" && was.kind !== "open")
    return [strings("room.left", { name: playerName(before, mark) })];
  if (is.kind !== "human" || playerOf(was) === is.player) return [];
  const across = before.seats[other(mark)];
  if (across.kind === "human" && across.player === is.player && before.you.length < 2) {
    return [strings("room.plays", { name: is.name, mark: markLetter(mark) })];
  }
  return [strings("room.joined", { name: is.name })];
}

/**
 * A player who stays is away, is gone or is back.
 * @param {Room} before
 * @param {Room} room
 * @param {Mark} mark
 * @returns {string[]}
 */
function presenceChange(before, room, mark) {
  const seat = room.seats[mark];
  if (seat.kind !== "human" || room.you.includes(mark) || hasGoneOn(room)) return [];
  const [was, is] = [before, room].map(({ presence }) => presence[mark]?.state ?? "connected");
  if (was === is || playerOf(before.seats[mark]) !== seat.player) return [];
  const text = strings(`room.presence.${is}`, { name: seat.name });
  return is === "gone" && isRunning(room) && room.you.length > 0 ? [text, strings("room.claim.may")] : [text];
}

/**
 * A player offers a rematch, or the offer of a player who stays has ended.
 * @param {Room} before
 * @param {Room} room
 * @returns {string[]}
 */
function offerChange(before, room) {
  const was = before.presence.rematch;
  const is = room.presence.rematch;
  if (was === is) return [];
  if (is) return [sentenceAbout(room, "room.offers", is)];
  if (!was || playerOf(before.seats[was]) !== playerOf(room.seats[was])) return [];
  return [strings("room.offers.back")];
}

