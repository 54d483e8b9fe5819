// The board: an ARIA grid. It shows a position and knows no games. Zoom is in `zoomable-board.js`, a cell
// in `cell.js`, drawings in `board-svg.js`. Elements made and changed by hand were not faster, even on
// 19 × 19: only cells that change are drawn again.
// @ts-check

import { Component, createRef, html } from "../html.js";
import { columnName, isNumbered } from "../client/rules.js";
import { VARIANTS } from "../parts.js";
import { language, strings } from "../strings.js";
import { GridLines, WinningLines } from "./board-svg.js";
import { Cell } from "./cell.js";
import { flat } from "./layout.js";
import { Pointed } from "./pointed.js";

/** @typedef {import("../client/protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./position.js").Position} Position */

/** The position of an empty board that nobody plays on, but for its marks. @type {Omit<Position, "marks" | "seed">} */
export const BARE = Object.freeze({
  last: null, sending: null, hinted: null, better: null, lines: [], winner: null, verdict: null, ghost: null, variant: "line",
  playable: null, leaving: null, removed: null, decided: [],
});

/**
 * @typedef {object} Props
 * @property {BoardSpec} board
 * @property {Layout} [layout] where its cells stand
 * @property {Position} position
 * @property {number | null} selected a cell that the next tap plays
 * @property {(cell: number, touched: boolean) => void} choose
 */

/** @extends {Component<Props, {stop: number}>} */
export class Board extends Component {
  #grid = /** @type {{current: HTMLElement | null}} */ (createRef());
  #pointed = /** @type {{current: Pointed | null}} */ (createRef());
  #touched = false;
  /** The grid has one tab stop; arrow keys move it. */
  state = { stop: centre(this.props.board) };

  // Not every browser tells the pointer type of a click, so the press before it does.
  #press = (/** @type {PointerEvent} */ event) => {
    this.#touched = event.pointerType === "touch";
  };

  #click = (/** @type {MouseEvent} */ event) => {
    const cell = cellOf(event);
    if (cell === null) return;
    this.setState({ stop: cell });
    // A click by keyboard has `detail` 0.
    this.props.choose(cell, this.#touched && event.detail > 0);
  };

  #focus = (/** @type {Event} */ event) => {
    const cell = cellOf(event);
    if (cell === null) return;
    this.setState({ stop: cell });
    if (/** @type {Element} */ (event.target).matches(":focus-visible")) this.#point(cell);
  };

  #over = (/** @type {PointerEvent} */ event) => {
    if (event.pointerType !== "touch") this.#point(cellOf(event));
  };

  #out = () => this.#point(null);

  /** @param {number | null} cell */
  #point(cell) {
    this.#pointed.current?.show(cell);
  }

  #key = (/** @type {KeyboardEvent} */ event) => {
    const cell = cellOf(event);
    const next = cell === null ? null : neighbour(this.props.board, cell, event);
    if (next === null) return;
    event.preventDefault();
    buttonOf(this.#grid.current, next)?.focus();
  };

  /** @param {Props} props @param {{stop: number}} state */
  render({ board, layout = flat(board), position, selected }, { stop }) {
    const { width, height } = board;
    const { seed, variant } = position;
    const { apart } = layout;
    const drawings = apart && VARIANTS.module;
    const won = new Set(position.lines.flatMap((line) => line.cells));
    const closed = drawings?.closedPanels(position);
    const cells = position.marks.map((mark, cell) => {
      const drawn = drawnAt(position, selected, cell);
      const isClosed = closed?.has(apart?.panelOf(cell));
      const classes = classesOf(position, selected, cell, won, isClosed);
      const hint = position.hinted?.cell === cell ? position.hinted.mark : null;
      const gone = position.removed === cell && position.last !== null ? position.marks[position.last] : null;
      const state = { mark, drawn, hint, gone, classes, isStop: cell === stop };
      const props = { key: cell, board, variant, cell, ...state, seed, place: apart?.place(cell), lang: language() };
      return html`<${Cell} ...${props} />`;
    });
    const rows = Array.from({ length: height }, (_, row) => cells.slice(row * width, (row + 1) * width));
    return html`<div
      class=${`board board-${variant}${isNumbered(board) ? " board-numbered" : ""}${apart ? " board-laid" : ""}`}
      style=${{ "--w": layout.width, "--h": layout.height }}
      data-verdict=${position.verdict}
    >
      ${!isNumbered(board) && !apart && html`<${Edges} board=${board} />`}
      <${WinningLines} board=${board} layout=${layout} position=${position} layer="under" />
      ${drawings
        ? html`<${drawings.Under} layout=${layout} position=${position} />`
        : html`<${GridLines} board=${board} marks=${position.marks} seed=${seed} />`}
      <${Pointed} self=${this.#pointed} board=${board} layout=${layout} position=${position} />
      <div
        ref=${this.#grid}
        class="grid"
        role="grid"
        aria-label=${VARIANTS.module?.boardName(variant, board) ?? strings("board.name", { ...board })}
        data-ghost=${position.ghost ?? ""}
        onpointerdown=${this.#press}
        onclick=${this.#click}
        onfocusin=${this.#focus}
        onfocusout=${this.#out}
        onpointerover=${this.#over}
        onpointerleave=${this.#out}
        onkeydown=${this.#key}
      >
        ${rows.map((row, at) => html`<div class="grid-row" role="row" style=${{ "--row": at }}>${row}</div>`)}
      </div>
      ${drawings && html`<${drawings.Over} layout=${layout} position=${position} />`}
      <${WinningLines} board=${board} layout=${layout} position=${position} layer="over" />
    </div>`;
  }
}

