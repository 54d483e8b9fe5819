// The drawings of variants around their marks: the lines of each board, the one to play in lit, won
// ones struck through by a large mark, dead ones by a stroke; the column in which a mark falls, the
// cells above and below one in a cube. Screen readers skip it.
// @ts-check

import { html } from "../html.js";
import { gridStrokes, lineStroke, markStrokes } from "../room/pen.js";
import { strings } from "../strings.js";

/** @typedef {import("./layouts.js").Laid} Laid */
/** @typedef {import("../room/layout.js").Panel} Panel */
/** @typedef {import("../room/position.js").Position} Position */
/** @typedef {import("../client/protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("../client/protocol.js").DecidedBoard} DecidedBoard */

/** The unit of a large mark, in cells: it fills a board. */
const LARGE = 0.215;

/** How far a line of a board ends before its edge, and how far the frame of a lit one stands outside, in cells. */
const INSET = 0.12;
const OUTSIDE = 0.06;

/** How far a stroke reaches beyond the cells that have decided a board, in cells. */
const BEYOND = 0.42;

/** The name of the grid. @param {string} variant @param {BoardSpec} board */
export function boardName(variant, board) {
  const key = `board.name.${variant}`;
  const params = { ...board, boards: board.width / board.height, layers: board.width };
  return strings(strings.has(key) ? key : "board.name", params);
}

/** The numbers of decided boards. @param {Pick<Position, "decided">} position */
export const closedPanels = ({ decided }) => new Set(decided.map(({ board }) => board));

/**
 * The cell that a mark falls to in the column of a cell; in other variants the cell itself.
 * @param {BoardSpec} board
 * @param {Pick<Position, "variant" | "playable">} position
 * @param {number} cell
 */
export const landingIn = ({ width }, { variant, playable }, cell) =>
  (variant === "gravity" && playable?.find((one) => one % width === cell % width)) || cell;

/**
 * The stripes of a pointed cell: the column where marks fall, the cells above and below it in a
 * cube, nothing where boards stand apart; undefined where the board has stripes of its own.
 * @param {BoardSpec} board
 * @param {import("../room/layout.js").Layout} layout
 * @param {Position} position
 * @param {number} cell
 */
export function stripes({ width, height }, { apart, transform }, { variant, ghost }, cell) {
  if (variant === "gravity") return ghost && html`<path d=${`M${cell % width} 0h1v${height}h-1z`} />`;
  if (variant !== "qubic") return apart ? null : undefined;
  const layer = width * width;
  return apart?.panels.map((_, at) => html`<path d="M.06 .06h.88v.88h-.88z" transform=${transform((cell % layer) + at * layer)} />`);
}

/** The drawing under the marks. @param {{layout: Laid, position: Position}} props */
export const Under = ({ layout, position: { playable, seed } }) => html`
  <div class="panel-labels" aria-hidden="true">
    ${layout.apart.labels.map(({ text, at }) => html`<span style=${{ left: `${(100 * at.x) / layout.width}%`, top: `${(100 * at.y) / layout.height}%` }}>${text}</span>`)}
  </div>
  <svg viewBox="0 0 ${layout.width} ${layout.height}" class="panels" aria-hidden="true">
    <${Grids} layout=${layout} seed=${seed} lit=${new Set((playable ?? []).map(layout.apart.panelOf))} />
  </svg>
`;

/** The drawing over them. @param {{layout: Laid, position: Position}} props */
export const Over = ({ layout, position: { decided, seed } }) => html`
  <svg viewBox="0 0 ${layout.width} ${layout.height}" class="panels panels-over" aria-hidden="true">
    <${Strikes} layout=${layout} seed=${seed} decided=${decided} />
  </svg>
`;

/** The lines of the boards. @param {{layout: Laid, seed: string, lit: ReadonlySet<number>}} props */
export function Grids({ layout: { apart: { panels, pillars, transform } }, seed, lit }) {
  // The frame of a board to play in is above the thick lines.
  return html`
    ${panels.length === 9 && html`<path class="panel-between" d=${between(panels, seed)} />`}
    ${panels.map((panel, at) => lit.has(at) && html`<path key=${`lit ${at}`} class="panel-lit" transform=${transform(panel)} d=${box(panel, OUTSIDE, seed)} />`)}
    <path class="pillars" d=${pillars.map(([from, to]) => `M${from.x} ${from.y}L${to.x} ${to.y}`).join("")} />
    ${panels.map((panel, at) => html`<path key=${at} class="panel-grid" transform=${transform(panel)} d=${grid(panel, pillars.length > 0, `${seed} ${at}`)} />`)}
  `;
}

/** Decided boards. @param {{layout: Laid, seed: string, decided: readonly DecidedBoard[]}} props */
export const Strikes = ({ layout: { apart }, seed, decided }) => decided.map(({ board, winner, cells = [] }) => {
  const panel = apart.panels[board];
  if (winner) {
    const middle = panel.width / 2 - 12 * LARGE;
    return html`<g key=${board} class="panel-won mark-${winner}" transform="${apart.transform(panel)} translate(${middle} ${middle}) scale(${LARGE})">
      ${markStrokes(winner, `${seed} board ${board}`).map((d) => html`<path d=${d} pathLength="1" />`)}
    </g>`;
  }
  const line = /** @type {const} */ ({ kind: "main_diagonal", cells });
  return cells.length > 0 && html`<path key=${board} class="panel-dead" d=${apart.stroke(line, BEYOND, seed)} pathLength="1" />`;
});

/** The lines of a board; a layer of a cube has an edge too. @param {Panel} panel @param {boolean} isLayer @param {string} seed */
const grid = (panel, isLayer, seed) => (isLayer ? box(panel, 0, seed) : "") + gridStrokes(panel, isLayer ? 0 : INSET, seed);

/** Four strokes around a panel. @param {Panel} panel @param {number} outside @param {string} seed */
function box({ width, height }, outside, seed) {
  const left = -outside;
  const right = width + outside;
  const bottom = height + outside;
  const corners = [{ x: left, y: left }, { x: right, y: left }, { x: right, y: bottom }, { x: left, y: bottom }];
  const strokes = corners.map((from, at) => lineStroke(from, corners[(at + 1) % 4], `${seed} ${at}`));
  // One path, so that it can be filled: each stroke begins where the last one ends.
  return `${strokes[0]}${strokes.slice(1).map((stroke) => stroke.slice(stroke.indexOf("C"))).join("")}Z`;
}

/** The strokes between nine boards. @param {readonly Panel[]} boards @param {string} seed */
function between(boards, seed) {
  const start = boards[0].at.x;
  const end = boards[8].at.x + boards[8].width;
  const middles = [boards[1], boards[2]].map(({ at }, before) => (at.x + boards[before].at.x + boards[before].width) / 2);
  return middles.map((at) =>
    lineStroke({ x: at, y: start }, { x: at, y: end }, `${seed} ${at}`) + lineStroke({ x: start, y: at }, { x: end, y: at }, `${seed} ${at} level`)).join("");
}
