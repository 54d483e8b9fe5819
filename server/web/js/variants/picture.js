// A small picture of each variant, drawn by the page's pen: what is played for at a glance. Screen readers skip
// it; the name stands beside it.
// @ts-check

import { html } from "../html.js";
import { MARK_SIDE, gridStrokes, lineStroke, markStrokes } from "../room/pen.js";

/** @typedef {import("../client/protocol.js").Mark} Mark */
/** @typedef {import("../client/protocol.js").Variant} Variant */

/** The picture's side, in the unit of its paths. */
const SIDE = 48;

/** @param {{variant: Variant}} props */
export const VariantPicture = ({ variant }) => html`
  <svg class="variant-drawing" viewBox="0 0 ${SIDE} ${SIDE}" aria-hidden="true">${DRAWINGS[variant]?.() ?? null}</svg>
`;

/** @type {Record<Variant, () => unknown>} */
const DRAWINGS = {
  line: () => [grid(3), marks(3, "x..ox.o.x"), through(3, [0, 0], [2, 2], "x")],
  ultimate: () => [
    html`<path class="lit" d="M16.5 16.5h15v15h-15z" />`,
    [...Array(9).keys()].map((at) => html`<g transform="translate(${(at % 3) * 16 + 1.5} ${Math.floor(at / 3) * 16 + 1.5}) scale(${13 / SIDE})">${grid(3, 1.6)}</g>`),
    grid(3, 1.8),
    [0, 4, 8].map((at) => mark("x", (at % 3) * 16 - 2, Math.floor(at / 3) * 16 - 2, 20)),
    mark("o", 30, -2, 20),
  ],
  misere: () => [grid(3), marks(3, "xo..x...x"), stroke(41, 7, 7, 41, "drawn", 3.2)],
  wild: () => [grid(2), mark("x", -2, -2, 28), mark("o", -2, -2, 28), mark("o", 22, -2, 28), mark("x", -2, 22, 28), html`<g class="pale">${mark("x", 22, 22, 28)}${mark("o", 22, 22, 28)}</g>`],
  wild_misere: () => [grid(2), mark("x", -2, -2, 28), mark("o", 22, -2, 28), mark("x", 22, 22, 28), mark("o", -2, 22, 28), stroke(42, 6, 6, 42, "drawn", 3.2)],
  notakto: () => [
    placed(0, 0, 27, [grid(3, 1.8), marks(3, "..x.x.x..", 4)]),
    placed(21, 21, 27, [grid(3, 1.8), marks(3, ".x...xx..", 4)]),
    stroke(26, 1, 1, 26, "drawn", 2.2),
  ],
  gravity: () => [
    grid(4), marks(4, "........x...oxo."),
    mark("o", 24, -3, 12), stroke(30, 10, 30, 31, "drawn", 1.8), stroke(26.5, 27, 30, 31, "drawn", 1.8), stroke(33.5, 27, 30, 31, "drawn", 1.8),
  ],
  vanish: () => [grid(3), html`<g class="pale">${mark("x", 0, 0, 16)}</g>`, html`<g opacity="0.65">${mark("x", 16, 16, 16)}</g>`, mark("x", 32, 16, 16), mark("o", 16, 0, 16), mark("o", 0, 32, 16)],
  qubic: () => [0, 1, 2].map((layer) => html`<g transform="matrix(0.66 -0.07 0.3 0.26 1 ${layer * 16.4 + 3.6})">
    <path d=${`M0 0H${SIDE}V${SIDE}H0Z`} stroke-width="1.6" />${grid(3, 1.4)}${mark("x", layer * 16, layer * 16, 16, 4)}
  </g>`),
  exact: () => [
    placed(3, 19.8, 42, marks(5, "xxxxx", 4)),
    stroke(1.6, 15, 1.6, 33, "drawn", 2), stroke(46.4, 15, 46.4, 33, "drawn", 2),
  ],
  order: () => [grid(4), marks(4, "xo.xoxo.xxxoo.ox"), through(4, [0, 2], [2, 2], "x")],
};

/** @param {number} cells on a side @param {number} [width] of the pen */
const grid = (cells, width = 1) => html`<g transform="scale(${SIDE / cells})">
  <path d=${gridStrokes({ width: cells, height: cells }, 0.06, `picture ${cells}`)} stroke-width=${(width * cells) / SIDE} />
</g>`;

/**
 * @param {Mark} which
 * @param {number} x
 * @param {number} y
 * @param {number} side
 * @param {number} [pen]
 */
const mark = (which, x, y, side, pen = 2.8) => html`
  <g class="mark-${which}" transform="translate(${x} ${y}) scale(${side / MARK_SIDE})" stroke-width=${pen}>
    ${markStrokes(which, `picture ${x} ${y}`).map((d) => html`<path d=${d} />`)}
  </g>
`;

/** Marks as text, row by row. @param {number} cells @param {string} text @param {number} [pen] */
const marks = (cells, text, pen = 3) => [...text].map((letter, at) => {
  const side = SIDE / cells;
  return letter === "." ? null : mark(/** @type {Mark} */ (letter), (at % cells) * side, Math.floor(at / cells) * side, side, pen);
});

/** @param {number} x @param {number} y @param {number} side @param {unknown} children */
const placed = (x, y, side, children) => html`<g transform="translate(${x} ${y}) scale(${side / SIDE})">${children}</g>`;

/** A line through cells. @param {number} cells @param {number[]} from column and row @param {number[]} to @param {Mark} ink */
function through(cells, from, to, ink) {
  const [x, y, x2, y2] = [...from, ...to].map((at) => ((at + 0.5) * SIDE) / cells);
  return stroke(x, y, x2, y2, `mark-${ink}`, 1.6);
}

/** @param {number} x @param {number} y @param {number} toX @param {number} toY @param {string} ink @param {number} pen */
const stroke = (x, y, toX, toY, ink, pen) =>
  html`<path class=${ink} stroke-width=${pen} d=${lineStroke({ x, y }, { x: toX, y: toY }, `picture ${x} ${y} ${toX}`)} />`;
