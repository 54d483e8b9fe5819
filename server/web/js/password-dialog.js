// Asks for the password of the whole server, over whatever is shown: without it nothing can be done.
// @ts-check

import { h, setText, toggle, uniqueId } from "./dom.js";

/** @typedef {import("./strings.js").Strings} Strings */

/** @type {ReturnType<typeof create> | null} the one dialog there is */
let dialog = null;

/**
 * @param {{strings: Strings, wrong: boolean, done: (password: string) => void}} asked
 *   `wrong` says that the last one was not it
 */
export function ask({ strings, wrong, done }) {
  dialog ??= create(strings);
  dialog.ask(wrong, done);
}

/** @param {Strings} strings */
function create(strings) {
  const [titleId, inputId, errorId] = [uniqueId(), uniqueId(), uniqueId()];
  const input = h("input", {
    id: inputId,
    class: "input",
    type: "password",
    autocomplete: "current-password",
    maxLength: 256,
    enterKeyHint: "go",
    "aria-describedby": errorId,
  });
  const error = h("p", { id: errorId, class: "error", role: "alert" });
  const form = h(
    "form",
    { class: "form", noValidate: true, onsubmit: submit },
    h("h2", { id: titleId }, strings("password.title")),
    h("p", null, strings("password.text")),
    h("div", { class: "field" }, h("label", { for: inputId, class: "label" }, strings("password.label")), input, error),
    h("button", { type: "submit", class: "button-primary wide" }, strings("password.go")),
  );
  const element = h("dialog", { class: "dialog", "aria-labelledby": titleId }, form);
  // Escape would leave a page on which nothing works.
  element.addEventListener("cancel", (event) => event.preventDefault());
  document.body.append(element);
  /** @type {(password: string) => void} */
  let done = () => {};

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    if (input.value === "") {
      input.focus();
      return;
    }
    const password = input.value;
    input.value = "";
    element.close();
    done(password);
  }

  return {
    /** @param {boolean} wrong @param {(password: string) => void} then */
    ask(wrong, then) {
      done = then;
      setText(error, wrong ? strings("password.wrong") : "");
      toggle(error, wrong);
      if (!element.open) {
        element.showModal();
        input.focus();
      }
    },
  };
}
