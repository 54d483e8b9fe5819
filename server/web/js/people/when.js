// Dates and numbers in the language of the page. Pure.
// @ts-check

import { locale } from "../strings.js";

/**
 * A time of today as a time, another one as a day, with the year if it is not this one.
 *
 * @param {number} ms since 1970
 * @param {number} [now]
 */
export function shortDate(ms, now = Date.now()) {
  const then = new Date(ms);
  const today = new Date(now);
  if (then.toDateString() === today.toDateString()) return then.toLocaleTimeString(locale(), { timeStyle: "short" });
  const year = then.getFullYear() === today.getFullYear() ? undefined : "numeric";
  return then.toLocaleDateString(locale(), { day: "numeric", month: "short", year });
}

/** @param {number} ms since 1970 */
export const longDate = (ms) => new Date(ms).toLocaleString(locale(), { dateStyle: "long", timeStyle: "short" });

/** @param {number} ms since 1970 */
export const dayOf = (ms) => new Date(ms).toLocaleDateString(locale(), { dateStyle: "long" });

/** @param {number} count */
export const number = (count) => count.toLocaleString(locale());
