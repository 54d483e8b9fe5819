// The collapsed section beside the board: alerts, linking another device, and the link for spectators.
// @ts-check

import { h, toggle } from "../dom.js";
import { createAlerts } from "./alerts.js";
import { roomLink } from "./room-link.js";
import { createShare } from "./share.js";

/** @typedef {import("../strings.js").Strings} Strings */
/** @typedef {import("../state.js").State} State */
/** @typedef {import("../state.js").Room} Room */

/**
 * @param {{strings: Strings, openLinkDevice: () => void,
 *   prefer: (prefs: {sound?: boolean, vibrate?: boolean}) => void}} options
 */
export function createShareAndSettings({ strings, openLinkDevice, prefer }) {
  const alerts = createAlerts({ strings, prefer });
  const pass = h("button", { type: "button", class: "button-quiet", onclick: openLinkDevice });
  pass.append(strings("pass.open"));
  const share = createShare({ strings, title: strings("share.watch") });
  const element = h("details", { class: "share-and-settings", ontoggle: showLink });
  element.append(h("summary", null, strings("room.more")), alerts.element, pass, share.element);
  /** @type {State | null} */
  let state = null;

  function showLink() {
    const room = state?.room;
    if (room && element.open) share.update(room.code, roomLink(room.code, state?.server ?? null));
  }

  return {
    element,
    destroy: alerts.destroy,
    /** @param {State} now @param {Room} room @param {Room | null} before the previous state */
    update(now, room, before) {
      state = now;
      if (before?.code !== room.code) element.open = false;
      toggle(pass, room.you.length > 0 && !room.closed);
      const others = room.settings.spectators || room.seats.o.kind === "open";
      toggle(share.element, others && !room.closed);
      toggle(element, !room.closed);
      showLink();
      alerts.update(now, before);
    },
  };
}
