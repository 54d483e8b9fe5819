// The two seats: mark, name, connection, games won, turn and clock. Below them the number of the game,
// the rules and the number of spectators.
// @ts-check

import { html } from "../html.js";
import { MARKS, isAway, isMyTurn, turn } from "../rules.js";
import { strings } from "../strings.js";
import { MarkIcon } from "./board-svg.js";
import { Countdown } from "./countdown.js";
import { formatTime, markLetter, playerName } from "./room-text.js";

/** @typedef {import("../protocol.js").Mark} Mark */
/** @typedef {import("../core/state.js").Room} Room */

/** Below this many milliseconds the clock turns red. */
const URGENT_MS = 10_000;

/** @param {{room: Room}} props */
export const Players = ({ room }) => html`<div class="room-players">
  <ul class="seats" aria-label=${strings("room.players")} role="list">
    ${MARKS.map((mark) => html`<${Seat} key=${mark} room=${room} mark=${mark} />`)}
  </ul>
  <p class="room-facts">${roomFacts(room).join(" · ")}</p>
</div>`;

/** @param {{room: Room, mark: Mark}} props */
function Seat({ room, mark }) {
  const [seat, wins] = [room.seats[mark], room.score[mark]];
  const [toMove, away, open] = [turn(room) === mark, isAway(room, mark), seat.kind === "open"];
  const isYou = room.you.length === 1 && room.you[0] === mark;
  const classes = [toMove && " is-turn", away && " is-away", open && " is-open"].filter(Boolean).join("");
  const note = away ? `room.${room.presence[mark]?.state}` : toMove ? "room.to-move" : "";
  const deadline = toMove ? room.moveDeadline : null;
  return html`<li class=${`seat seat-${mark}${classes}`}>
    <span class="seat-mark"><${MarkIcon} mark=${mark} /></span>
    <span class="seat-who">
      <span class="visually-hidden">${`${markLetter(mark)}: `}</span>
      <bdi class="seat-name">${open ? strings("room.open") : playerName(room, mark)}</bdi>
      ${isYou && html`<span class="chip">${` (${strings("room.you")})`}</span>`}
    </span>
    ${(deadline === null || away) && html`<span class="seat-note">${note && strings(note)}</span>`}
    ${deadline !== null && html`<${Countdown} to=${deadline}>${(/** @type {number} */ left) => clock(room, left)}<//>`}
    ${!open &&
    html`<span class="seat-wins" role="img" aria-label=${strings("room.wins", { count: wins })}>${wins}</span>`}
  </li>`;
}

/** @param {Room} room @param {number} left */
function clock(room, left) {
  const urgent = left < URGENT_MS && (isMyTurn(room) || room.you.length === 0);
  const classes = urgent ? "seat-clock is-urgent" : "seat-clock";
  return html`<span class=${classes} role="timer" aria-label=${strings("room.clock")}>${formatTime(left)}</span>`;
}

/** @param {Room} room */
function roomFacts(room) {
  const { game, score, settings, evaluation } = room;
  const facts = [];
  if (game) facts.push(strings("room.game", { number: game.number }));
  if (score.draws > 0) {
    facts.push(strings(score.draws === 1 ? "room.draws.one" : "room.draws", { count: score.draws }));
  }
  facts.push(strings("room.rules", { ...settings.board }));
  if (settings.opening === "swap2") facts.push(strings("room.rules.swap2"));
  if (settings.move_time_ms)
    facts.push(strings("room.rules.time", { time: formatTime(settings.move_time_ms) }));
  facts.push(...watchers(room));
  if (evaluation)
    facts.push(`${strings("room.evaluation")}: ${strings(`room.evaluation.${evaluation.worth}`)}`);
  return facts;
}

/**
 * The number of spectators. A spectator sees the number of the others.
 * @param {Room} room
 * @returns {string[]} empty for none
 */
function watchers({ presence: { spectators }, you }) {
  const watches = you.length === 0;
  const count = watches ? spectators - 1 : spectators;
  const key = watches ? "room.spectators.others" : "room.spectators";
  return count > 0 ? [strings(count === 1 ? `${key}.one` : key, { count })] : [];
}
