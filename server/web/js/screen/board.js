// A board on a tile, drawn with the page's pen in one drawing: nobody plays on it. Screen readers skip it.
// @ts-check

import { Component, html } from "../html.js";
import { OPEN_SIDE, innerLines, strokeThrough } from "../room/board-svg.js";
import { flat } from "../room/layout.js";
import { MARK_SIDE, markSeed, markStrokes } from "../room/pen.js";
import { decidedAfter, marksAfter } from "../client/rules.js";
import { Grids, Strikes, closedPanels } from "../variants/drawings.js";
import { layoutOf } from "../variants/layouts.js";

/** @typedef {import("./followed.js").TableBoard} TableBoard */
/** @typedef {import("./followed.js").BoardSpec} BoardSpec */
/** @typedef {import("../room/layout.js").Layout} Layout */
/** @typedef {import("../client/protocol.js").Mark} Mark */
/** @typedef {import("../client/protocol.js").Variant} Variant */
/** @typedef {import("../client/protocol.js").WinningLine} Line */

/** The paper around the board, in cells. */
const RIM = 0.12;

/** The reach of the winning line beyond the centres of its end cells, in cells. */
const OVERSHOOT = 0.38;

/**
 * @typedef {object} Props
 * @property {BoardSpec} board
 * @property {Variant} [variant]
 * @property {(TableBoard & {first?: Mark}) | null} played `first` is left out where X begins
 * @property {string} seed
 */

/** @extends {Component<Props>} */
export class TileBoard extends Component {
  /** The board of the message stays one object until it changes. @param {any} next */
  shouldComponentUpdate(next) {
    return next.played !== this.props.played || next.seed !== this.props.seed;
  }

  /** @param {Props} props */
  render({ board, variant = "line", played, seed }) {
    const layout = layoutOf(variant, board) ?? flat(board);
    const game = played && { placed: null, effects: null, first: /** @type {const} */ ("x"), ...played };
    const marks = marksAfter(board, game);
    const lines = played?.result?.how === "line" ? played.result.lines : [];
    const decided = game ? decidedAfter(game, game.moves.length) : [];
    const closed = closedPanels({ decided });
    const { apart } = layout;
    const { cells, leaving } = played?.playable ?? {};
    const through = (/** @type {Line} */ line) => strokeThrough(board, layout, line, OVERSHOOT, seed);
    const ink = inkOf(played, marks);
    const box = `${-RIM} ${-RIM} ${layout.width + 2 * RIM} ${layout.height + 2 * RIM}`;
    const last = played?.moves.at(-1);
    return html`<svg class="big-board" data-fine=${Math.max(board.width, board.height) > OPEN_SIDE} viewBox=${box} aria-hidden="true">
      ${last !== undefined && lines.length === 0 && html`<rect class="big-last" x="0.06" y="0.06" width="0.88" height="0.88" rx="0.14" transform=${layout.transform(last)} />`}
      ${lines.map((line) => html`<path class="big-won-under mark-${ink}" d=${through(line)} />`)}
      ${apart
        ? html`<${Grids} layout=${layout} seed=${seed} lit=${new Set((cells ?? []).map(apart.panelOf))} />`
        : html`<path class="big-grid" d=${grid(board, seed)} />`}
      ${marks.map((mark, cell) => mark && html`<${DrawnMark} key=${cell} cell=${cell} mark=${mark} layout=${layout} isPale=${cell === leaving || (apart && closed.has(apart.panelOf(cell)))} seed=${seed} />`)}
      ${apart && html`<${Strikes} layout=${layout} seed=${seed} decided=${decided} />`}
      ${lines.map((line) => html`<path class="big-won mark-${ink}" pathLength="1" d=${through(line)} />`)}
    </svg>`;
  }
}

/** The ink of the winning lines: that of their marks, or the winner's for a line of boards. @param {TableBoard | null} played @param {(Mark | null)[]} marks */
function inkOf(played, marks) {
  const result = played?.result;
  const line = result?.how === "line" ? result.lines[0] : null;
  return (line && line.kind !== "boards" && marks[line.cells[0]]) || (result && "winner" in result ? result.winner : null);
}

/** It is drawn again only when it pales. @extends {Component<{cell: number, mark: Mark, layout: Layout, isPale: boolean | null, seed: string}>} */
class DrawnMark extends Component {
  /** @param {any} next */
  shouldComponentUpdate(next) {
    return next.seed !== this.props.seed || next.isPale !== this.props.isPale || next.mark !== this.props.mark;
  }

  /** @param {any} props */
  render({ cell, mark, layout, isPale, seed }) {
    return html`<g class=${`big-mark mark-${mark}${isPale ? " is-pale" : ""}`} transform="${layout.transform(cell)} scale(${1 / MARK_SIDE})">
      ${markStrokes(mark, markSeed(seed, cell)).map((d) => html`<path d=${d} pathLength="1" />`)}
    </g>`;
  }
}

/** @param {BoardSpec} board @param {string} seed */
function grid(board, seed) {
  const { width, height } = board;
  const frame = Math.max(width, height) <= OPEN_SIDE ? "" : `M0 0H${width}V${height}H0Z`;
  return frame + innerLines(board, seed);
}
