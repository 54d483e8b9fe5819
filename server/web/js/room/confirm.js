// A modal dialog that asks before an action that cannot be undone.
// @ts-check

import { h, setText, uniqueId } from "../dom.js";

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {string} text
 * @property {string} yes the button that confirms
 * @property {string} no the button that cancels; it has the focus first
 * @property {() => void} onConfirm
 */

/** A dialog that asks one question at a time. */
export function createConfirm() {
  const [titleId, textId] = [uniqueId(), uniqueId()];
  const title = h("h2", { id: titleId });
  const text = h("p", { id: textId });
  const no = h("button", { type: "button", class: "button-quiet", onclick: () => element.close() });
  const yes = h("button", { type: "button", class: "button-danger", onclick: accept });
  const element = h(
    "dialog",
    { class: "dialog", "aria-labelledby": titleId, "aria-describedby": textId },
    title,
    text,
    h("div", { class: "buttons" }, no, yes),
  );
  /** @type {Question | null} */
  let question = null;

  function accept() {
    const asked = question;
    element.close();
    asked?.onConfirm();
  }

  return {
    element,
    /** @param {Question} asked */
    ask(asked) {
      question = asked;
      setText(title, asked.title);
      setText(text, asked.text);
      setText(yes, asked.yes);
      setText(no, asked.no);
      element.showModal();
      no.focus();
    },
    /** Closes the dialog, for example because the game is over. */
    dismiss() {
      question = null;
      if (element.open) element.close();
    },
  };
}
