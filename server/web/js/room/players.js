// The two players: the coin, the name, the games won as dots, the clock. A stroke of the pen stands below
// the player to move and goes to the other one with the turn.
// @ts-check

import { computerHow, computerParts } from "../computer-text.js";
import { FaceOf } from "../face-of.js";
import { html } from "../html.js";
import { Link } from "../link.js";
import { MARKS, isAway, isMyTurn, isOver, isStopped, other, turn, winner } from "../client/rules.js";
import { rules } from "../views/summary.js";
import { strings } from "../strings.js";
import { Countdown } from "./countdown.js";
import { lineStroke, markStrokes } from "./pen.js";
import { ratedWord, ratingOf } from "./rating.js";
import { formatTime, isExhibition, markLetter, playerName } from "./room-text.js";
import { Dots, firstTo } from "./series.js";

/** @typedef {import("../client/protocol.js").Mark} Mark */
/** @typedef {import("../core/state.js").Room} Room */

/** Below this many milliseconds the clock turns red. */
const URGENT_MS = 10_000;

/** A face is as wide as so many letters. */
const FACE_LETTERS = 2;

/** A word of more letters may have no line of its own on a phone. */
const LONG_WORD = /\S{13}/;

/**
 * The size of a name and where it breaks, so that it is whole on its lines. `more` letters stand before it.
 *
 * @param {string} name @param {number} [more]
 */
export const nameStyle = (name, more = 0) => ({
  "--letters": name.length + more,
  wordBreak: LONG_WORD.test(name) ? "break-all" : "normal",
});

/** The stroke below a player, in a box of 100 by 8: it is stretched to the width of a seat. */
const UNDERLINE = lineStroke({ x: 1, y: 4 }, { x: 99, y: 4 }, "underline");

export const Underline = () => html`<svg class="underline" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
  <path d=${UNDERLINE} vector-effect="non-scaling-stroke" />
</svg>`;

/**
 * @param {{room: Room, linked: boolean}} props `linked`: names lead to profiles
 */
export function Players({ room, linked }) {
  const { x, o, draws } = room.score;
  return html`<div class="room-players" data-at=${turn(room) ?? winner(room.game) ?? ""}>
    <ul class="seats" aria-label=${strings("room.players")} role="list">
      ${MARKS.map((mark) => html`<${Seat} key=${mark} room=${room} mark=${mark} linked=${linked} />`)}
    </ul>
    ${x + o + draws > 0 &&
    html`<p class="score" key=${[x, o, draws].join()}>
      <span aria-hidden="true">${x} : ${o}</span>${draws > 0 && html`<small>${drawsText(draws)}</small>`}
    </p>`}
    <${Underline} />
  </div>`;
}

/** @param {number} count */
const drawsText = (count) => strings(count === 1 ? "room.draws.one" : "room.draws", { count });

/** @param {{room: Room, mark: Mark, linked: boolean}} props */
function Seat({ room, mark, linked }) {
  const seat = room.seats[mark];
  const won = winner(room.game);
  const toMove = turn(room) === mark;
  const away = isAway(room, mark);
  const open = seat.kind === "open";
  const isYou = room.you.length === 1 && room.you[0] === mark;
  const flags = { turn: toMove, away, open, winner: won === mark, loser: won === other(mark), drawn: isOver(room) && !won };
  const classes = Object.entries(flags).flatMap(([flag, on]) => (on ? `is-${flag}` : []));
  const name = open ? strings("room.open") : seat.kind === "computer" ? computerTitle(room, seat) : playerName(room, mark);
  const profile = linked && profileOf(room, mark);
  const face = seat.kind === "human" && html`<${FaceOf} ...${seat} />`;
  const deadline = toMove ? room.moveDeadline : null;
  return html`<li class=${["seat", `seat-${mark}`, ...classes].join(" ")}>
    <svg viewBox="0 0 24 24" class="coin" aria-hidden="true">
      ${markStrokes(mark, `${room.code} ${mark}`).map((d) => html`<path d=${d} />`)}
    </svg>
    <span class="seat-name" title=${name} style=${nameStyle(name, face ? FACE_LETTERS : 0)}>
      <span class="visually-hidden">${`${markLetter(mark)}: `}</span>${face}${profile ? html`<${Link} to=${profile} class="seat-link"><bdi>${name}</bdi><//>` : html`<bdi>${name}</bdi>`}
    </span>
    <span class="seat-line">
      ${isYou && html`<span class="chip is-you">${strings("room.you")}</span>`}
      ${seat.kind === "computer" && html`<${ComputerChip} room=${room} seat=${seat} />`}
      ${!open && html`<${Dots} wins=${room.score[mark]} goal=${firstTo(room)} />`}
      ${!away && html`<${Rating} room=${room} mark=${mark} />`}
      ${away && html`<span class="seat-note">${strings(`room.${room.presence[mark]?.state}`)}</span>`}
      ${toMove && html`<span class="visually-hidden">${strings("room.to-move")}</span>`}
      ${deadline !== null &&
      html`<${Countdown} to=${deadline}>${(/** @type {number} */ left) => clock(room, left)}<//>`}
      ${toMove && isStopped(room) && clock(room, room.standsAt ?? 0)}
    </span>
  </li>`;
}

/** @param {{room: Room, mark: Mark}} props */
function Rating({ room, mark }) {
  const [rating, change] = ratingOf(room, mark) ?? ["", ""];
  return rating && html`<span class="seat-rating" title=${strings("room.rating")}>${rating}${change && html` <b>${change}</b>`}</span>`;
}

/** The way to a player's profile. Two people at one screen have one. @param {Room} room @param {Mark} mark */
function profileOf({ seats, you }, mark) {
  const seat = seats[mark];
  if (seat.kind !== "human" || you.length > 1) return null;
  return { screen: "profile", player: you.includes(mark) ? null : seat.player };
}

/** Of two computers the name says how they differ. @param {Room} room @param {import("../client/protocol.js").Computer} seat */
const computerTitle = (room, seat) => (isExhibition(room) ? computerHow(seat, room.settings) : strings("seat.computer"));

/** @param {{room: Room, seat: import("../client/protocol.js").Computer}} props */
function ComputerChip({ room, seat }) {
  if (isExhibition(room)) return html`<span class="chip">${strings("seat.computer")}</span>`;
  const [first, rest] = computerParts(seat, room.settings);
  return html`<span class="chip">${first}${rest && html`<span class="chip-rest"> · ${rest}</span>`}</span>`;
}

/** @param {Room} room @param {number} left */
function clock(room, left) {
  const urgent = !isStopped(room) && left < URGENT_MS && (isMyTurn(room) || room.you.length === 0);
  const classes = urgent ? "seat-clock is-urgent" : "seat-clock";
  return html`<span class=${classes} role="timer" aria-label=${strings("room.clock")}>${formatTime(left)}</span>`;
}

/** The number of the game, if there is one, and its rules. @param {Room} room @returns {string[]} */
export function roomFacts(room) {
  const { game, settings } = room;
  const facts = game ? [strings("room.game", { number: settings.party?.game ?? game.number })] : [];
  facts.push(...[ratedWord(room)].filter(Boolean));
  facts.push(rules(settings));
  if (settings.adapts) facts.push(strings("room.adapts"));
  if (settings.opening !== "free") facts.push(strings("room.back.none"));
  return facts;
}
