// A board on a tile, drawn with the page's pen in one drawing: nobody plays on it. Screen readers skip it.
// @ts-check

import { Component, html } from "../html.js";
import { MARK_SIDE, gridStrokes, lineStroke, markSeed, markStrokes } from "../room/pen.js";
import { markAt } from "../rules.js";

/** @typedef {import("./followed.js").TableBoard} TableBoard */
/** @typedef {import("./followed.js").BoardSpec} BoardSpec */
/** @typedef {import("../protocol.js").Mark} Mark */
/** @typedef {import("../protocol.js").WinningLine} Line */

/** Boards up to this side have no frame, as on paper. */
const OPEN_SIDE = 5;

/** Boards up to this side have lines drawn by a pen. Closer lines look better straight. */
const PEN_SIDE = 9;

/** The paper around the board, in cells. */
const RIM = 0.12;

/** The reach of the winning line beyond the centres of its end cells, in cells. */
const OVERSHOOT = 0.38;

/** `first` is left out where X begins. @extends {Component<{board: BoardSpec, played: (TableBoard & {first?: Mark}) | null, seed: string}>} */
export class TileBoard extends Component {
  /** The board of the message stays one object until it changes. @param {any} next */
  shouldComponentUpdate(next) {
    return next.played !== this.props.played || next.seed !== this.props.seed;
  }

  /** @param {any} props */
  render({ board, played, seed }) {
    const { width, height } = board;
    const moves = /** @type {number[]} */ (played?.moves ?? []);
    const side = Math.max(width, height);
    const lines = played?.result?.how === "line" ? played.result.lines : [];
    const winner = played?.result?.winner ?? null;
    const box = `${-RIM} ${-RIM} ${width + 2 * RIM} ${height + 2 * RIM}`;
    const first = played?.first ?? "x";
    const last = moves.at(-1);
    return html`<svg class="big-board" data-fine=${side > OPEN_SIDE} viewBox=${box} aria-hidden="true">
      ${last !== undefined && lines.length === 0 && html`<rect class="big-last" x=${last % width + 0.06} y=${Math.floor(last / width) + 0.06} width="0.88" height="0.88" rx="0.14" />`}
      ${lines.map((/** @type {Line} */ line) => html`<path class="big-won-under mark-${winner}" d=${through(line.cells, width, seed)} />`)}
      <path class="big-grid" d=${grid(board, seed)} />
      ${moves.map((cell, ply) => html`<${DrawnMark} key=${cell} cell=${cell} mark=${markAt(first, ply)} width=${width} seed=${seed} />`)}
      ${lines.map((/** @type {Line} */ line) => html`<path class="big-won mark-${winner}" pathLength="1" d=${through(line.cells, width, seed)} />`)}
    </svg>`;
  }
}

/** It never changes. @extends {Component<{cell: number, mark: Mark, width: number, seed: string}>} */
class DrawnMark extends Component {
  /** @param {any} next */
  shouldComponentUpdate(next) {
    return next.seed !== this.props.seed;
  }

  /** @param {any} props */
  render({ cell, mark, width, seed }) {
    const scale = 1 / MARK_SIDE;
    return html`<g class="big-mark mark-${mark}" transform="translate(${cell % width} ${Math.floor(cell / width)}) scale(${scale})">
      ${markStrokes(mark, markSeed(seed, cell)).map((d) => html`<path d=${d} pathLength="1" />`)}
    </g>`;
  }
}

/** @param {BoardSpec} board @param {string} seed */
function grid(board, seed) {
  const { width, height } = board;
  const side = Math.max(width, height);
  if (side <= PEN_SIDE) {
    const frame = side <= OPEN_SIDE ? "" : `M0 0H${width}V${height}H0Z`;
    return frame + gridStrokes(board, side <= OPEN_SIDE ? 0.08 : 0, seed);
  }
  let d = `M0 0H${width}V${height}H0Z`;
  for (let x = 1; x < width; x += 1) d += `M${x} 0V${height}`;
  for (let y = 1; y < height; y += 1) d += `M0 ${y}H${width}`;
  return d;
}

/** @param {readonly number[]} cells @param {number} width @param {string} seed */
function through(cells, width, seed) {
  const [from, to] = [cells[0], cells[cells.length - 1]].map((cell) => ({
    x: (cell % width) + 0.5, y: Math.floor(cell / width) + 0.5,
  }));
  const [dx, dy] = [Math.sign(to.x - from.x) * OVERSHOOT, Math.sign(to.y - from.y) * OVERSHOOT];
  const ends = [{ x: from.x - dx, y: from.y - dy }, { x: to.x + dx, y: to.y + dy }];
  return lineStroke(ends[0], ends[1], `${seed} ${cells.join()}`);
}
