// The choice of a side in a swap2 opening.
// @ts-check

import { h, toggle } from "../dom.js";
import { isSending, myChoice } from "../rules.js";

/** @typedef {"x" | "o" | "add"} Choice */

/** @type {readonly Choice[]} */
const CHOICES = ["x", "o", "add"];

/**
 * @param {{t: import("./say.js").T, choose: (choice: Choice) => void}} options
 */
export function createOpening({ t, choose }) {
  const buttons = CHOICES.map((choice) =>
    h(
      "button",
      { type: "button", class: "button-primary", onclick: () => choose(choice) },
      t(`room.opening.${choice}`),
    ),
  );
  const name = t("room.opening.choose.you");
  const element = h("div", { class: "opening", role: "group", "aria-label": name }, buttons);
  return {
    element,
    /** @param {import("../state.js").Room} room */
    update(room) {
      const choice = myChoice(room);
      toggle(element, choice !== null);
      toggle(buttons[2], choice?.mayAdd ?? false);
      for (const button of buttons) button.disabled = isSending(room);
    },
  };
}
