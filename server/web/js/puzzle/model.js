// The puzzle of the day without a screen: tries and stars, the position, the streak, the text to share, dates in UTC.
// The answers and O's replies come with the puzzle, so no rules are here. Pure.
// @ts-check

/** @typedef {import("../client/protocol.js").Mark} Mark */

/** @typedef {import("../client/protocol.js").DailyPuzzle} Puzzle */

/**
 * A player's tries, stored for each day.
 *
 * @typedef {object} Tries
 * @property {number[][]} wrong the wrong cells of each move so far
 * @property {number[]} right the cells of X so far
 * @property {boolean} [over] whether X has won
 * @property {boolean} [shown] whether the player has had it shown
 * @property {boolean} [onTime] whether it was solved on its day
 */

/** @typedef {Readonly<Record<string, Tries>>} Results by date */

/** A puzzle that was not begun. @type {Tries} */
export const FRESH = Object.freeze({ wrong: [], right: [] });

/** The stars of a puzzle without a wrong try. */
export const STARS = 3;

/** The day of the first puzzle. */
export const FIRST = "2026-01-01";

const DAY_MS = 24 * 3600 * 1000;

/** The day of a time, in UTC. @param {number} ms since 1970 */
export const dateOf = (ms) => new Date(ms).toISOString().slice(0, 10);

/** When a day begins, in milliseconds since 1970. @param {string} date */
export const startOf = (date) => Date.parse(`${date}T00:00:00Z`);

/** A day some days later. @param {string} date @param {number} days */
export const later = (date, days) => dateOf(startOf(date) + days * DAY_MS);

/** Whether a text is a day that may have a puzzle. @param {string} text */
const isDate = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && dateOf(startOf(text) || 0) === text;

/** Whether a day has a puzzle by now. @param {string} date @param {string} today */
export const hasCome = (date, today) => isDate(date) && FIRST <= date && date <= today;

/** @param {Puzzle} puzzle @param {Tries} tries */
export const isSolved = ({ answers }, { right }) => right.length === answers.length;

/** @param {Tries} tries */
export const starsOf = ({ wrong, shown }) => (shown ? 0 : Math.max(0, STARS - wrong.flat().length));

/**
 * A move of X.
 *
 * @param {Puzzle} puzzle @param {Tries} tries @param {number} cell an empty one
 * @returns {Tries} the same where this cell was tried before
 */
export function tried(puzzle, tries, cell) {
  const move = tries.right.length;
  if (puzzle.answers[move]?.includes(cell)) {
    const right = [...tries.right, cell];
    return { ...tries, right, over: right.length === puzzle.answers.length };
  }
  const before = tries.wrong[move] ?? [];
  if (before.includes(cell)) return tries;
  const wrong = puzzle.answers.map((_, at) => tries.wrong[at] ?? []);
  wrong[move] = [...before, cell];
  return { ...tries, wrong };
}

/** The rest of the solution. @param {Puzzle} puzzle @param {Tries} tries @returns {Tries} */
export const solved = ({ answers }, tries) => ({
  ...tries, over: true, shown: true, right: answers.map((cells, at) => tries.right[at] ?? cells[0]),
});

/**
 * The marks after some moves of X.
 *
 * @param {Puzzle} puzzle @param {number[]} right @param {boolean} answered whether O has answered the last one
 */
export function marksOf({ board, x, o, replies }, right, answered) {
  /** @type {(Mark | null)[]} */
  const marks = new Array(board.width * board.height).fill(null);
  for (const cell of [...x, ...right]) marks[cell] = "x";
  for (const cell of [...o, ...replies.slice(0, answered ? right.length : right.length - 1)]) marks[cell] = "o";
  return marks;
}

/**
 * How many days in a row have been solved, each on its day, up to today or yesterday.
 *
 * @param {Results} results @param {string} today
 */
export function streakOf(results, today) {
  let date = results[today]?.onTime ? today : later(today, -1);
  let days = 0;
  for (; results[date]?.onTime; date = later(date, -1)) days += 1;
  return days;
}

/** The most results that are stored. The oldest goes first. */
const MOST = 800;

/** @param {Results} results @param {string} date @param {Tries} tries @returns {Results} */
export function withResult(results, date, tries) {
  const all = Object.entries({ ...results, [date]: tries }).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(all.slice(-MOST));
}

/** Right, wrong, shown, a star, none: no colour that only some can tell from another. */
const SIGNS = { right: "🟦", wrong: "🟧", shown: "⬜", star: "⭐", streak: "🔥" };

/**
 * The tries of each move as signs, which name no cell.
 *
 * @param {Puzzle} puzzle @param {Tries} tries
 */
export const gridOf = ({ answers }, { wrong, shown }) =>
  answers.map((_, at) => SIGNS.wrong.repeat(wrong[at]?.length ?? 0) + (shown ? SIGNS.shown : SIGNS.right));

/**
 * The text to share.
 *
 * @param {{puzzle: Puzzle, tries: Tries, title: string, streak: number, link: string}} told
 */
export function shareText({ puzzle, tries, title, streak, link }) {
  const score = SIGNS.star.repeat(starsOf(tries)) + (streak > 1 ? ` ${SIGNS.streak} ${streak}` : "");
  return [title, ...gridOf(puzzle, tries), score.trim(), link].filter(Boolean).join("\n");
}
