// A cell of the board: its button, its mark and its accessible name. Only cells that change are drawn
// again: a board has up to 361.
// @ts-check

import { Component, html } from "../html.js";
import { cellName, isNumbered, position } from "../client/rules.js";
import { VARIANTS } from "../parts.js";
import { strings } from "../strings.js";
import { MarkIcon } from "./board-svg.js";
import { markSeed } from "./pen.js";

/** @typedef {import("../client/protocol.js").Mark} Mark */

/** The states that the description of a cell names, the most important first. */
const TOLD = ["won", "last", "sending", "hinted", "better", "leaving", "closed"];

/**
 * @typedef {object} Props
 * @property {import("../client/protocol.js").BoardSpec} board
 * @property {import("../client/protocol.js").Variant} variant
 * @property {number} cell
 * @property {Mark | null} mark
 * @property {Mark | null} drawn the mark itself, or the one that is sent, selected or better
 * @property {Mark | null} hint the mark that a hint would place here
 * @property {Mark | null} gone the mark that went with the last move
 * @property {string} classes
 * @property {string | null} place the style that puts it in its place, where its row does not
 * @property {string} seed of the game's strokes
 * @property {boolean} isStop whether it is the board's tab stop
 * @property {string} lang of the texts
 */

/**
 * A cell by the name that moves and hints give it, and by its place where the name does not tell that:
 * "5, row 2, column 2", "e5, board 5, cell 5", "g7".
 * @param {import("../client/protocol.js").BoardSpec} board
 * @param {number} cell
 * @param {import("../client/protocol.js").Variant} [variant]
 */
export function spokenCell(board, cell, variant) {
  const place = VARIANTS.module?.placeOf(variant, board, cell);
  const key = place ? ("board" in place ? "place.board" : "place.layer") : isNumbered(board) ? "room.cell" : "";
  return cellName(board, cell) + (key && `, ${strings(key, place ?? position(board, cell))}`);
}

/**
 * Whether a component would be drawn in another way.
 * @param {any} now its props
 * @param {any} next
 */
export const differs = (now, next) => Object.keys(next).some((name) => now[name] !== next[name]);

/** @extends {Component<Props, {drawn?: Mark | null, fresh: boolean}>} */
export class Cell extends Component {
  /** A new mark is animated, but not those of a board that appears. It stays new when it is confirmed. */
  static getDerivedStateFromProps(/** @type {Props} */ { drawn }, /** @type {Cell["state"]} */ before) {
    if (drawn === before.drawn) return null;
    return { drawn, fresh: before.drawn !== undefined && drawn !== null };
  }

  shouldComponentUpdate(/** @type {any} */ next) {
    return differs(this.props, next);
  }

  /** @param {Props} props @param {{fresh: boolean}} state */
  render({ board, variant, cell, mark, drawn, hint, gone, classes, seed, isStop, place }, { fresh }) {
    const number = isNumbered(board) ? String(cell + 1) : null;
    const told = TOLD.find((flag) => classes.includes(`is-${flag}`) && strings.has(`board.${flag}`));
    const open = classes.includes("is-open") && strings.has("board.open") ? `, ${strings("board.open")}` : "";
    const content = mark ? strings(`board.${mark}`) : strings("board.empty") + open;
    return html`<button
      type="button"
      class=${`cell ${classes}${fresh ? " is-fresh" : ""}`}
      style=${place}
      role="gridcell"
      tabindex=${isStop ? 0 : -1}
      data-cell=${cell}
      data-number=${number}
      data-mark=${drawn}
      data-hint=${hint}
      data-gone=${gone}
      aria-keyshortcuts=${number}
      aria-selected=${classes.includes("is-selected")}
      aria-label=${`${spokenCell(board, cell, variant)}, ${content}`}
      aria-description=${told ? strings(`board.${told}`) : null}
    >
      ${drawn && html`<${MarkIcon} key=${drawn} mark=${drawn} seed=${markSeed(seed, cell)} />`}
      ${gone && !drawn && html`<${MarkIcon} key="gone" mark=${gone} seed=${markSeed(seed, cell)} />`}
      ${hint && !drawn && html`<${MarkIcon} key="hint" mark=${hint} seed=${markSeed(seed, cell)} />`}
    </button>`;
  }
}
