// A room was asked for and has not come yet.
// @ts-check

import { h, setText } from "../dom.js";

/** Three noughts that wait. */
export function pulse() {
  return h("div", { class: "pulse", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
}

/** @param {import("../main.js").Context} ctx */
export function create({ strings }) {
  const title = h("h1");
  const element = h("div", { class: "screen waiting" }, pulse(), title);
  return {
    element,
    /** @param {import("../state.js").State} state */
    update({ route }) {
      setText(title, strings("entering.title", { room: route.screen === "room" ? route.code : "" }));
    },
  };
}
