// What the variants with several boards or layers have around their marks: the lines of each board, the one to
// play in lit, won ones struck through by a large mark, dead ones by a stroke. Children of a drawing in the
// unit of the layout; the board and the big screen have the drawing. Screen readers skip them.
// @ts-check

import { html } from "../html.js";
import { pointsOf, transformOf } from "../room/layout.js";
import { gridStrokes, lineStroke, markStrokes } from "../room/pen.js";

/** @typedef {import("../room/layout.js").Layout} Layout */
/** @typedef {import("../protocol.js").DecidedBoard} DecidedBoard */

/** The unit of a large mark, in cells: it fills a board. */
const LARGE = 0.215;

/** How far a line of a board ends before its edge, and how far the frame of a lit one stands outside, in cells. */
const INSET = 0.12;
const OUTSIDE = 0.06;

/** How far a stroke reaches beyond the cells that have decided a board, in cells. */
const BEYOND = 0.42;

/**
 * @param {{layout: Layout, seed: string, playable: readonly number[] | null}} props `playable`: the cells whose
 *   boards are lit
 */
export function Under({ layout, seed, playable }) {
  const panels = layout.panels ?? [];
  const lit = new Set((playable ?? []).map(layout.panelOf));
  const between = panels.length === 9 ? heavy(layout, seed) : "";
  return html`
    ${panels.map((panel, at) => lit.has(at) && html`<path key=${`lit ${at}`} class="panel-lit" transform=${transformOf(layout, panel.at)} d=${frame(panel, seed)} />`)}
    <path class="pillars" d=${layout.pillars.map(([from, to]) => `M${from.x} ${from.y}L${to.x} ${to.y}`).join("")} />
    ${panels.map((panel, at) => html`<path key=${at} class="panel-grid" transform=${transformOf(layout, panel.at)} d=${grid(layout, panel, `${seed} ${at}`)} />`)}
    ${between && html`<path class="panel-between" d=${between} />`}
  `;
}

/**
 * What has decided boards.
 * @param {{layout: Layout, seed: string, decided: readonly DecidedBoard[]}} props
 */
export const Over = ({ layout, seed, decided }) => decided.map(({ board, winner, cells = [] }) => {
  const panel = layout.panels?.[board];
  if (!panel) return null;
  if (winner) {
    const [x, y] = [panel.width / 2 - 12 * LARGE, panel.height / 2 - 12 * LARGE];
    const place = `${transformOf(layout, panel.at)} translate(${x} ${y}) scale(${LARGE})`;
    return html`<g key=${board} class="panel-won mark-${winner}" transform=${place}>
      ${markStrokes(winner, `${seed} board ${board}`).map((d) => html`<path d=${d} pathLength="1" />`)}
    </g>`;
  }
  if (cells.length === 0) return null;
  const [from, to] = pointsOf(layout, /** @type {any} */ ({ cells }), BEYOND);
  return html`<path key=${board} class="panel-dead" d=${lineStroke(from, to, `${seed} ${board}`)} pathLength="1" />`;
});

/** The cells of decided boards. @param {Layout} layout @param {number} count of cells @param {readonly DecidedBoard[]} decided */
export function closedCells(layout, count, decided) {
  const closed = new Set(decided.map(({ board }) => board));
  return new Set(Array.from({ length: count }, (_, cell) => cell).filter((cell) => closed.has(layout.panelOf(cell))));
}

/** The lines of a board; a layer has an edge too. @param {Layout} layout @param {import("../room/layout.js").Panel} panel @param {string} seed */
const grid = (layout, panel, seed) =>
  (layout.pillars.length > 0 ? box(panel, 0, seed) : "") + gridStrokes(panel, layout.pillars.length > 0 ? 0 : INSET, seed);

/** @param {import("../room/layout.js").Panel} panel @param {string} seed */
const frame = (panel, seed) => box(panel, OUTSIDE, seed);

/** Four strokes around a panel. @param {import("../room/layout.js").Panel} panel @param {number} outside @param {string} seed */
function box({ width, height }, outside, seed) {
  const [left, right, bottom] = [-outside, width + outside, height + outside];
  const corners = [{ x: left, y: left }, { x: right, y: left }, { x: right, y: bottom }, { x: left, y: bottom }];
  const strokes = corners.map((from, at) => lineStroke(from, corners[(at + 1) % 4], `${seed} ${at}`));
  // One path, so that it can be filled: each stroke begins where the last one ends.
  return `${strokes[0]}${strokes.slice(1).map((stroke) => stroke.slice(stroke.indexOf("C"))).join("")}Z`;
}

/** The strokes between nine boards. @param {Layout} layout @param {string} seed */
function heavy({ panels }, seed) {
  const boards = panels ?? [];
  const [first, last] = [boards[0], boards[8]];
  const [left, top] = [first.at.x, first.at.y];
  const [right, bottom] = [last.at.x + last.width, last.at.y + last.height];
  const middle = (/** @type {"x" | "y"} */ axis, /** @type {number} */ one, /** @type {number} */ next) =>
    (boards[one].at[axis] + 3 + boards[next].at[axis]) / 2;
  const upright = [middle("x", 0, 1), middle("x", 1, 2)].map((x) => lineStroke({ x, y: top }, { x, y: bottom }, `${seed} ${x}`));
  const level = [middle("y", 0, 3), middle("y", 3, 6)].map((y) => lineStroke({ x: left, y }, { x: right, y }, `${seed} ${y} level`));
  return [...upright, ...level].join("");
}
