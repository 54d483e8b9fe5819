// The two seats: mark, name, connection, games won, turn and clock. Below them the number of the game,
// the rules and the number of spectators.
// @ts-check

import { h, setAttr, setText, toggle } from "../dom.js";
import { MARKS, isAway, isMyTurn, turn } from "../rules.js";
import { markIcon } from "./board-svg.js";
import { formatTime, markLetter, playerName } from "./room-text.js";

/** @typedef {import("../strings.js").Strings} Strings */
/** @typedef {import("../protocol.js").Mark} Mark */
/** @typedef {import("../state.js").Room} Room */

/** Below this many milliseconds the clock turns red. */
const URGENT_MS = 10_000;

/** @param {{strings: Strings}} options */
export function createPlayers({ strings }) {
  const seats = { x: createSeat(strings, "x"), o: createSeat(strings, "o") };
  const facts = h("p", { class: "room-facts" });
  const list = h("ul", { class: "seats", "aria-label": strings("room.players"), role: "list" });
  list.append(seats.x.element, seats.o.element);
  const element = h("div", { class: "room-players" }, list, facts);
  /** @type {Room | null} */
  let shown = null;

  return {
    element,
    /** @param {Room} room */
    update(room) {
      if (shown === room) return;
      shown = room;
      for (const mark of MARKS) seats[mark].update(room);
      setText(facts, roomFacts(strings, room).join(" · "));
    },
    /**
     * Shows the remaining time.
     * @param {Room} room
     * @param {number} now
     * @returns {boolean} whether the clock runs
     */
    tick(room, now) {
      const left = room.moveDeadline === null ? null : room.moveDeadline - now;
      const mover = turn(room);
      for (const mark of MARKS) seats[mark].tick(room, mover === mark ? left : null);
      return left !== null && mover !== null && left > 0;
    },
  };
}

/**
 * @param {Strings} strings
 * @param {Mark} mark
 */
function createSeat(strings, mark) {
  const name = h("bdi", { class: "seat-name" });
  const you = h("span", { class: "chip" }, ` (${strings("room.you")})`);
  const note = h("span", { class: "seat-note" });
  const wins = h("span", { class: "seat-wins", role: "img" });
  const time = h("span", { class: "seat-clock", role: "timer", "aria-label": strings("room.clock") });
  const hidden = h("span", { class: "visually-hidden" }, `${markLetter(mark)}: `);
  const who = h("span", { class: "seat-who" }, hidden, name, you);
  const icon = h("span", { class: "seat-mark" });
  icon.append(markIcon(mark));
  const element = h("li", { class: `seat seat-${mark}` }, icon, who, note, time, wins);

  return {
    element,
    /** @param {Room} room */
    update(room) {
      const seat = room.seats[mark];
      const [toMove, away] = [turn(room) === mark, isAway(room, mark)];
      setText(name, seat.kind === "open" ? strings("room.open") : seatName(strings, room, mark));
      toggle(you, room.you.length === 1 && room.you[0] === mark);
      const key = away ? `room.${room.presence[mark]?.state}` : toMove ? "room.to-move" : "";
      setText(note, key && strings(key));
      setText(wins, room.score[mark]);
      setAttr(wins, "aria-label", strings("room.wins", { count: room.score[mark] }));
      toggle(wins, seat.kind !== "open");
      element.classList.toggle("is-turn", toMove);
      element.classList.toggle("is-away", away);
      element.classList.toggle("is-open", seat.kind === "open");
    },
    /** @param {Room} room @param {number | null} left milliseconds, while the clock runs */
    tick(room, left) {
      toggle(time, left !== null);
      toggle(note, left === null || isAway(room, mark));
      if (left !== null) setText(time, formatTime(left));
      const urgent = left !== null && left < URGENT_MS && (isMyTurn(room) || room.you.length === 0);
      time.classList.toggle("is-urgent", urgent);
    },
  };
}

/** @param {Strings} strings @param {Room} room @param {Mark} mark */
function seatName(strings, room, mark) {
  const seat = room.seats[mark];
  if (seat.kind !== "human") return playerName(strings, room, mark);
  return room.names?.[mark] || seat.name;
}

/**
 * @param {Strings} strings
 * @param {Room} room
 */
function roomFacts(strings, room) {
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
  facts.push(...watchers(strings, room));
  if (evaluation)
    facts.push(`${strings("room.evaluation")}: ${strings(`room.evaluation.${evaluation.worth}`)}`);
  return facts;
}

/**
 * The number of spectators. A spectator sees the number of the others.
 * @param {Strings} strings
 * @param {Room} room
 * @returns {string[]} empty for none
 */
function watchers(strings, { presence: { spectators }, you }) {
  const watches = you.length === 0;
  const count = watches ? spectators - 1 : spectators;
  const key = watches ? "room.spectators.others" : "room.spectators";
  return count > 0 ? [strings(count === 1 ? `${key}.one` : key, { count })] : [];
}
