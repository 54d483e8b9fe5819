// The name that others see: there from the start, changed by typing another.
// @ts-check

import { h, uniqueId } from "../dom.js";
import { MAX_NAME_CHARS } from "../protocol.js";

/** @param {import("../main.js").Context} ctx */
export function createNameField({ strings, person }) {
  const [id, noteId] = [uniqueId(), uniqueId()];
  const input = h("input", {
    id,
    class: "input",
    type: "text",
    autocomplete: "nickname",
    spellcheck: false,
    maxLength: MAX_NAME_CHARS * 2,
    enterKeyHint: "done",
    value: person.name(),
    "aria-describedby": noteId,
    oninput: () => {
      typed = true;
    },
    onchange: keep,
    onblur: () => {
      input.value = person.name();
    },
    onkeydown: done,
  });
  /** Whether something was typed since the last time the name was kept. */
  let typed = false;
  const element = h(
    "div",
    { class: "field name-field" },
    h("label", { for: id, class: "label" }, strings("name.label")),
    input,
    h("p", { id: noteId, class: "note" }, strings(person.guest ? "name.guest" : "name.note")),
  );

  /** An empty name is none: the one before stays. What was kept already is not kept again. */
  function keep() {
    if (typed) {
      typed = false;
      person.rename(input.value);
      input.value = person.name();
    }
  }

  /** @param {KeyboardEvent} event */
  function done(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      keep();
    }
  }

  /** Shows the name that the server knows, unless somebody is typing. */
  function update() {
    if (document.activeElement !== input && input.value !== person.name()) {
      input.value = person.name();
    }
  }

  return { element, keep, update };
}
