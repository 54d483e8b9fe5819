// Asks somebody to play, on the board and by the rules that the form for a friend had last.
// @ts-check

import { loadPart } from "../later.js";
import { FORMS } from "../parts.js";

/** @typedef {import("../core/page.js").Action & {type: "challenge"}} Challenge */

/**
 * @param {(action: Challenge) => void} dispatch @param {import("../core/state.js").State} state
 * @param {{player: string, name: string}} person
 */
export const ask = (dispatch, state, { player, name }) =>
  loadPart(FORMS).then(() => dispatch({ type: "challenge", player, name, settings: FORMS.module?.askedSettings(state) }), () => {});
