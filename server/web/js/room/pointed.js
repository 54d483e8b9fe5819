// The signs for the cell under the pointer, or with the keyboard's focus: faint stripes along
// its row and column, and the stroke that a move would draw. It has a state of its own, because a board
// of 361 cells should not be compared again for each step of the pointer.
// @ts-check

import { Component, html } from "../html.js";
import { VARIANTS } from "../parts.js";
import { markSeed, markStrokes, MARK_SIDE } from "./pen.js";

/** Boards up to this side need no stripes. */
const NO_STRIPES = 5;

/**
 * @typedef {{board: import("../client/protocol.js").BoardSpec, layout: import("./layout.js").Layout,
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
    const drawings = VARIANTS.module;
    const lands = drawings?.landingIn(board, position, cell) ?? cell;
    const free = !position.marks[lands] && position.sending?.cell !== lands && (position.playable?.includes(lands) ?? true);
    const mark = free ? position.ghost : null;
    return html`<svg viewBox="0 0 ${layout.width} ${layout.height}" class="pointed" aria-hidden="true">
      ${drawings?.stripes(board, layout, position, cell) ?? stripes(board, cell)}
      ${mark &&
      html`<g class="mark mark-${mark}" transform="${layout.transform(lands)} scale(${1 / MARK_SIDE})">
        ${markStrokes(mark, markSeed(position.seed, lands)).map((d) => html`<path d=${d} />`)}
      </g>`}
    </svg>`;
  }
}

/** @param {import("../client/protocol.js").BoardSpec} board @param {number} cell */
function stripes({ width, height }, cell) {
  const row = Math.floor(cell / width);
  const column = cell % width;
  return Math.max(width, height) > NO_STRIPES && html`<path d=${`M${column} 0h1v${height}h-1zM0 ${row}h${width}v1h-${width}z`} />`;
}
