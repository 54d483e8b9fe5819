// What can be done in a room besides placing marks: a hint, resigning, another game, the review,
// taking a free seat, leaving. Which of it is possible is shown; what it leads to is room.js's.
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
import { called, letter } from "./say.js";

/** @typedef {import("../state.js").Room} Room */

/**
 * @typedef {object} Doings
 * @property {() => void} hint
 * @property {() => void} resign
 * @property {(offer: boolean) => void} rematch
 * @property {() => void} review
 * @property {() => void} sit
 * @property {() => void} leave
 */

/**
 * @param {{t: import("./say.js").T, doings: Doings}} options
 */
export function createActions({ t, doings }) {
  const offer = h("p", { class: "offer" });
  const again = button("button-primary", () => doings.rematch(true));
  const withdraw = button("button-quiet", () => doings.rematch(false), "room.rematch.withdraw");
  const sit = button("button-primary", doings.sit);
  const hint = button("button-quiet", doings.hint, "room.hint");
  const review = button("button-quiet", doings.review, "review.ask");
  const resign = button("button-quiet", doings.resign, "room.resign");
  const leave = button("button-bare", doings.leave, "room.leave");
  const buttons = h("div", { class: "buttons" }, again, withdraw, sit, hint, review, resign, leave);
  const element = h(
    "div",
    { class: "actions", role: "group", "aria-label": t("room.actions") },
    offer,
    buttons,
  );

  /** @param {string} kind @param {() => void} act @param {string} [key] */
  function button(kind, act, key) {
    return h("button", { type: "button", class: kind, onclick: act }, key ? t(key) : "");
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
    setText(again, t(key));
    const name = foe ? called(t, room, foe) : "";
    const told = theirs ? "room.rematch.offered" : mine ? "room.rematch.waiting" : "";
    setText(offer, may && told ? t(told, { name }) : "");
    toggle(offer, offer.textContent !== "");
  }

  return {
    element,
    /** Where the focus goes when the button that had it is gone: what is most likely next. */
    next: () => [again, withdraw, sit].find((one) => !one.hidden) ?? null,
    /** @param {Room} room @param {boolean} reviewing */
    update(room, reviewing) {
      const [seated, running] = [room.you.length > 0, isRunning(room) && !room.closed];
      showRematch(room);
      const free = MARKS.find((mark) => room.seats[mark].kind === "open");
      toggle(sit, !seated && free !== undefined && !room.closed);
      setText(sit, t("room.seat.take", { mark: letter(free ?? "o") }));
      toggle(
        hint,
        running && room.settings.hints && isMyTurn(room) && !room.game?.opening && !myChoice(room),
      );
      toggle(resign, running && seated);
      toggle(review, isOver(room) && !reviewing && (room.game?.moves.length ?? 0) > 0);
      setText(leave, t(room.closed ? "room.closed.menu" : "room.leave"));
    },
  };
}

/**
 * The question before a running game is given up.
 * @param {import("./say.js").T} t
 * @param {Room} room
 */
export function resignQuestion(t, room) {
  const foe = opponent(room);
  const text = foe ? t("room.resign.text", { name: called(t, room, foe) }) : t("room.resign.both");
  return { title: t("room.resign.title"), text, yes: t("room.resign"), no: t("room.resign.keep") };
}

/**
 * The question before a seat in a running game is given up.
 * @param {import("./say.js").T} t
 */
export const leaveQuestion = (t) => ({
  title: t("room.leave.title"),
  text: t("room.leave.text"),
  yes: t("room.leave"),
  no: t("room.leave.stay"),
});
