// The two inks of a variant in which a player chooses the mark of each move.
// @ts-check

import { html } from "../html.js";
import { MarkIcon } from "../room/board-svg.js";
import { markLetter } from "../room/room-text.js";
import { MARKS } from "../client/rules.js";
import { strings } from "../strings.js";

/** @typedef {import("../client/protocol.js").Mark} Mark */

/** @param {{ink: Mark, choose: (mark: Mark) => void}} props */
export const Inks = ({ ink, choose }) => html`<div class="inks" role="group" aria-label=${strings("room.ink")}>
  ${MARKS.map((mark) => html`<button
    key=${mark}
    type="button"
    class="button-quiet"
    aria-label=${strings("room.ink.mark", { mark: markLetter(mark) })}
    aria-keyshortcuts=${mark}
    aria-pressed=${ink === mark}
    onclick=${() => choose(mark)}
  >
    <${MarkIcon} mark=${mark} />
  </button>`)}
</div>`;
