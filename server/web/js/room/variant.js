// The drawings of a variant, as far as they are loaded: `line` needs none.
// @ts-check

import { loadPart } from "../later.js";
import { VARIANTS } from "../parts.js";
import { flat } from "./layout.js";

/** Whether they could not be loaded: the board is drawn as a rectangle then. */
let failed = false;

/** Whether the board can be drawn now. @param {string} [variant] */
export const isDrawn = (variant = "line") => variant === "line" || failed || VARIANTS.module !== null;

/**
 * Loads the drawings that a variant needs.
 * @param {string | undefined} variant
 * @param {() => void} draw is called once they are there, or cannot be
 */
export function loadDrawings(variant, draw) {
  if (!isDrawn(variant)) loadPart(VARIANTS).catch(() => (failed = true)).then(draw);
}

/**
 * Where the cells stand.
 * @param {Pick<import("../client/protocol.js").RoomSettings, "board" | "variant">} settings
 * @returns {import("./layout.js").Layout}
 */
export const layoutOf = ({ variant, board }) => VARIANTS.module?.layoutOf(variant, board) ?? flat(board);
