// The invitation of a room with an open seat: in place of the board before the first game, beside
// it when the opponent has left.
// @ts-check

import { toggle } from "../dom.js";
import { MARKS, isOver } from "../rules.js";
import { roomLink } from "./room-link.js";
import { createShare } from "./share.js";

/** @typedef {import("../strings.js").Strings} Strings */

/**
 * @param {Strings} strings
 * @param {{place: HTMLElement, side: HTMLElement, more: HTMLElement}} around where it may stand:
 *   in the board's place, or beside the board before `more`
 */
export function createInvitation(strings, { place, side, more }) {
  const share = createShare({ strings, title: strings("share.title"), text: strings("share.text") });
  const { element } = share;

  return {
    /**
     * @param {import("../state.js").Room} room
     * @param {import("../state.js").State["server"]} server
     */
    update(room, server) {
      const first = room.game === null;
      const open = MARKS.some((mark) => room.seats[mark].kind === "open");
      const left = room.you.length > 0 && isOver(room);
      const wanted = open && (first || left) && !room.closed;
      // Only what is elsewhere is moved: moving an element takes its focus away.
      const [home, spot] = [first ? place : side, first ? null : more];
      if (wanted && element.parentNode !== home) home.insertBefore(element, spot);
      if (wanted) share.update(room.code, roomLink(room.code, server));
      toggle(element, wanted);
      toggle(place, !first || wanted);
    },
  };
}