/** @param {BoardSpec} board */
const centre = ({ width, height }) => Math.floor(height / 2) * width + Math.floor(width / 2);

/** @param {Event} event */
function cellOf({ target }) {
  const button = target instanceof Element ? target.closest("[data-cell]") : null;
  return button instanceof HTMLElement ? Number(button.dataset.cell) : null;
}

/**
 * The button of a cell.
 * @param {Element | null} element around the board
 * @param {number} cell
 */
export const buttonOf = (element, cell) =>
  /** @type {HTMLElement | null | undefined} */ (element?.querySelector(`[data-cell="${cell}"]`));

/** Focuses the board's tab stop. @param {Element | null} element around the board */
export function focusBoard(element) {
  const stop = /** @type {HTMLElement | null | undefined} */ (element?.querySelector(".cell[tabindex='0']"));
  stop?.focus({ preventScroll: true });
}

/** @param {Position} position @param {number | null} selected @param {number} cell */
function drawnAt({ marks, sending, better, ghost }, selected, cell) {
  if (marks[cell]) return marks[cell];
  if (sending?.cell === cell) return sending.mark;
  if (better?.cell === cell) return better.mark;
  return selected === cell ? ghost : null;
}

/**
 * @param {Position} position
 * @param {number | null} selected
 * @param {number} cell
 * @param {Set<number>} won the cells of the winning lines
 * @param {boolean} closed whether the board of the cell is decided
 */
function classesOf(position, selected, cell, won, closed) {
  const free = !position.marks[cell];
  const flags = {
    last: position.last === cell,
    sending: free && position.sending?.cell === cell,
    selected: free && selected === cell,
    hinted: free && position.hinted?.cell === cell,
    better: free && position.better?.cell === cell,
    won: won.has(cell),
    lost: won.size > 0 && !won.has(cell),
    leaving: position.leaving === cell,
    closed,
    open: free && position.playable?.includes(cell),
    shut: free && position.playable?.includes(cell) === false,
    empty: !drawnAt(position, selected, cell),
  };
  return Object.entries(flags).flatMap(([flag, on]) => (on ? `is-${flag}` : [])).join(" ");
}

/**
 * The cell that a key leads to, or null for other keys.
 * @param {BoardSpec} board
 * @param {number} cell
 * @param {KeyboardEvent} event
 */
function neighbour({ width, height }, cell, { key, ctrlKey, altKey, metaKey }) {
  if (altKey || metaKey) return null;
  const row = Math.floor(cell / width);
  const column = cell % width;
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
 * @param {{board: BoardSpec}} props
 */
function Edges({ board: { width, height } }) {
  const labels = (/** @type {number} */ length, /** @type {(number: number) => string} */ name) =>
    Array.from({ length }, (_, at) => html`<span>${name(at + 1)}</span>`);
  return html`
    <div class="edge edge-columns" aria-hidden="true">${labels(width, columnName)}</div>
    <div class="edge edge-rows" aria-hidden="true">${labels(height, String)}</div>
  `;
}
