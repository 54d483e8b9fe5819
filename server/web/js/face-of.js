// The face beside a name: a place of its size in the line, in which the drawing appears when its part of the page
// is there. Screen readers skip it, for the name says who it is.
// @ts-check

import { faceOf } from "./face.js";
import { html } from "./html.js";
import { later } from "./later.js";
import { FACES } from "./parts.js";

const Drawing = later(FACES, "Drawing");

/**
 * Nothing for a computer, and for somebody who was forgotten.
 *
 * @param {{player?: string | null, face?: import("./client/protocol.js").Face | null}} props
 */
export const FaceOf = ({ player, face }) =>
  player && html`<span class="face" aria-hidden="true"><${Drawing} face=${faceOf(player, face)} /></span>`;
