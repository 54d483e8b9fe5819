// The window in which the board is seen: whole, or close up where its cells are small, and the
// rule that on small cells a tap chooses and a second one (or the large button) plays.
// @ts-check

import { h, setText, toggle } from "../dom.js";
import { createBoard } from "./board.js";
import { cellName, letter } from "./say.js";

/** @typedef {import("../protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("../protocol.js").Mark} Mark */

/** Cells narrower than this, in CSS pixels, are easily missed by a finger: a tap only chooses. */
const SURE_PX = 40;

/** Cells narrower than this are too small even to choose among: a tap also comes closer. */
const SMALL_PX = 30;

/**
 * @param {BoardSpec} board
 * @param {{t: import("./say.js").T, play: (cell: number) => void,
 *   mayPlay: (cell: number) => boolean}} options `mayPlay` also says why not, where it is false
 */
export function createCloseup(board, { t, play, mayPlay }) {
  /** @type {number | null} */
  let selected = null;
  let close = false;
  /** @type {Omit<import("./board.js").Position, "selected"> | null} */
  let position = null;
  let shownPly = -1;

  const view = createBoard(board, { t, choose });
  const pane = h("div", { class: "board-window" }, view.element);
  const zoom = h("button", { type: "button", class: "button-quiet", onclick: () => look(!close) });
  const confirm = h("button", { type: "button", class: "button-primary", onclick: playSelected });
  const cancel = h("button", {
    type: "button",
    class: "button-quiet",
    onclick: () => select(null),
  });
  cancel.append(t("board.cancel"));
  const tools = h("div", { class: "board-tools" }, confirm, cancel, zoom);
  const element = h("div", { class: "board-frame" }, pane, tools);
  element.style.setProperty("--w", String(board.width));
  element.style.setProperty("--h", String(board.height));

  /** How wide a cell is when the whole board is seen. */
  const wholeCell = () => pane.clientWidth / board.width;

  /** @param {number} cell @param {boolean} touched */
  function choose(cell, touched) {
    if (!mayPlay(cell)) return;
    if (!touched || wholeCell() >= SURE_PX || selected === cell) {
      select(cell);
      playSelected();
      return;
    }
    select(cell);
    if (wholeCell() < SMALL_PX && !close) look(true);
  }

  function playSelected() {
    const cell = selected;
    selected = null;
    close = false;
    if (cell !== null && mayPlay(cell)) play(cell);
    render();
    if (document.activeElement === confirm || document.activeElement === document.body)
      view.focus();
  }

  /** @param {number | null} cell */
  function select(cell) {
    selected = cell;
    if (cell === null) view.focus();
    render();
  }

  /** @param {boolean} nearer */
  function look(nearer) {
    close = nearer;
    render();
    const at = selected ?? position?.last;
    if (!nearer || at === null || at === undefined) return;
    const [cell, window] = [view.buttonOf(at), pane].map((one) => one.getBoundingClientRect());
    pane.scrollLeft += cell.x + cell.width / 2 - (window.x + window.width / 2);
    pane.scrollTop += cell.y + cell.height / 2 - (window.y + window.height / 2);
  }

  function render() {
    if (!position) return;
    pane.classList.toggle("is-close", close);
    view.update({ ...position, selected });
    const small = pane.clientWidth > 0 && wholeCell() < SMALL_PX;
    toggle(zoom, small || close);
    setText(zoom, t(close ? "board.whole" : "board.closer"));
    toggle(confirm, selected !== null);
    toggle(cancel, selected !== null);
    toggle(tools, small || close || selected !== null);
    if (selected !== null && position.ghost) {
      const cell = cellName(t, board, selected);
      setText(confirm, t("board.confirm", { mark: letter(position.ghost), cell }));
    }
  }

  const resized = new ResizeObserver(() => render());
  resized.observe(pane);

  return {
    element,
    focus: view.focus,
    destroy: () => resized.disconnect(),
    /**
     * @param {Omit<import("./board.js").Position, "selected">} now
     * @param {number} ply how many marks the game has: another position forgets what was chosen
     */
    update(now, ply) {
      if (ply !== shownPly) selected = null;
      shownPly = ply;
      position = now;
      render();
    },
  };
}
