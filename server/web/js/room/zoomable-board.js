// The board and its zoom. On small cells the first tap selects a cell, and a second tap or the large
// button plays it. A cube can be seen in two ways (`variants/cube.js`).
// @ts-check

import { Component, createRef, html } from "../html.js";
import { cellName } from "../client/rules.js";
import { VARIANTS } from "../parts.js";
import { strings } from "../strings.js";
import { Board, buttonOf, focusBoard } from "./board.js";
import { IconButton } from "./board-svg.js";
import { markLetter } from "./room-text.js";
import { isDrawn, layoutOf } from "./variant.js";

/** Narrower cells, in CSS pixels, are easy to miss by a finger: the first tap only selects. */
const ONE_TAP_PX = 40;

/** Narrower cells are too small to select: the first tap also zooms in. */
const ZOOM_PX = 30;

/** Boards that stand apart, and columns, are tapped well on cells that are a little smaller. */
const ZOOM_APART_PX = 24;

/** A magnifying glass with a minus. */
const LENS = "M10.5 4a6.5 6.5 0 1 0 .01 0M15.5 15.5 20 20M8 10.5h5";

/**
 * @typedef {object} Props
 * @property {import("../client/protocol.js").BoardSpec} board
 * @property {import("./position.js").Position} position
 * @property {number} ply the number of marks; a new position clears the selection
 * @property {(cell: number) => number} [target] the cell that a tap on another one plays
 * @property {(cell: number) => void} play
 * @property {boolean} [confirms] whether the first tap only selects on large cells too
 * @property {(cell: number) => boolean} mayPlay shows the reason where it is false
 */

/** @typedef {{selected: number | null, zoomed: boolean, width: number, ply: number}} Shown */

/** @extends {Component<Props, Shown>} */
export class ZoomableBoard extends Component {
  /** `width` is the one of the board's window, 0 before it is known. @type {Shown} */
  state = { selected: null, zoomed: false, width: 0, ply: -1 };
  #window = /** @type {{current: HTMLElement | null}} */ (createRef());
  /** @type {import("../variants/cube.js").CubeView | null} */
  #cube = null;
  #measure = () => this.setState({ width: this.#window.current?.clientWidth ?? 0 });
  #resized = new ResizeObserver(this.#measure);

  /** A selection ends with the turn: also if the time has run out. */
  static getDerivedStateFromProps(/** @type {Props} */ { ply, position }, /** @type {Shown} */ shown) {
    return ply === shown.ply && (position.ghost || shown.selected === null) ? null : { ply, selected: null };
  }

  componentDidMount() {
    if (this.#window.current) this.#resized.observe(this.#window.current);
    // Before it is drawn: its tools stand there from the start.
    this.#measure();
  }

  /** @param {Props} _ @param {Shown} before */
  componentDidUpdate(_, before) {
    const { selected, zoomed, width } = this.state;
    const cell = selected ?? this.props.position.last;
    const moved = !before.zoomed || width !== before.width;
    if (zoomed && moved && cell !== null) scrollTo(this.#window.current, cell);
  }

  componentWillUnmount() {
    this.#resized.disconnect();
  }

  /** The view of a cube, once its part is there. */
  get #view() {
    if (this.props.position.variant !== "qubic" || !VARIANTS.module) return null;
    this.#cube ??= new VARIANTS.module.CubeView(() => this.setState({}));
    return this.#cube;
  }

  /** Where the cells stand, their width, and the width below which the first tap also zooms in. A cube has no zoom. */
  #measures() {
    const { board, position: { variant } } = this.props;
    const width = this.#window.current?.clientWidth ?? this.state.width;
    const layout = this.#view?.layout(board, width) ?? layoutOf({ board, variant });
    const cell = width > 0 ? (width * layout.tap) / layout.width : ONE_TAP_PX;
    const isCube = (layout.apart?.pillars.length ?? 0) > 0;
    return { layout, cell, isCube, zoomPx: isCube ? 0 : layout.apart || variant === "gravity" ? ZOOM_APART_PX : ZOOM_PX };
  }

  #choose = (/** @type {number} */ tapped, /** @type {boolean} */ touched) => {
    const cell = this.props.target?.(tapped) ?? tapped;
    if (!this.props.mayPlay(cell)) return;
    const { selected, zoomed } = this.state;
    const { cell: width, zoomPx } = this.#measures();
    if (!touched || (width >= ONE_TAP_PX && !this.props.confirms) || selected === cell) this.#play(cell);
    else this.setState({ selected: cell, zoomed: zoomed || width < zoomPx });
  };

  /** @param {number} cell */
  #play(cell) {
    this.setState({ selected: null, zoomed: false }, () => {
      if (document.activeElement === document.body) focusBoard(this.#window.current);
    });
    if (this.props.mayPlay(cell)) this.props.play(cell);
  }

  #cancel = () => {
    this.setState({ selected: null });
    focusBoard(this.#window.current);
  };

  /** @param {Props} props @param {Shown} state */
  render({ board, position, confirms }, { selected, zoomed }) {
    const { layout, cell, isCube, zoomPx } = this.#measures();
    return html`<div class="zoomable-board" style=${{ "--w": layout.width, "--h": layout.height }}>
      <div class=${`board-window${zoomed && cell < zoomPx ? " is-zoomed" : ""}${isCube ? " is-cube" : ""}`} ref=${this.#window} ...${isCube && this.#view?.handlers}>
        ${isDrawn(position.variant) &&
        html`<${Board} board=${board} layout=${layout} position=${position} selected=${selected} choose=${this.#choose} />`}
      </div>
      ${(cell < ONE_TAP_PX || confirms || selected !== null || this.#view) && this.#tools(cell < zoomPx, this.#view?.buttons(isCube, selected !== null))}
    </div>`;
  }

  /**
   * Their row is there before the first tap, so that it moves nothing.
   * @param {boolean} small whether the cells of the whole board are too small
   * @param {unknown} view the buttons for another view
   */
  #tools(small, view) {
    const { board, position } = this.props;
    const { selected, zoomed } = this.state;
    const mark = markLetter(position.ghost ?? "x");
    const cell = cellName(board, selected ?? 0);
    const zoom = () => this.setState({ zoomed: !zoomed });
    const lens = zoomed ? { d: LENS, key: "board.whole" } : { d: `${LENS}M10.5 8v5`, key: "board.closer" };
    return html`<div class="board-tools">
      ${selected !== null &&
      html`
        <button key="play" type="button" class="button-primary" onclick=${() => this.#play(selected)}>
          ${strings("board.confirm", { mark, cell })}
        </button>
        <button key="cancel" type="button" class="button-quiet" onclick=${this.#cancel}>${strings("board.cancel")}</button>
      `}
      ${view} ${small && html`<${IconButton} ...${lens} name=${strings(lens.key)} kind="button-quiet" onclick=${zoom} />`}
    </div>`;
  }
}

/** @param {Element | null} pane @param {number} at a cell that is scrolled to the middle */
function scrollTo(pane, at) {
  const button = buttonOf(pane, at);
  if (!pane || !button) return;
  const [cell, view] = [button, pane].map((one) => one.getBoundingClientRect());
  pane.scrollLeft += cell.x + cell.width / 2 - (view.x + view.width / 2);
  pane.scrollTop += cell.y + cell.height / 2 - (view.y + view.height / 2);
}
