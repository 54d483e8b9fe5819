// The window in which the board is seen: whole, or close up where its cells are small, and the
// rule that on small cells a tap chooses and a second one (or the large button) plays.
// @ts-check

import { h, setText, toggle } from "../dom.js";
import { createBoard } from "./board.js";
import { cellName, markLetter } from "./room-text.js";

/** @typedef {import("../strings.js").Strings} Strings */
/** @typedef {import("../protocol.js").BoardSpec} BoardSpec */
/** @typedef {Omit<import("./board.js").Position, "selected">} Shown */

/** Cells narrower than this, in CSS pixels, are easily missed by a finger: a tap only chooses. */
const SURE_PX = 40;

/** Cells narrower than this are too small even to choose among: a tap also comes closer. */
const SMALL_PX = 30;

/**
 * The buttons below the board.
 * @param {Strings} strings
 * @param {{play: () => void, cancel: () => void, zoom: () => void}} does what they do
 */
function createTools(strings, { play, cancel, zoom }) {
  const button = (/** @type {string} */ kind, /** @type {() => void} */ act) =>
    h("button", { type: "button", class: kind, onclick: act });
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
     * @param {boolean} close whether the board is seen close up
     * @param {boolean} small whether its cells are too small when it is seen whole
     * @param {boolean} chosen whether a cell waits for the tap that plays it
     */
    update(close, small, chosen) {
      toggle(buttons.zoom, small || close);
      setText(buttons.zoom, strings(close ? "board.whole" : "board.closer"));
      toggle(buttons.confirm, chosen);
      toggle(buttons.cancel, chosen);
      toggle(element, small || close || chosen);
    },
  };
}

/** @param {Element} pane @param {Element} part is brought to its middle */
function scrollTo(pane, part) {
  const [cell, window] = [part, pane].map((one) => one.getBoundingClientRect());
  pane.scrollLeft += cell.x + cell.width / 2 - (window.x + window.width / 2);
  pane.scrollTop += cell.y + cell.height / 2 - (window.y + window.height / 2);
}

/** A board in its window. */
export class ZoomableBoard {
  /** @type {number | null} */ #selected = null;
  #close = false;
  /** @type {Shown | null} */ #position = null;
  #shownPly = -1;
  #board;
  #options;
  #view;
  #pane;
  #tools;
  #resized;
  /** What is put into the page. */
  element;

  /**
   * @param {BoardSpec} board
   * @param {{strings: Strings, play: (cell: number) => void,
   *   mayPlay: (cell: number) => boolean}} options `mayPlay` also says why not, where it is false
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
      zoom: () => this.#look(!this.#close),
    });
    this.element = h("div", { class: "zoomable-board" }, this.#pane, this.#tools.element);
    this.element.style.setProperty("--w", String(board.width));
    this.element.style.setProperty("--h", String(board.height));
    this.#resized = new ResizeObserver(() => this.#render());
    this.#resized.observe(this.#pane);
  }

  /** Puts the focus on the board. */
  focus() {
    this.#view.focus();
  }

  destroy() {
    this.#resized.disconnect();
  }

  /**
   * @param {Shown} now
   * @param {number} ply how many marks the game has: another position forgets what was chosen
   */
  update(now, ply) {
    if (ply !== this.#shownPly) this.#selected = null;
    this.#shownPly = ply;
    this.#position = now;
    this.#render();
  }

  /** How wide a cell is when the whole board is seen. */
  #wholeCell() {
    return this.#pane.clientWidth / this.#board.width;
  }

  /** @param {number} cell @param {boolean} touched */
  #choose(cell, touched) {
    if (!this.#options.mayPlay(cell)) return;
    if (!touched || this.#wholeCell() >= SURE_PX || this.#selected === cell) {
      this.#select(cell);
      this.#playSelected();
      return;
    }
    this.#select(cell);
    if (this.#wholeCell() < SMALL_PX && !this.#close) this.#look(true);
  }

  #playSelected() {
    const cell = this.#selected;
    this.#selected = null;
    this.#close = false;
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

  /** @param {boolean} nearer */
  #look(nearer) {
    this.#close = nearer;
    this.#render();
    const at = this.#selected ?? this.#position?.last;
    if (nearer && at !== null && at !== undefined) scrollTo(this.#pane, this.#view.buttonOf(at));
  }

  #render() {
    const [position, selected, { strings }] = [this.#position, this.#selected, this.#options];
    if (!position) return;
    this.#pane.classList.toggle("is-zoomed", this.#close);
    this.#view.update({ ...position, selected });
    const small = this.#pane.clientWidth > 0 && this.#wholeCell() < SMALL_PX;
    this.#tools.update(this.#close, small, selected !== null);
    if (selected !== null && position.ghost) {
      const cell = cellName(strings, this.#board, selected);
      setText(this.#tools.confirm, strings("board.confirm", { mark: markLetter(position.ghost), cell }));
    }
  }
}
