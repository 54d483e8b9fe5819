// How a player looks at a cube: layer by layer, or from the side, where a finger or a button turns it. One for each
// board on the page.
// @ts-check

import { html } from "../html.js";
import { IconButton } from "../room/board-svg.js";
import { strings } from "../strings.js";
import { FIRST_TURN, MOST_TURN, cubeOf, layoutOf } from "./layouts.js";

/** A cube is seen from the side at first if its cells are at least so high, in CSS pixels. */
const LARGE_PX = 24;

/** A finger that moves so far, in CSS pixels, turns a cube, and does not tap. */
const DRAG_PX = 8;

/** So much a cube turns for each CSS pixel, in radians. */
const TURN = 0.006;

/** So much it turns for a button, in radians. */
const STEP = 0.3;

/** A cube, and four squares. */
const CUBE = "M4 8l8-4 8 4-8 4zM4 8v8l8 4 8-4V8M12 12v8";
const SHEETS = "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z";

/** An arrow to each side. */
const LEFT = "M8 4L4 8l4 4M4 8h10a5 5 0 0 1 0 10H9";
const RIGHT = "M16 4l4 4-4 4M20 8H10a5 5 0 0 0 0 10h5";

export class CubeView {
  #draw;
  #turn = FIRST_TURN;
  /** The view that the player has chosen; null before they have. @type {boolean | null} */
  #fromSide = null;
  /** Where a drag began, and the turn of the cube there. @type {{x: number, turn: number, turns: boolean} | null} */
  #drag = null;

  /** @param {() => void} draw is called after each change */
  constructor(draw) {
    this.#draw = draw;
  }

  /**
   * @param {import("../client/protocol.js").BoardSpec} board
   * @param {number} width of the board's window, in CSS pixels
   */
  layout(board, width) {
    const cube = cubeOf(board, this.#turn);
    const isLarge = (width * cube.tap) / cube.width >= LARGE_PX;
    return (this.#fromSide ?? isLarge) ? cube : layoutOf("qubic", board);
  }

  #grasp = (/** @type {PointerEvent} */ { clientX: x, isPrimary }) => {
    this.#drag = isPrimary ? { x, turn: this.#turn, turns: false } : null;
  };

  #pull = (/** @type {PointerEvent} */ event) => {
    const drag = this.#drag;
    if (!drag || event.buttons === 0) return;
    const moved = event.clientX - drag.x;
    if (!drag.turns && Math.abs(moved) > DRAG_PX) {
      drag.turns = true;
      /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
    }
    if (!drag.turns) return;
    this.#turnTo(drag.turn - moved * TURN);
  };

  /** @param {number} turn */
  #turnTo(turn) {
    this.#turn = Math.min(Math.max(turn, -MOST_TURN), MOST_TURN);
    this.#draw();
  }

  /** A drag that ends on a cell does not play it. */
  #click = (/** @type {MouseEvent} */ event) => {
    if (this.#drag?.turns) event.stopPropagation();
    this.#drag = null;
  };

  /** The listeners of the window of a cube. */
  handlers = { onpointerdown: this.#grasp, onpointermove: this.#pull, onclickcapture: this.#click };

  /**
   * The buttons that turn a cube, and the one for the other view. Beside the buttons of a cell that a finger has
   * selected is no room for those that turn: a finger turns the cube itself.
   * @param {boolean} fromSide the view of now @param {boolean} selected
   */
  buttons(fromSide, selected) {
    const look = () => {
      this.#fromSide = !fromSide;
      this.#draw();
    };
    const turn = (/** @type {number} */ by) => () => this.#turnTo(this.#turn + by);
    const turns = fromSide && !selected;
    return [
      turns && button("view.left", LEFT, turn(STEP)),
      turns && button("view.right", RIGHT, turn(-STEP)),
      fromSide ? button("view.sheets", SHEETS, look) : button("view.cube", CUBE, look),
    ];
  }
}

/** It has no key: the button for the other view stands in the place of its own, with the focus. @param {string} key of the name @param {string} d @param {() => void} act */
const button = (key, d, act) => html`<${IconButton} d=${d} name=${strings(key)} kind="button-quiet" onclick=${act} />`;
