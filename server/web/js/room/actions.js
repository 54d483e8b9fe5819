// The buttons of a room: hint, resign, rematch, review, take a seat, leave. It shows the possible
// ones. What they do is in `handlers.js`.
// @ts-check

import { h, setText, toggle } from "../dom.js";
import {
  MARKS,
  iOffer,
  isMyTurn,
  isOver,
  isRunning,
  myChoice,
  opponent,
  theyOffer,
} from "../rules.js";
import { markLetter, playerName } from "./room-text.js";

/** @typedef {import("../strings.js").Strings} Strings */
/** @typedef {import("../state.js").Room} Room */

/**
 * @typedef {object} Handlers
 * @property {() => void} hint
 * @property {() => void} resign
 * @property {(offer: boolean) => void} rematch
 * @property {() => void} review
 * @property {() => void} sit
 * @property {() => void} leave
 */

/**
 * @param {{strings: Strings, handlers: Handlers}} options
 */
export function createActions({ strings, handlers }) {
  const offer = h("p", { class: "offer" });
  const again = button("button-primary", () => handlers.rematch(true));
  const withdraw = button("button-quiet", () => handlers.rematch(false), "room.rematch.withdraw");
  const sit = button("button-primary", handlers.sit);
  const hint = button("button-quiet", handlers.hint, "room.hint");
  const review = button("button-quiet", handlers.review, "review.ask");
  const resign = button("button-quiet", handlers.resign, "room.resign");
  const leave = button("button-bare", handlers.leave, "room.leave");
  const buttons = h("div", { class: "buttons" }, again, withdraw, sit, hint, review, resign, leave);
  const element = h(
    "div",
    { class: "actions", role: "group", "aria-label": strings("room.actions") },
    offer,
    buttons,
  );

  /** @param {string} kind @param {() => void} onclick @param {string} [key] */
  function button(kind, onclick, key) {
    return h("button", { type: "button", class: kind, onclick }, key ? strings(key) : "");
  }

  /** @param {Room} room */
  function showRematch(room) {
    const may = room.you.length > 0 && isOver(room) && !room.closed;
    const [mine, theirs, foe] = [iOffer(room), theyOffer(room), opponent(room)];
    const alone = foe === null || room.seats[foe].kind === "computer";
    const open = foe !== null && room.seats[foe].kind === "open";
    toggle(again, may && !mine && !open);
    toggle(withdraw, may && mine);
    const key = alone ? "room.rematch" : theirs ? "room.rematch.accept" : "room.rematch.offer";
    setText(again, strings(key));
    const name = foe ? playerName(strings, room, foe) : "";
    const told = theirs ? "room.rematch.offered" : mine ? "room.rematch.waiting" : "";
    setText(offer, may && told ? strings(told, { name }) : "");
    toggle(offer, offer.textContent !== "");
  }

  return {
    element,
    /** The button that gets the focus when the focused one disappears. */
    next: () => [again, withdraw, sit].find((one) => !one.hidden) ?? null,
    /** @param {Room} room @param {boolean} reviewing */
    update(room, reviewing) {
      const [seated, running] = [room.you.length > 0, isRunning(room) && !room.closed];
      showRematch(room);
      const free = MARKS.find((mark) => room.seats[mark].kind === "open");
      toggle(sit, !seated && free !== undefined && !room.closed);
      setText(sit, strings("room.seat.take", { mark: markLetter(free ?? "o") }));
      toggle(
        hint,
        running && room.settings.hints && isMyTurn(room) && !room.game?.opening && !myChoice(room),
      );
      toggle(resign, running && seated);
      toggle(review, isOver(room) && !reviewing && (room.game?.moves.length ?? 0) > 0);
      setText(leave, strings(room.closed ? "room.closed.menu" : "room.leave"));
    },
  };
}

/**
 * The question before the player resigns.
 * @param {Strings} strings
 * @param {Room} room
 */
export function resignQuestion(strings, room) {
  const foe = opponent(room);
  return {
    title: strings("room.resign.title"),
    text: foe
      ? strings("room.resign.text", { name: playerName(strings, room, foe) })
      : strings("room.resign.both"),
    yes: strings("room.resign"),
    no: strings("room.resign.keep"),
  };
}

/**
 * The question before the player leaves a running game.
 * @param {Strings} strings
 */
export const leaveQuestion = (strings) => ({
  title: strings("room.leave.title"),
  text: strings("room.leave.text"),
  yes: strings("room.leave"),
  no: strings("room.leave.stay"),
});
