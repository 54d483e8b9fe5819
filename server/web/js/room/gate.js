// Before a room is entered: that it is being entered, why it could not be, or, for who followed a
// link to a room with a free seat, the choice between playing and watching.
// @ts-check

import { h, setText, toggle } from "../dom.js";
import { MARKS } from "../rules.js";
import { has } from "../words.js";
import { letter } from "./say.js";

/** @typedef {import("../state.js").State} State */
/** @typedef {import("../state.js").Room} Room */

/**
 * @param {{t: import("./say.js").T, send: (intent: import("../protocol.js").Intent) => void,
 *   watch: (room: string) => void,
 *   navigate: (route: import("../state.js").Route) => void}} options
 */
export function createGate({ t, send, watch, navigate }) {
  const text = h("p", { class: "gate-text", role: "status" });
  const play = h("button", { type: "button", class: "button primary", onclick: sit });
  const look = h("button", { type: "button", class: "button", onclick: () => watch(code) }, t("gate.watch"));
  const menu = h("button", { type: "button", class: "button", onclick: goHome }, t("gate.menu"));
  const buttons = h("div", { class: "buttons" }, play, look, menu);
  const element = h("div", { class: "gate card" }, text, buttons);
  let code = "";
  let blocks = true;

  function sit() {
    send({ type: "join", room: code, role: "player" });
  }

  function goHome() {
    navigate({ screen: "welcome" });
  }

  /** @param {State} state */
  function said({ failed }) {
    if (failed?.room !== code) return t("gate.entering");
    const key = `refused.${failed.code}`;
    return has(key) ? t(key) : failed.text || t("gate.failed");
  }

  return {
    element,
    /** Whether the room itself is not to be seen yet. */
    blocks: () => blocks,
    /** @param {State} state */
    update(state) {
      code = state.route.screen === "room" ? state.route.code : "";
      const room = state.room?.code === code ? state.room : null;
      const offered = room && state.watching !== code ? offeredSeat(room) : null;
      blocks = room === null || offered !== null;
      toggle(element, blocks);
      if (!blocks) return;
      setText(text, room ? invitation(t, room) : said(state));
      toggle(play, offered !== null);
      if (offered) setText(play, t("gate.sit", { mark: letter(offered) }));
      toggle(look, offered !== null);
      toggle(menu, offered === null && state.failed?.room === code);
    },
  };
}

/**
 * The free seat that who came by a link is offered.
 * @param {Room} room
 */
function offeredSeat({ you, seats, closed }) {
  if (you.length > 0 || closed) return null;
  return MARKS.find((mark) => seats[mark].kind === "open") ?? null;
}

/** @param {import("./say.js").T} t @param {Room} room */
function invitation(t, { seats }) {
  const host = MARKS.map((mark) => seats[mark]).find((seat) => seat.kind === "human");
  return host?.kind === "human" ? t("gate.waits", { name: host.name }) : t("gate.open");
}
