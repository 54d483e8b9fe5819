// The dialog for the server's password. Without the password the page can do nothing.
// @ts-check

import { h, setText, toggle, uniqueId } from "./dom.js";

/** @typedef {import("./strings.js").Strings} Strings */

/** @type {ReturnType<typeof createDialog> | null} */
let dialog = null;

/**
 * @param {{strings: Strings, wrong: boolean, done: (password: string) => void}} question
 *   `wrong` says that the last password was wrong
 */
export function askPassword({ strings, wrong, done }) {
  dialog ??= createDialog(strings);
  dialog.ask(wrong, done);
}

/** @param {Strings} strings */
function createDialog(strings) {
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
  const label = h("label", { for: inputId, class: "label" }, strings("password.label"));
  const form = h(
    "form",
    { class: "form", noValidate: true, onsubmit: submit },
    h("h2", { id: titleId }, strings("password.title")),
    h("p", null, strings("password.text")),
    h("div", { class: "field" }, label, input, error),
    h("button", { type: "submit", class: "button-primary wide" }, strings("password.go")),
  );
  const element = h("dialog", { class: "dialog", "aria-labelledby": titleId }, form);
  // Without the dialog nothing on the page works, so Escape does not close it.
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
