// The opponent is away: the time until the player may claim the game, and the claim.
// @ts-check

import { h, setText, toggle } from "../dom.js";
import { claimAt, isRunning, opponent } from "../rules.js";
import { formatTime, playerName } from "./room-text.js";

/** @typedef {import("../strings.js").Strings} Strings */

/**
 * @param {{strings: Strings, claim: (result: "win" | "draw") => void}} options
 */
export function createAbsence({ strings, claim }) {
  const text = h("p", { class: "absence-text" });
  const win = h("button", { type: "button", class: "button-primary", onclick: () => claim("win") });
  const draw = h("button", { type: "button", class: "button-quiet", onclick: () => claim("draw") });
  win.append(strings("room.claim.win"));
  draw.append(strings("room.claim.draw"));
  const buttons = h("div", { class: "buttons" }, win, draw);
  const element = h("div", { class: "absence" }, text, buttons);
  return {
    element,
    /**
     * @param {import("../state.js").Room} room
     * @param {number} now
     * @returns {boolean} whether the countdown runs
     */
    tick(room, now) {
      const mark = opponent(room);
      const from = mark && !room.closed ? claimAt(room, mark) : null;
      toggle(element, from !== null);
      if (mark === null || from === null) return false;
      const [name, wait] = [playerName(strings, room, mark), from - now];
      const running = isRunning(room);
      const key = running ? (wait > 0 ? "room.claim.wait" : "room.claim.now") : "room.absent";
      setText(text, strings(key, { name, time: formatTime(wait) }));
      toggle(buttons, running && wait <= 0);
      return running && wait > 0;
    },
  };
}
