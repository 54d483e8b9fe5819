// A cell of the board: its button, its mark and its accessible name.
// @ts-check

import { h, setAttr } from "../dom.js";
import { isNumbered, position } from "../rules.js";
import { markIcon } from "./board-svg.js";

/** @typedef {import("../strings.js").Strings} Strings */
/** @typedef {import("../protocol.js").Mark} Mark */
/** @typedef {import("./board.js").Position} Position */

/**
 * @param {Strings} strings
 * @param {import("../protocol.js").BoardSpec} board
 * @param {number} cell
 */
export function createCell(strings, board, cell) {
  const number = isNumbered(board) ? String(cell + 1) : null;
  const button = h("button", {
    type: "button",
    class: "cell",
    role: "gridcell",
    tabIndex: -1,
    "data-cell": cell,
    "data-number": number,
    "aria-keyshortcuts": number,
  });
  let before = "";

  return {
    button,
    /**
     * Updates the cell if it has changed.
     * @param {Position} now
     * @param {Set<number>} won the cells of the winning lines
     * @param {boolean} fresh whether to animate a new mark
     */
    update(now, won, fresh) {
      const mark = now.marks[cell];
      const sending = now.sending?.cell === cell && !mark ? now.sending.mark : null;
      const flags = {
        last: now.last === cell,
        sending: sending !== null,
        selected: now.selected === cell && !mark,
        hinted: !mark && now.hinted.includes(cell),
        won: won.has(cell),
        lost: won.size > 0 && !won.has(cell),
      };
      const drawn = mark ?? sending ?? (flags.selected ? now.ghost : null);
      const shown = `${mark ?? ""} ${drawn ?? ""} ${Object.values(flags)}`;
      if (before === shown) return;
      before = shown;
      draw(button, drawn, fresh);
      for (const [flag, on] of Object.entries(flags)) button.classList.toggle(`is-${flag}`, on);
      setAttr(button, "aria-selected", flags.selected);
      const content = strings(mark ? `board.${mark}` : "board.empty");
      setAttr(button, "aria-label", strings("board.cell", { ...position(board, cell), content }));
      const flag = /** @type {const} */ (["won", "last", "sending", "hinted"]).find((f) => flags[f]);
      setAttr(button, "aria-description", flag ? strings(`board.${flag}`) : null);
    },
  };
}

/** @param {HTMLElement} button @param {Mark | null} mark @param {boolean} fresh */
function draw(button, mark, fresh) {
  const before = button.dataset.mark ?? "";
  if (before !== (mark ?? "")) {
    button.querySelector(".mark")?.remove();
    if (mark) button.append(markIcon(mark));
    if (mark) button.dataset.mark = mark;
    else delete button.dataset.mark;
  }
  button.classList.toggle("is-fresh", fresh && mark !== null && before !== mark);
  button.classList.toggle("is-empty", !mark);
}
