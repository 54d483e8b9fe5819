// The board and its zoom. On small cells the first tap selects a cell, and a second tap or the large
// button plays it.
// @ts-check

import { h, setText, toggle } from "../dom.js";
import { createBoard } from "./board.js";
import { cellName, markLetter } from "./room-text.js";

/** @typedef {import("../strings.js").Strings} Strings */
/** @typedef {import("../protocol.js").BoardSpec} BoardSpec */
/** @typedef {Omit<import("./board.js").Position, "selected">} Shown */

/** Narrower cells, in CSS pixels, are easy to miss by a finger: the first tap only selects. */
const ONE_TAP_PX = 40;

/** Narrower cells are too small to select: the first tap also zooms in. */
const ZOOM_PX = 30;

/**
 * @param {Strings} strings
 * @param {{play: () => void, cancel: () => void, zoom: () => void}} handlers of the buttons
 */
function createTools(strings, { play, cancel, zoom }) {
  const button = (/** @type {string} */ kind, /** @type {() => void} */ onclick) =>
    h("button", { type: "button", class: kind, onclick });
  const buttons = {
    confirm: button("button-primary", play),
    cancel: button("button-quiet", cancel),
    zoom: button("button-quiet", zoom),
  };
  buttons.cancel.append(strings("board.cancel"));
  const element = h("div", { class: "board-tools" }, Object.values(buttons));
  return {
    element,
    confirm: buttons.confirm,
    /**
     * @param {boolean} zoomed
     * @param {boolean} small whether the cells of the whole board are too small
     * @param {boolean} selected whether a cell is selected
     */
    update(zoomed, small, selected) {
      toggle(buttons.zoom, small || zoomed);
      setText(buttons.zoom, strings(zoomed ? "board.whole" : "board.closer"));
      toggle(buttons.confirm, selected);
      toggle(buttons.cancel, selected);
      toggle(element, small || zoomed || selected);
    },
  };
}

/** @param {Element} pane @param {Element} part scrolled to the middle */
function scrollTo(pane, part) {
  const [cell, window] = [part, pane].map((one) => one.getBoundingClientRect());
  pane.scrollLeft += cell.x + cell.width / 2 - (window.x + window.width / 2);
  pane.scrollTop += cell.y + cell.height / 2 - (window.y + window.height / 2);
}

export class ZoomableBoard {
  /** @type {number | null} */ #selected = null;
  #zoomed = false;
  /** @type {Shown | null} */ #position = null;
  #shownPly = -1;
  #board;
  #options;
  #view;
  #pane;
  #tools;
  #resized;
  element;

  /**
   * @param {BoardSpec} board
   * @param {{strings: Strings, play: (cell: number) => void,
   *   mayPlay: (cell: number) => boolean}} options `mayPlay` shows the reason where it is false
   */
  constructor(board, options) {
    this.#board = board;
    this.#options = options;
    const { strings } = options;
    this.#view = createBoard(board, { strings, choose: (cell, touched) => this.#choose(cell, touched) });
    this.#pane = h("div", { class: "board-window" }, this.#view.element);
    this.#tools = createTools(strings, {
      play: () => this.#playSelected(),
      cancel: () => this.#select(null),
      zoom: () => this.#zoom(!this.#zoomed),
    });
    this.element = h("div", { class: "zoomable-board" }, this.#pane, this.#tools.element);
    this.element.style.setProperty("--w", String(board.width));
    this.element.style.setProperty("--h", String(board.height));
    this.#resized = new ResizeObserver(() => this.#render());
    this.#resized.observe(this.#pane);
  }

  focus() {
    this.#view.focus();
  }

  destroy() {
    this.#resized.disconnect();
  }

  /**
   * @param {Shown} now
   * @param {number} ply the number of marks; a new position clears the selection
   */
  update(now, ply) {
    if (ply !== this.#shownPly) this.#selected = null;
    this.#shownPly = ply;
    this.#position = now;
    this.#render();
  }

  /** The width of a cell of the whole board. */
  #wholeCell() {
    return this.#pane.clientWidth / this.#board.width;
  }

  /** @param {number} cell @param {boolean} touched */
  #choose(cell, touched) {
    if (!this.#options.mayPlay(cell)) return;
    if (!touched || this.#wholeCell() >= ONE_TAP_PX || this.#selected === cell) {
      this.#select(cell);
      this.#playSelected();
      return;
    }
    this.#select(cell);
    if (this.#wholeCell() < ZOOM_PX && !this.#zoomed) this.#zoom(true);
  }

  #playSelected() {
    const cell = this.#selected;
    this.#selected = null;
    this.#zoomed = false;
    if (cell !== null && this.#options.mayPlay(cell)) this.#options.play(cell);
    this.#render();
    const focused = document.activeElement;
    if (focused === this.#tools.confirm || focused === document.body) this.focus();
  }

  /** @param {number | null} cell */
  #select(cell) {
    this.#selected = cell;
    if (cell === null) this.focus();
    this.#render();
  }

  /** @param {boolean} zoomed */
  #zoom(zoomed) {
    this.#zoomed = zoomed;
    this.#render();
    const at = this.#selected ?? this.#position?.last;
    if (zoomed && at !== null && at !== undefined) scrollTo(this.#pane, this.#view.buttonOf(at));
  }

  #render() {
    const [position, selected, { strings }] = [this.#position, this.#selected, this.#options];
    if (!position) return;
    this.#pane.classList.toggle("is-zoomed", this.#zoomed);
    this.#view.update({ ...position, selected });
    const small = this.#pane.clientWidth > 0 && this.#wholeCell() < ZOOM_PX;
    this.#tools.update(this.#zoomed, small, selected !== null);
    if (selected !== null && position.ghost) {
      const cell = cellName(strings, this.#board, selected);
      setText(this.#tools.confirm, strings("board.confirm", { mark: markLetter(position.ghost), cell }));
    }
  }
}
