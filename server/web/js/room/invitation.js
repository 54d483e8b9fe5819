// The invitation of a room with an open seat. It replaces the board before the first game, and stands
// beside the board after the opponent has left.
// @ts-check

import { toggle } from "../dom.js";
import { MARKS, isOver } from "../rules.js";
import { roomLink } from "./room-link.js";
import { createShare } from "./share.js";

/** @typedef {import("../strings.js").Strings} Strings */

/**
 * @param {Strings} strings
 * @param {{place: HTMLElement, side: HTMLElement, more: HTMLElement}} parents
 *   `place` is the board's place, `side` is beside it; `more` is the element after the invitation
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
      // Moving an element would take its focus away.
      const [home, spot] = [first ? place : side, first ? null : more];
      if (wanted && element.parentNode !== home) home.insertBefore(element, spot);
      if (wanted) share.update(room.code, roomLink(room.code, server));
      toggle(element, wanted);
      toggle(place, !first || wanted);
    },
  };
}
