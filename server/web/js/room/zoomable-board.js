// The board and its zoom. On small cells the first tap selects a cell, and a second tap or the large
// button plays it. A cube can be seen from the side, and turned by a finger.
// @ts-check

import { Component, createRef, html } from "../html.js";
import { cellName } from "../rules.js";
import { strings } from "../strings.js";
import { Board, buttonOf, focusBoard } from "./board.js";
import { FIRST_TURN, MOST_TURN } from "./layout.js";
import { markLetter } from "./room-text.js";
import { isDrawn, layoutOf } from "./variant.js";

/** Narrower cells, in CSS pixels, are easy to miss by a finger: the first tap only selects. */
const ONE_TAP_PX = 40;

/** Narrower cells are too small to select: the first tap also zooms in. */
const ZOOM_PX = 30;

/** Boards and layers that stand apart are tapped well on cells that are a little smaller. */
const ZOOM_PANELS_PX = 24;

/** A finger that moves so far, in CSS pixels, turns a cube, and does not tap. */
const DRAG_PX = 8;

/** So much a cube turns for each CSS pixel, in radians. */
const TURN = 0.006;

/** A cube, and four squares. */
const CUBE = "M4 8l8-4 8 4-8 4zM4 8v8l8 4 8-4V8M12 12v8";
const SHEETS = "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z";

/** A magnifying glass with a minus. */
const LENS = "M10.5 4a6.5 6.5 0 1 0 .01 0M15.5 15.5 20 20M8 10.5h5";

/**
 * @typedef {object} Props
 * @property {import("../protocol.js").BoardSpec} board
 * @property {import("./position.js").Position} position
 * @property {number} ply the number of marks; a new position clears the selection
 * @property {(cell: number) => number} [target] the cell that a tap on another one plays
 * @property {(cell: number) => void} play
 * @property {(cell: number) => boolean} mayPlay shows the reason where it is false
 */

/**
 * @typedef {{selected: number | null, zoomed: boolean, width: number, ply: number, cube: boolean | null, turn: number}} Shown
 *   `cube`: whether the player wants to see a cube from the side; null before they say so
 */

/** @extends {Component<Props, Shown>} */
export class ZoomableBoard extends Component {
  /** `width` is the one of the board's window, 0 before it is known. @type {Shown} */
  state = { selected: null, zoomed: false, width: 0, ply: -1, cube: null, turn: FIRST_TURN };
  /** Where a drag began, and the turn of the cube there. @type {{x: number, turn: number, turns: boolean} | null} */
  #drag = null;
  #window = /** @type {{current: HTMLElement | null}} */ (createRef());
  #resized = new ResizeObserver(() => this.setState({ width: this.#window.current?.clientWidth ?? 0 }));

  /** A selection ends with the turn: also if the time has run out. */
  static getDerivedStateFromProps(/** @type {Props} */ { ply, position }, /** @type {Shown} */ shown) {
    return ply === shown.ply && (position.ghost || shown.selected === null) ? null : { ply, selected: null };
  }

  componentDidMount() {
    if (this.#window.current) this.#resized.observe(this.#window.current);
  }

  /** @param {Props} _ @param {Shown} before */
  componentDidUpdate(_, before) {
    const { selected, zoomed } = this.state;
    const cell = selected ?? this.props.position.last;
    if (zoomed && !before.zoomed && cell !== null) scrollTo(this.#window.current, cell);
  }

  componentWillUnmount() {
    this.#resized.disconnect();
  }

  /** Where the cells stand. @param {Props} props @param {Shown} shown */
  #layout({ board, position: { variant } }, { cube, turn, width }) {
    const settings = { board, variant };
    const side = layoutOf(settings, { cube: true, turn });
    const isLarge = (width * side.tap) / side.width >= ZOOM_PANELS_PX;
    return (cube ?? isLarge) ? side : layoutOf(settings);
  }

  /** The width of a cell of the whole board. */
  #cellWidth() {
    const { width, tap } = this.#layout(this.props, this.state);
    return ((this.#window.current?.clientWidth ?? 0) * tap) / width;
  }

  /** Below this width of a cell the first tap also zooms in. A cube is not zoomed: its layers are larger. */
  get #zoomPx() {
    const { panels, pillars } = this.#layout(this.props, this.state);
    return pillars.length > 0 ? 0 : panels ? ZOOM_PANELS_PX : ZOOM_PX;
  }

  #grasp = (/** @type {PointerEvent} */ { clientX: x, isPrimary }) => {
    this.#drag = isPrimary ? { x, turn: this.state.turn, turns: false } : null;
  };

