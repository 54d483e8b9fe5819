// The field for the player's name.
// @ts-check

import { h, uniqueId } from "../dom.js";
import { MAX_NAME_CHARS } from "../protocol.js";

/** @param {import("../main.js").Context} ctx */
export function createNameField({ strings, player }) {
  const [id, noteId] = [uniqueId(), uniqueId()];
  const input = h("input", {
    id,
    class: "input",
    type: "text",
    autocomplete: "nickname",
    spellcheck: false,
    maxLength: MAX_NAME_CHARS * 2,
    enterKeyHint: "done",
    value: player.name(),
    "aria-describedby": noteId,
    oninput: () => {
      typed = true;
    },
    onchange: save,
    onblur: () => {
      input.value = player.name();
    },
    onkeydown: done,
  });
  /** Whether the player typed since the last save. */
  let typed = false;
  const element = h(
    "div",
    { class: "field name-field" },
    h("label", { for: id, class: "label" }, strings("name.label")),
    input,
    h("p", { id: noteId, class: "note" }, strings(player.guest ? "name.guest" : "name.note")),
  );

  /** Saves a typed name. An empty name restores the old one. */
  function save() {
    if (typed) {
      typed = false;
      player.rename(input.value);
      input.value = player.name();
    }
  }

  /** @param {KeyboardEvent} event */
  function done(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      save();
    }
  }

  /** Shows the server's version of the name, except while the player types. */
  function update() {
    if (document.activeElement !== input && input.value !== player.name()) {
      input.value = player.name();
    }
  }

  return { element, save, update };
}
