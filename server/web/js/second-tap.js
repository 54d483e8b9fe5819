// The second tap of a double tap was for what the first one was on.
// @ts-check

/** Two taps within so many milliseconds and so many pixels are a double tap. */
const DOUBLE_MS = 700;
const DOUBLE_PX = 40;

/** What comes under the finger: a board, or emotes. */
const COMES = "[role=grid], .emotes";

/**
 * What has come since the first tap does nothing at the second one.
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
    if (detail > 0 && isNear && on && !before.includes(on)) event.stopPropagation();
    else [first, before] = [event, [...root.querySelectorAll(COMES)]];
  }, true);
}
