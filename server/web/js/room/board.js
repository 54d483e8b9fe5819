// The board: an ARIA grid, built once for its size and updated in place. It shows positions and knows
// no games. Zoom is in `zoomable-board.js`, a cell in `cell.js`, drawings in `board-svg.js`.
// @ts-check

import { h, setAttr } from "../dom.js";
import { columnName, isNumbered } from "../rules.js";
import { createCell } from "./cell.js";
import { gridLines, winningLayer, winningStroke } from "./board-svg.js";

/** @typedef {import("../strings.js").Strings} Strings */
/** @typedef {import("../protocol.js").Mark} Mark */
/** @typedef {import("../protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("../protocol.js").WinningLine} WinningLine */

/**
 * @typedef {object} Position
 * @property {readonly (Mark | null)[]} marks the mark of each cell
 * @property {number | null} last the cell of the last move
 * @property {{cell: number, mark: Mark} | null} sending a move without an answer
 * @property {number | null} selected a cell that the next tap plays
 * @property {readonly number[]} hinted the cells of a hint
 * @property {readonly WinningLine[]} lines the winning lines
 * @property {import("../protocol.js").ReviewedMove["verdict"] | null} verdict the review of
 *   the last move
 * @property {Mark | null} ghost the mark that the player may place
 */

/**
 * @param {BoardSpec} board
 * @param {{strings: Strings, choose: (cell: number, touched: boolean) => void}} options
 */
export function createBoard(board, { strings, choose }) {
  const numbered = isNumbered(board);
  const cells = Array.from({ length: board.width * board.height }, (_, cell) =>
    createCell(strings, board, cell),
  );
  const rows = Array.from({ length: board.height }, (_, row) => {
    const buttons = cells.slice(row * board.width, (row + 1) * board.width);
    return h(
      "div",
      { class: "grid-row", role: "row" },
      buttons.map(({ button }) => button),
    );
  });
  const name = strings("board.name", { ...board });
  const grid = h("div", { class: "grid", role: "grid", "aria-label": name }, rows);
  const winning = winningLayer(board);
  const element = h("div", { class: numbered ? "board board-numbered" : "board" });
  element.style.setProperty("--w", String(board.width));
  element.style.setProperty("--h", String(board.height));
  element.append(...(numbered ? [] : edges(board)), gridLines(board), grid, winning);
  const buttons = cells.map(({ button }) => button);
  const stop = followKeysAndPointers(grid, buttons, board, choose);

  let shownLines = "";
  let first = true;
  return {
    element,
    /** @param {number} cell */
    buttonOf: (cell) => buttons[cell],
    /** Focuses the board's tab stop. */
    focus: () => stop().focus({ preventScroll: true }),
    /** @param {Position} now */
    update(now) {
      grid.dataset.ghost = now.ghost ?? "";
      setAttr(element, "data-verdict", now.verdict);
      const won = new Set(now.lines.flatMap((line) => line.cells));
      for (const cell of cells) cell.update(now, won, !first);
      first = false;
      const lines = now.lines.map((line) => line.cells.join()).join(" ");
      if (lines === shownLines) return;
      shownLines = lines;
      winning.replaceChildren(...now.lines.map((line) => winningStroke(board, line.cells)));
    },
  };
}

/**
 * Handles keys and pointers. The grid has one tab stop; arrow keys move it.
 * @param {HTMLElement} grid
 * @param {readonly HTMLElement[]} buttons of its cells
 * @param {BoardSpec} board
 * @param {(cell: number, touched: boolean) => void} choose
 * @returns {() => HTMLElement} the current tab stop
 */
function followKeysAndPointers(grid, buttons, board, choose) {
  let current = Math.floor(board.height / 2) * board.width + Math.floor(board.width / 2);
  let touched = false;
  buttons[current].tabIndex = 0;

  /** @param {number} cell */
  function stopAt(cell) {
    buttons[current].tabIndex = -1;
    current = cell;
    buttons[current].tabIndex = 0;
  }

  /** @param {Event} event */
  function cellOf(event) {
    const button = event.target instanceof Element ? event.target.closest("[data-cell]") : null;
    return button instanceof HTMLElement ? Number(button.dataset.cell) : null;
  }

  // Not every browser tells the pointer type of a click, so the press before it does.
  grid.addEventListener("pointerdown", (event) => {
    touched = event.pointerType === "touch";
  });
  grid.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (cell === null) return;
    stopAt(cell);
    // A click by keyboard has `detail` 0.
    choose(cell, touched && event.detail > 0);
  });
  grid.addEventListener("focusin", (event) => {
    const cell = cellOf(event);
    if (cell !== null) stopAt(cell);
  });
  grid.addEventListener("keydown", (event) => {
    const next = neighbour(board, current, event);
    if (next === null) return;
    event.preventDefault();
    stopAt(next);
    buttons[next].focus();
  });
  return () => buttons[current];
}

/**
 * The cell that a key leads to, or null for other keys.
 * @param {BoardSpec} board
 * @param {number} cell
 * @param {KeyboardEvent} event
 */
function neighbour({ width, height }, cell, { key, ctrlKey, altKey, metaKey }) {
  if (altKey || metaKey) return null;
  const [row, column] = [Math.floor(cell / width), cell % width];
  const at = (/** @type {number} */ y, /** @type {number} */ x) =>
    Math.min(Math.max(y, 0), height - 1) * width + Math.min(Math.max(x, 0), width - 1);
  switch (key) {
    case "ArrowLeft":
      return at(row, column - 1);
    case "ArrowRight":
      return at(row, column + 1);
    case "ArrowUp":
      return at(row - 1, column);
    case "ArrowDown":
      return at(row + 1, column);
    case "Home":
      return ctrlKey ? 0 : at(row, 0);
    case "End":
      return ctrlKey ? width * height - 1 : at(row, width);
    case "PageUp":
      return at(0, column);
    case "PageDown":
      return at(height, column);
    default:
      return null;
  }
}

/**
 * The names of columns and rows at two edges. Screen readers skip them.
 * @param {BoardSpec} board
 */
function edges({ width, height }) {
  const edge = (/** @type {string} */ name, /** @type {string[]} */ labels) =>
    h(
      "div",
      { class: name, "aria-hidden": "true" },
      labels.map((label) => h("span", null, label)),
    );
  return [
    edge(
      "edge edge-columns",
      Array.from({ length: width }, (_, x) => columnName(x + 1)),
    ),
    edge(
      "edge edge-rows",
      Array.from({ length: height }, (_, y) => String(y + 1)),
    ),
  ];
}
