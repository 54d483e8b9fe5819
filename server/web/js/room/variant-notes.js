// What the first game of a variant says about its rules. It is drawn once the part with the drawings is there.
// @ts-check

import { html } from "../html.js";
import { later } from "../later.js";
import { VARIANTS } from "../parts.js";

const Notes = later(VARIANTS, "VariantNotes");

/** Whether a variant explains itself. @param {import("../core/state.js").Prefs} prefs @param {string} variant */
const explains = ({ putAway }, variant) => variant !== "line" && !putAway.includes(variant);

/** @param {{prefs: import("../core/state.js").Prefs, settings: import("../protocol.js").RoomSettings}} props */
export const VariantNotes = ({ prefs, settings: { variant = "line", board } }) =>
  explains(prefs, variant) && html`<${Notes} prefs=${prefs} variant=${variant} board=${board} />`;
