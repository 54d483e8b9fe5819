// The texts of the puzzle of the day in English.
// @ts-check

/** @param {number} count @param {string} one @param {string} many */
const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;

const NUMBERS = ["", "one", "two", "three", "four", "five"];

/** @type {import("../strings.js").StringTable} */
export const en = {
  "puzzle.title": "Puzzle of the day",
  "puzzle.loading": "One moment …",
  "puzzle.none": "There is no puzzle for this day: it has not come yet, or was before the first one.",
  "puzzle.failed": "The puzzle did not load. Try again when you are connected.",
  "puzzle.again": "Try again",
  "puzzle.task": ({ moves }) => `X wins in ${NUMBERS[moves] ?? moves}`,
  "puzzle.of": "{date} · no. {number}",
  "puzzle.rule": ({ line }) => `You are X: ${NUMBERS[line] ?? line} in a row wins, and only one move does it in time. A wrong try costs a star.`,
  "puzzle.refused": "Your browser stores nothing here: stars and streak go when you close this tab.",
  "puzzle.begin": "Find the first move.",
  "puzzle.right": "Right!",
  "puzzle.wrong": ({ cell, left }) => `Not ${cell}: that does not win in ${NUMBERS[left] ?? left}.`,
  "puzzle.reply": ({ cell, left }) => `O plays ${cell}. ${left === 1 ? "Now win." : `${plural(left, "move", "moves")} to go.`}`,
  "puzzle.solved": "Solved!",
  "puzzle.solved.today": "Solved",
  "puzzle.shown": "This is how X wins: {moves}.",
  "puzzle.show": "Show me",
  "puzzle.stars": ({ count }) => plural(count, "star", "stars"),
  "puzzle.streak": ({ days }) => (days === 1 ? "Solved today: a streak begins." : `${days} days in a row`),
  "puzzle.share": "Share",
  "puzzle.share.title": ({ date, moves }) => `Noughts, ${date}: X wins in ${moves}`,
  "puzzle.copied": "Copied. It tells no move.",
  "puzzle.hand": "Copy the text by hand.",
  "puzzle.today": "Today’s puzzle",
  "puzzle.next": "The next one comes in",
  "puzzle.archive": "Earlier puzzles",
  "puzzle.earlier": "The month before",
  "puzzle.later": "The month after",
};
