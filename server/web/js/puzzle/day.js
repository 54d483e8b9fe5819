// The day of a puzzle in words. Pure.
// @ts-check

import { locale } from "../strings.js";
import { startOf } from "./model.js";

/** @param {string} date as 2026-11-27 @param {Intl.DateTimeFormatOptions} [style] */
export const dayText = (date, style = { dateStyle: "full" }) =>
  new Date(startOf(date)).toLocaleDateString(locale(), { ...style, timeZone: "UTC" });
