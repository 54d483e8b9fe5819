// The player's tries on each day, stored on this device, and the puzzles loaded on this visit.
// @ts-check

import { BASE } from "../router.js";
import { isRefused, read, write } from "../storage.js";
import { withResult } from "./model.js";

/** @typedef {import("./model.js").Puzzle} Puzzle */
/** @typedef {import("./model.js").Results} Results */

const KEY = "noughts.puzzles";

const local = () => localStorage;

/** @returns {Results} */
export function results() {
  const stored = read(local, KEY) ?? {};
  const isTries = (/** @type {any} */ tries) => Array.isArray(tries?.wrong) && Array.isArray(tries?.right);
  return /** @type {Results} */ (Object.fromEntries(Object.entries(stored).filter(([, tries]) => isTries(tries))));
}

/** @param {string} date @param {import("./model.js").Tries} tries */
export function keep(date, tries) {
  write(local, KEY, withResult(results(), date, tries));
}

export { isRefused };

/** The puzzles of this visit. @type {Map<string, Puzzle>} */
const loaded = new Map();

/** Most puzzles of a visit that are kept. */
const MOST_LOADED = 60;

/**
 * The puzzle of a day; null where the server has none yet.
 *
 * @param {string} date
 * @returns {Promise<Puzzle | null>} fails without a connection
 */
export async function load(date) {
  const known = loaded.get(date);
  if (known) return known;
  const response = await fetch(new URL(`puzzles/${date}.json`, BASE));
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`puzzle: ${response.status}`);
  const puzzle = await response.json();
  if (loaded.size >= MOST_LOADED) loaded.clear();
  loaded.set(date, puzzle);
  return puzzle;
}
