// Texts of the page of hosts: times, sizes, people, deeds. Pure.
// @ts-check

import { locale, strings } from "../strings.js";

/** @typedef {import("./door.js").Who} Who */

/** @param {number} count */
export const number = (count) => count.toLocaleString(locale());

/** The units of a time, in seconds. @type {[string, number][]} */
const UNITS = [["days", 86_400], ["hours", 3_600], ["minutes", 60], ["seconds", 1]];

/** The largest unit of a time, and what is left in the next one: "2 h 5 min". @param {number} seconds */
export function span(seconds) {
  const at = UNITS.findIndex(([, unit]) => seconds >= unit);
  const [name, unit] = UNITS.at(at) ?? UNITS[0];
  const text = strings(`host.span.${name}`, { count: Math.floor(seconds / unit) });
  // Seconds beside minutes would change all the time.
  const [below, lesser] = UNITS[at + 1] ?? ["seconds", 1];
  const rest = Math.floor((seconds % unit) / lesser);
  return at < 0 || below === "seconds" || rest === 0 ? text : `${text} ${strings(`host.span.${below}`, { count: rest })}`;
}

/** @param {number} bytes */
export function size(bytes) {
  const megabytes = bytes / 1_000_000;
  const digits = megabytes < 10 ? 1 : 0;
  return strings("host.size", { size: megabytes.toLocaleString(locale(), { maximumFractionDigits: digits }) });
}

/** A time of today as a time, another one with its day. @param {number} ms since 1970 */
export function moment(ms) {
  const then = new Date(ms);
  const today = then.toDateString() === new Date().toDateString();
  return then.toLocaleString(locale(), today ? { timeStyle: "medium" } : { dateStyle: "medium", timeStyle: "short" });
}

/** A player's id, an address, or a network. @param {Who} who */
export function whoText(who) {
  if ("player" in who) return who.player;
  return who.network.replace(/^(.*:.*)\/128$|^([^:]*)\/32$/, "$1$2");
}

/**
 * The people whom a text means; null if it means nobody.
 *
 * @param {string} text a player's id, an address, or a network
 * @returns {Who | null}
 */
export function parseWho(text) {
  const tidy = text.trim();
  if (/^[0-9a-f]{16}$/i.test(tidy)) return { player: tidy.toLowerCase() };
  const [, address, length] = /^([0-9a-f:.]+)(\/\d{1,3})?$/i.exec(tidy) ?? [];
  if (!address || !/[.:]/.test(address)) return null;
  return { network: address + (length ?? (address.includes(":") ? "/128" : "/32")) };
}

/** Everybody from an address, which stands for a /64 in IPv6. @param {string} address */
export const addressOf = (address) => ({ network: address + (address.includes(":") ? "/64" : "/32") });

/** Everybody from the network of an address: a school's, or a provider's. @param {string} address */
export const networkOf = (address) =>
  address.includes(":") ? { network: `${address}/48` } : { network: `${address.replace(/\.\d+$/, ".0")}/24` };

/** A deed in words. @param {import("./door.js").Deed} deed */
export function deedText(deed) {
  const { type, who, ...others } = deed;
  const given = Object.entries(others).filter(([, value]) => typeof value === "string" || typeof value === "number");
  const params = { ...Object.fromEntries(given), who: who ? whoText(who) : "" };
  const special = SPECIAL.find(([name, is]) => name === type && is(deed));
  const key = `host.deed.${special?.[2] ?? type}`;
  if (!strings.has(key)) return type;
  const feature = deed.feature ? strings(`host.feature.${deed.feature}`) : "";
  return strings(key, { ...params, feature }) + (deed.reason ? `: ${deed.reason}` : "");
}

/** Deeds that have a second text. @type {[string, (deed: import("./door.js").Deed) => boolean, string][]} */
const SPECIAL = [
  ["close", ({ closed }) => !closed, "open"],
  ["switch", ({ on }) => on, "switch.on"],
  ["rename", ({ name }) => !name, "rename.back"],
  ["say", ({ to }) => Boolean(to), "say.to"],
];
