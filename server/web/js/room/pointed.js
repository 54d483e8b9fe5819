// The signs for the cell under the pointer, or with the keyboard's focus: faint stripes along
// its row and column, and the stroke that a move would draw. It has a state of its own, because a board
// of 361 cells should not be compared again for each step of the pointer.
// @ts-check

import { Component, html } from "../html.js";
import { transformOf } from "./layout.js";
import { markSeed, markStrokes, MARK_SIDE } from "./pen.js";

/** Boards up to this side need no stripes. */
const NO_STRIPES = 5;

/**
 * @typedef {{board: import("../protocol.js").BoardSpec, layout: import("./layout.js").Layout,
 *   position: import("./position.js").Position, self: {current: Pointed | null}}} Props `self` is set to
 *   the component: Preact's `ref` is only for elements
 */

/** @extends {Component<Props, {cell: number | null}>} */
export class Pointed extends Component {
  state = { cell: /** @type {number | null} */ (null) };

  componentDidMount() {
    this.props.self.current = this;
  }

  /** @param {number | null} cell */
  show(cell) {
    if (cell !== this.state.cell) this.setState({ cell });
  }

  /** @param {Props} props @param {{cell: number | null}} state */
  render({ board, layout, position }, { cell }) {
    if (cell === null) return null;
    const lands = landingIn(board, position, cell);
    const free = !position.marks[lands] && position.sending?.cell !== lands && (position.playable?.includes(lands) ?? true);
    const mark = free ? position.ghost : null;
    return html`<svg viewBox="0 0 ${layout.width} ${layout.height}" class="pointed" aria-hidden="true">
      ${stripes(board, layout, position, cell)}
      ${mark &&
      html`<g class="mark mark-${mark}" transform="${transformOf(layout, layout.at(lands))} scale(${1 / MARK_SIDE})">
        ${markStrokes(mark, markSeed(position.seed, lands)).map((d) => html`<path d=${d} />`)}
      </g>`}
    </svg>`;
  }
}

/**
 * The cell that a mark falls to in the column of a cell; in other variants the cell itself.
 * @param {import("../protocol.js").BoardSpec} board
 * @param {import("./position.js").Position} position
 * @param {number} cell
 */
export const landingIn = ({ width }, { variant, playable }, cell) =>
  (variant === "gravity" && playable?.find((one) => one % width === cell % width)) || cell;

/**
 * The row and column of a cell; the column where marks fall; the cells above and below it in a cube.
 * @param {import("../protocol.js").BoardSpec} board
 * @param {import("./layout.js").Layout} layout
 * @param {import("./position.js").Position} position
 * @param {number} cell
 */
function stripes({ width, height }, layout, { variant, ghost }, cell) {
  const [row, column] = [Math.floor(cell / width), cell % width];
  const upright = `M${column} 0h1v${height}h-1z`;
  if (variant === "gravity") return ghost && html`<path d=${upright} />`;
  if (variant === "qubic" && layout.panels) {
    const layer = width * width;
    const cells = layout.panels.map((_, at) => (cell % layer) + at * layer);
    return cells.map((one) => html`<path d="M.06 .06h.88v.88h-.88z" transform=${transformOf(layout, layout.at(one))} />`);
  }
  if (layout.panels || Math.max(width, height) <= NO_STRIPES) return null;
  return html`<path d=${`${upright}M0 ${row}h${width}v1h-${width}z`} />`;
}
