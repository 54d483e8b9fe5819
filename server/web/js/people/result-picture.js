// The end of a kept game as a small drawing: the winning line on the board, else the winner's mark, else
// both marks. A line that is not one of the winner's marks is not drawn. Screen readers skip it; a word
// stands beside it.
// @ts-check

import { html } from "../html.js";
import { MARK_SIDE, gridStrokes, lineStroke, markStrokes } from "../room/pen.js";
import { MARKS } from "../client/rules.js";
import { winnerOf } from "./kept.js";

/** Boards up to this side have lines; those of larger boards are too close. */
const LINED_SIDE = 7;

/** The variants in which the winner has a line of the own marks, or boards, on one board. */
const LINES = ["line", "exact", "gravity", "vanish", "ultimate"];

/** Nine boards stand as the cells of one, and a cube as one of its layers. @param {import("../client/protocol.js").GameSummary} game */
function shownBoard({ board, variant }) {
  if (variant === "ultimate") return { width: 3, height: 3 };
  return variant === "qubic" ? { width: board.width, height: board.width } : board;
}

/** @param {import("../client/protocol.js").WinningLine} line */
const cellsOf = (line) => (line.kind === "boards" ? line.boards : line.cells);

/** @param {{game: import("../client/protocol.js").GameSummary}} props */
export function ResultPicture({ game }) {
  const { variant = "line", result, id } = game;
  const board = shownBoard(game);
  const { width, height } = board;
  const side = Math.max(width, height);
  const lines = result.how === "line" && LINES.includes(variant) ? result.lines.map(cellsOf) : [];
  const winner = winnerOf(game);
  const grid = side > LINED_SIDE ? `M0 0H${width}V${height}H0Z` : gridStrokes(board, 0.08, id);
  const cells = [...new Set(lines.flat())];
  const box = `${(width - side) / 2 - 0.1} ${(height - side) / 2 - 0.1} ${side + 0.2} ${side + 0.2}`;
  return html`<svg class="result-picture" viewBox=${box} aria-hidden="true">
    <path class="result-grid" d=${grid} />
    ${side <= LINED_SIDE && winner && cells.map((cell) => mark(winner, { x: cell % width, y: Math.floor(cell / width), size: 1 }, id))}
    ${lines.map((line) => html`<path class="result-line mark-${winner}" d=${through(line, width, id)} />`)}
    ${lines.length === 0 && sign(winner, { width, height, side }, id)}
  </svg>`;
}

/**
 * @param {import("../client/protocol.js").Mark} which
 * @param {{x: number, y: number, size: number}} place in cells
 * @param {string} seed
 */
const mark = (which, { x, y, size }, seed) => html`
  <g class="mark-${which}" transform="translate(${x} ${y}) scale(${size / MARK_SIDE})">
    ${markStrokes(which, `${seed} ${x} ${y}`).map((d) => html`<path d=${d} />`)}
  </g>
`;

/** @param {readonly number[]} cells @param {number} width @param {string} seed */
function through(cells, width, seed) {
  const [from, to] = [cells[0], cells[cells.length - 1]].map((cell) => ({
    x: (cell % width) + 0.5, y: Math.floor(cell / width) + 0.5,
  }));
  return lineStroke(from, to, `${seed} ${cells.join()}`);
}

/**
 * A game without a line: the mark of the winner, or both marks.
 *
 * @param {import("../client/protocol.js").Mark | null} winner
 * @param {{width: number, height: number, side: number}} board
 * @param {string} seed
 */
function sign(winner, { width, height, side }, seed) {
  if (winner) {
    const size = side * 0.8;
    return mark(winner, { x: (width - size) / 2, y: (height - size) / 2, size }, seed);
  }
  const size = side * 0.56;
  return MARKS.map((which, at) => mark(which, { x: width / 2 + (at - 1) * size * 0.92, y: (height - size) / 2, size }, seed));
}
