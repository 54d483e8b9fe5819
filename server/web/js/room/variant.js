// The drawings of a variant on the board, as far as they are loaded: `line` needs none.
// @ts-check

import { loadPart } from "../later.js";
import { VARIANTS } from "../parts.js";
import { flat } from "./layout.js";

/** @typedef {import("../protocol.js").RoomSettings} RoomSettings */
/** @typedef {import("./layout.js").Layout} Layout */

/** Whether they could not be loaded: the board is drawn as a rectangle then. */
let failed = false;

/** Whether the board can be drawn now. @param {string} [variant] */
export const isDrawn = (variant = "line") => variant === "line" || VARIANTS.module !== null || failed;

/**
 * Loads the drawings that a variant needs.
 * @param {string | undefined} variant
 * @param {() => void} draw is called once they are there, or cannot be
 */
export function loadDrawings(variant, draw) {
  const fail = () => {
    failed = true;
    draw();
  };
  if (!isDrawn(variant)) loadPart(VARIANTS).then(draw, fail);
}

/**
 * Where the cells stand.
 * @param {Pick<RoomSettings, "board" | "variant">} settings
 * @param {{cube?: boolean, turn?: number}} [view] of a cube
 * @returns {Layout}
 */
export const layoutOf = ({ variant = "line", board }, view) => VARIANTS.module?.layoutOf(variant, board, view) ?? flat(board);
