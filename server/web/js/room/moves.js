// The moves so far.
// @ts-check

import { html } from "../html.js";
import { label, markAt } from "../rules.js";
import { strings } from "../strings.js";
import { markLetter } from "./room-text.js";

/** @param {{room: import("../core/state.js").Room}} props */
export const Moves = ({ room: { game, settings } }) => html`<ol
  class="moves"
  aria-label=${strings("review.moves")}
  tabindex="0"
>
  ${game?.moves.map((cell, ply) => {
    const mark = markAt(game.first, ply);
    return html`<li key=${ply} class=${`mark-${mark}`}>${`${markLetter(mark)} ${label(settings.board, cell)}`}</li>`;
  })}
</ol>`;
