// Asks for the password of the whole server, over whatever is shown: without it nothing can be done.
// @ts-check

import { h, setText, toggle, uniqueId } from "./dom.js";

/** @type {ReturnType<typeof create> | null} the one dialog there is */
let dialog = null;

/**
 * @param {{t: typeof import("./words.js").t, wrong: boolean, done: (password: string) => void}} asked
 *   `wrong` says that the last one was not it
 */
export function ask({ t, wrong, done }) {
  dialog ??= create(t);
  dialog.ask(wrong, done);
}

/** @param {typeof import("./words.js").t} t */
function create(t) {
  const [titleId, inputId, faultId] = [uniqueId(), uniqueId(), uniqueId()];
  const input = h("input", {
    id: inputId,
    class: "input",
    type: "password",
    autocomplete: "current-password",
    maxLength: 256,
    enterKeyHint: "go",
    "aria-describedby": faultId,
  });
  const fault = h("p", { id: faultId, class: "fault", role: "alert" });
  const form = h(
    "form",
    { class: "form", noValidate: true, onsubmit: submit },
    h("h2", { id: titleId }, t("password.title")),
    h("p", null, t("password.text")),
    h("div", { class: "field" }, h("label", { for: inputId, class: "label" }, t("password.label")), input, fault),
    h("button", { type: "submit", class: "button-primary wide" }, t("password.go")),
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
      setText(fault, wrong ? t("password.wrong") : "");
      toggle(fault, wrong);
      if (!element.open) {
        element.showModal();
        input.focus();
      }
    },
  };
}
