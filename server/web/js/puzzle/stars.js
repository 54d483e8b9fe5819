// The stars of a puzzle, drawn by the pen.
// @ts-check

import { html } from "../html.js";
import { strings } from "../strings.js";
import { STARS } from "./model.js";

const STAR = "M12 3.2c.9 2 1.8 4 2.7 5.9 2.1.3 4.2.6 6.4.9-1.5 1.6-3.1 3.1-4.7 4.6.4 2.1.7 4.3 1.1 6.4-1.9-1-3.7-2.1-5.6-3-1.8 1-3.7 2-5.5 3.1.4-2.2.8-4.3 1.1-6.5-1.6-1.5-3.1-3-4.6-4.6 2.1-.3 4.3-.6 6.4-1 .9-1.9 1.8-3.9 2.7-5.8z";

/** @param {{count: number, small?: boolean}} props */
export const Stars = ({ count, small }) => html`
  <span class=${`puzzle-stars${small ? " is-small" : ""}`} role="img" aria-label=${strings("puzzle.stars", { count })}>
    ${Array.from({ length: STARS }, (_, at) => html`<svg viewBox="0 0 24 24" class=${at < count ? "is-lit" : null} aria-hidden="true"><path d=${STAR} /></svg>`)}
  </span>
`;
