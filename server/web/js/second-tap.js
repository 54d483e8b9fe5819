// Double taps: a board or emotes that have come under the finger take no second tap.
// @ts-check

/** Two taps within so many milliseconds and so many pixels are a double tap. */
const DOUBLE_MS = 700;
const DOUBLE_PX = 40;

/** A board, and a row of emotes. */
const COMES = "[role=grid], .emotes";

/**
 * Stops the second tap of a double tap on a board, or on emotes, that were not there at the first one.
 *
 * @param {HTMLElement} root
 */
export function ignoreSecondTaps(root) {
  let first = new MouseEvent("click");
  /** @type {Element[]} */
  let before = [];
  root.addEventListener("click", (event) => {
    const { detail, target, timeStamp, x, y } = event;
    const on = /** @type {Element} */ (target).closest(COMES);
    const isNear = timeStamp - first.timeStamp < DOUBLE_MS && Math.hypot(x - first.x, y - first.y) < DOUBLE_PX;
    if (detail > 0 && isNear && on && !before.includes(on)) return event.stopPropagation();
    first = event;
    before = [...root.querySelectorAll(COMES)];
  }, true);
}
