// Makes and changes elements. Text stays text: nothing here parses HTML.
// @ts-check

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 */

/**
 * Makes an HTML element. Of `props`, `class`, `role`, `for`, `list`, `inert` and names with a dash
 * become attributes, functions such as `onclick` become listeners, and the others become
 * properties. Attributes that are `null`, `undefined` or `false` are left out.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any> | null} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = null, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    set(element, name, value);
  }
  element.append(...nodes(children));
  return element;
}

/**
 * Makes an SVG element; all of `props` are attributes.
 *
 * @param {string} tag
 * @param {Record<string, string | number>} [props]
 * @param {...Node} children
 * @returns {SVGElement}
 */
export function svg(tag, props = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(props)) {
    element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

const ATTRIBUTES = new Set(["class", "role", "for", "list", "inert"]);

/** @param {HTMLElement} element @param {string} name @param {any} value */
function set(element, name, value) {
  if (typeof value === "function" && name.startsWith("on")) {
    element.addEventListener(name.slice(2), value);
  } else if (ATTRIBUTES.has(name) || name.includes("-")) {
    setAttr(element, name, value);
  } else if (value !== null && value !== undefined) {
    // @ts-ignore the caller knows the element's properties
    element[name] = value;
  }
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
function nodes(children) {
  return children
    .flat()
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}

/**
 * Sets or removes an attribute, if its value changes.
 *
 * @param {Element} element
 * @param {string} name
 * @param {string | number | boolean | null | undefined} value `true` is the empty attribute
 */
export function setAttr(element, name, value) {
  if (value === null || value === undefined || (value === false && !name.startsWith("aria-"))) {
    element.removeAttribute(name);
    return;
  }
  const text = value === true && !name.startsWith("aria-") ? "" : String(value);
  if (element.getAttribute(name) !== text) {
    element.setAttribute(name, text);
  }
}

/**
 * Sets an element's text, if it changes.
 *
 * @param {Node} element
 * @param {string | number} text
 */
export function setText(element, text) {
  if (element.textContent !== String(text)) {
    element.textContent = String(text);
  }
}

/**
 * @param {HTMLElement} element
 * @param {boolean} shown
 */
export function toggle(element, shown) {
  if (element.hidden === shown) {
    element.hidden = !shown;
  }
}

/**
 * Replaces the children of an element.
 *
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function replace(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/**
 * Moves the focus to any element, for example a heading.
 *
 * @param {HTMLElement} element
 */
export function focusOn(element) {
  if (!element.matches("a[href], button, input, select, textarea, [tabindex]")) {
    element.tabIndex = -1;
  }
  element.focus({ preventScroll: true });
}

let ids = 0;

/**
 * A new id for an element.
 *
 * @returns {string}
 */
export function uniqueId() {
  ids += 1;
  return `n${ids}`;
}
