// The choice of a side in a swap2 opening.
// @ts-check

import { h, toggle } from "../dom.js";
import { myChoice } from "../rules.js";

/** @typedef {import("../strings.js").Strings} Strings */
/** @typedef {import("../protocol.js").OpeningChoice} Choice */

/** @type {readonly Choice[]} */
const CHOICES = ["x", "o", "add"];

/**
 * @param {{strings: Strings, choose: (choice: Choice) => void}} options
 */
export function createOpening({ strings, choose }) {
  const buttons = CHOICES.map((choice) =>
    h(
      "button",
      { type: "button", class: "button-primary", onclick: () => choose(choice) },
      strings(`room.opening.${choice}`),
    ),
  );
  const name = strings("room.opening.choose.you");
  const element = h("div", { class: "opening", role: "group", "aria-label": name }, buttons);
  return {
    element,
    /** @param {import("../state.js").Room} room @param {boolean} sends */
    update(room, sends) {
      const choice = myChoice(room);
      toggle(element, choice !== null);
      toggle(buttons[2], choice?.mayAdd ?? false);
      for (const button of buttons) button.disabled = sends;
    },
  };
}
