// The form and its general fields. Each field has an element and a string value.
// @ts-check

import { h, uniqueId } from "../dom.js";

/**
 * @typedef {object} Field
 * @property {HTMLElement} element
 * @property {() => string} value
 */

/** @typedef {{value: string, label: string, note?: string, name?: string}} Option */

/**
 * Radio buttons: side by side, as equal tiles, or as rows with notes.
 *
 * @param {{legend: string, options: Option[], value: string, layout?: "rows" | "tiles",
 *   onchange?: () => void}} given
 * @returns {Field & {inputs: HTMLInputElement[], notes: (HTMLElement | null)[]}}
 */
export function radios({ legend, options, value: chosen, layout, onchange = () => {} }) {
  const name = uniqueId();
  const known = options.some((option) => option.value === chosen);
  const start = known ? chosen : options[0].value;
  const inputs = options.map((option) =>
    h("input", {
      type: "radio",
      name,
      value: option.value,
      checked: option.value === start,
      "aria-label": option.name,
      onchange,
    }),
  );
  const notes = options.map(({ note }) => (note ? h("span", { class: "note" }, note) : null));
  const labels = options.map(({ label }, i) =>
    h("label", { class: "option" }, inputs[i], h("span", null, label), notes[i]),
  );
  const element = h(
    "fieldset",
    { class: "group" },
    h("legend", null, legend),
    h("div", { class: layout ? `options ${layout}` : "options" }, labels),
  );
  const value = () => inputs.find((input) => input.checked)?.value ?? start;
  return { element, inputs, notes, value };
}

/**
 * @param {{label: string, value: string, placeholder?: string, maxLength: number,
 *   normalize: (text: string) => string}} given `maxLength` in UTF-16 units; `normalize` turns the
 *   typed text into the value
 * @returns {Field}
 */
export function textField({ label, value, placeholder = "", maxLength, normalize }) {
  const id = uniqueId();
  const input = h("input", {
    id,
    class: "input",
    type: "text",
    autocomplete: "off",
    spellcheck: false,
    maxLength,
    placeholder,
    value,
  });
  const element = h("div", { class: "field" }, h("label", { for: id, class: "label" }, label), input);
  return { element, value: () => normalize(input.value) };
}

/**
 * @param {{label: string, options: Option[], value: string, onchange?: () => void}} given
 * @returns {Field}
 */
export function select({ label, options, value, onchange = () => {} }) {
  const id = uniqueId();
  const list = h("select", { id, class: "select", onchange });
  list.append(...options.map((option) => h("option", { value: option.value }, option.label)));
  list.value = options.some((option) => option.value === value) ? value : options[0].value;
  const element = h("div", { class: "field" }, h("label", { for: id, class: "label" }, label), list);
  return { element, value: () => list.value };
}

/**
 * A checkbox with the values `yes` and `no`.
 *
 * @param {{label: string, value: string}} given
 * @returns {Field}
 */
export function checkbox({ label, value }) {
  const box = h("input", { type: "checkbox", checked: value === "yes" });
  const element = h("label", { class: "switch" }, box, h("span", null, label));
  return { element, value: () => (box.checked ? "yes" : "no") };
}

/**
 * The collapsed part of a form.
 *
 * @param {string} summary
 * @param {...HTMLElement} children
 * @returns {HTMLElement}
 */
export function moreOptions(summary, ...children) {
  return h("details", { class: "more" }, h("summary", null, summary), h("div", null, children));
}

/**
 * Two groups of fields, side by side in a wide window.
 *
 * @param {HTMLElement[]} first
 * @param {HTMLElement[]} second
 * @returns {HTMLElement}
 */
export function twoColumns(first, second) {
  return h("div", { class: "two-columns" }, h("div", null, first), h("div", null, second));
}

/**
 * A form with a heading, named fields and the submit button.
 *
 * @param {{title: string, lead?: string, go: string, fields: Record<string, Field>,
 *   body: HTMLElement[], start: (values: Record<string, string>) => void,
 *   valid?: () => boolean}} given
 */
export function form({ title, lead, go, fields, body, start, valid = () => true }) {
  const button = h("button", { type: "submit", class: "button-primary wide" }, go);
  let waits = false;
  const element = h(
    "form",
    { class: "screen form", noValidate: true, onsubmit: submit },
    h("header", null, h("h1", null, title), lead ? h("p", { class: "lead" }, lead) : null),
    body,
    h("div", { class: "go" }, button),
  );

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    if (!waits && valid()) {
      start(values());
    }
  }

  function values() {
    const pairs = Object.entries(fields).map(([name, field]) => [name, field.value()]);
    return Object.fromEntries(pairs);
  }

  /**
   * @param {boolean} waiting whether the last submit has no answer yet
   * @param {string} label for the button meanwhile
   */
  function wait(waiting, label) {
    waits = waiting;
    button.textContent = waiting ? label : go;
    button.setAttribute("aria-disabled", String(waiting));
  }

  return { element, values, wait };
}

