// The status of the game in large text, the last move or the player's task in small text, and the
// room's one live region for screen readers.
// @ts-check

import { h, setText, toggle } from "../dom.js";
import { isMyTurn, isOver, opponent } from "../rules.js";
import { changesText, lastMoveText, markLetter, spectatorText, statusText } from "./room-text.js";

/** @typedef {import("../strings.js").Strings} Strings */
/** @typedef {import("../state.js").Room} Room */

/** @param {{strings: Strings}} options */
export function createStatus({ strings }) {
  const now = h("p", { class: "status-title" });
  const detail = h("p", { class: "status-detail" });
  const message = h("p", { class: "status-message" });
  const live = h("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });
  const element = h("div", { class: "room-status" }, now, detail, live);
  /** @type {Room | null} */
  let shown = null;
  let lastNote = "";

  /** @param {string} text */
  function announce(text) {
    // Screen readers ignore an unchanged text. One more space changes it.
    live.textContent = live.textContent === text ? `${text} ` : text;
  }

  return {
    element,
    message,
    /**
     * @param {Room} room
     * @param {string} note a text about what the player did, or ""
     * @param {boolean} sends whether a move or choice of the player is on its way
     */
    update(room, note, sends) {
      element.classList.toggle("is-turn", isMyTurn(room) && !sends);
      if (room !== shown) {
        const news = changesText(strings, shown, room);
        if (news) announce(news);
        setText(now, statusText(strings, room));
        setText(detail, details(strings, room));
        toggle(detail, detail.textContent !== "");
        element.classList.toggle("is-over", isOver(room));
        shown = room;
      }
      setText(message, note);
      toggle(message, note !== "");
      if (note && note !== lastNote) announce(note);
      lastNote = note;
    },
  };
}

/**
 * @param {Strings} strings
 * @param {Room} room
 */
function details(strings, room) {
  if (room.closed) return "";
  const free = opponent(room);
  if (free && isOver(room) && room.seats[free].kind === "open") {
    return strings("room.freed", { mark: markLetter(free) });
  }
  const sits = room.you.length === 1 && !room.game?.opening;
  const role = sits ? strings("room.you.play", { mark: markLetter(room.you[0]) }) : "";
  const first = room.you.length === 0 ? spectatorText(strings, room) : role;
  return [first, lastMoveText(strings, room)].join(" ").trim();
}
