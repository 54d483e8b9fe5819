// The wait for a room's snapshot.
// @ts-check

import { h, setText } from "../dom.js";

/** Three pulsing noughts. */
export function pulse() {
  return h("div", { class: "pulse", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
}

/** @param {import("../main.js").Context} ctx */
export function createEnteringScreen({ strings }) {
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