  #turn = (/** @type {PointerEvent} */ event) => {
    const drag = this.#drag;
    if (!drag || event.buttons === 0) return;
    const moved = event.clientX - drag.x;
    if (!drag.turns && Math.abs(moved) > DRAG_PX) {
      drag.turns = true;
      /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
    }
    const turn = Math.min(Math.max(drag.turn - moved * TURN, -MOST_TURN), MOST_TURN);
    if (drag.turns) this.setState({ turn });
  };

  /** A drag that ends on a cell does not play it. */
  #click = (/** @type {MouseEvent} */ event) => {
    if (this.#drag?.turns) event.stopPropagation();
    this.#drag = null;
  };

  #choose = (/** @type {number} */ tapped, /** @type {boolean} */ touched) => {
    const cell = this.props.target?.(tapped) ?? tapped;
    if (!this.props.mayPlay(cell)) return;
    const { selected, zoomed } = this.state;
    const width = this.#cellWidth();
    if (!touched || width >= ONE_TAP_PX || selected === cell) this.#play(cell);
    else this.setState({ selected: cell, zoomed: zoomed || width < this.#zoomPx });
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
  render({ board, position }, { selected, zoomed, width }) {
    const layout = this.#layout(this.props, this.state);
    const cell = width > 0 ? (width * layout.tap) / layout.width : ONE_TAP_PX;
    const isCube = layout.pillars.length > 0;
    const turning = isCube && { onpointerdown: this.#grasp, onpointermove: this.#turn, onclickcapture: this.#click };
    const small = cell < this.#zoomPx;
    return html`<div class="zoomable-board" style=${{ "--w": layout.width, "--h": layout.height }}>
      <div class=${["board-window", zoomed && "is-zoomed", isCube && "is-cube"].filter(Boolean).join(" ")} ref=${this.#window} ...${turning}>
        ${isDrawn(position.variant) &&
        html`<${Board} board=${board} layout=${layout} position=${position} selected=${selected} choose=${this.#choose} />`}
      </div>
      ${(cell < ONE_TAP_PX || zoomed || selected !== null || position.variant === "qubic") && this.#tools(small, isCube)}
    </div>`;
  }

  /**
   * Their row is there before the first tap, so that it moves nothing.
   * @param {boolean} small whether the cells of the whole board are too small
   * @param {boolean} isCube whether a cube is seen from the side
   */
  #tools(small, isCube) {
    const [{ board, position }, { selected, zoomed }] = [this.props, this.state];
    const [mark, cell] = [markLetter(position.ghost ?? "x"), cellName(board, selected ?? 0)];
    const zoom = () => this.setState({ zoomed: !zoomed });
    const look = () => this.setState({ cube: !isCube, zoomed: false });
    const icon = (/** @type {string} */ name, /** @type {string} */ d, /** @type {() => void} */ act) => html`<button
      key=${name}
      type="button"
      class="button-quiet"
      aria-label=${strings(name)}
      title=${strings(name)}
      onclick=${act}
    >
      <svg viewBox="0 0 24 24" class="bar-icon" aria-hidden="true"><path d=${d} /></svg>
    </button>`;
    return html`<div class="board-tools">
      ${selected !== null &&
      html`
        <button key="play" type="button" class="button-primary" onclick=${() => this.#play(selected)}>
          ${strings("board.confirm", { mark, cell })}
        </button>
        <button key="cancel" type="button" class="button-quiet" onclick=${this.#cancel}>${strings("board.cancel")}</button>
      `}
      ${position.variant === "qubic" && !zoomed && icon(isCube ? "view.sheets" : "view.cube", isCube ? SHEETS : CUBE, look)}
      ${(small || zoomed) && icon(zoomed ? "board.whole" : "board.closer", LENS + (zoomed ? "" : "M10.5 8v5"), zoom)}
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
