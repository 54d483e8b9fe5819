// Moves the focus.
// @ts-check

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
