// A shown move of a kept game, in the place of its result and as high as that: which one it is, and when
// it was made.
// @ts-check

import { html } from "../html.js";
import { formatTime, markLetter } from "../room/room-text.js";
import { cellName, markPlaced } from "../client/rules.js";
import { strings } from "../strings.js";

/** @param {{kept: import("../client/protocol.js").ArchivedGame, ply: number, note: string}} props `note` stands in the place of the time */
export function StepText({ kept, ply, note }) {
  const { first, moves, placed = null, times_ms: times, summary } = kept;
  const plies = moves.length;
  const mark = markLetter(markPlaced({ first, placed }, ply - 1));
  const place = ply === 0
    ? strings("review.start", { plies })
    : strings("review.at", { ply, plies, mark, cell: cellName(summary.board, moves[ply - 1]) });
  const time = ply === 0 ? "" : strings("game.after", { time: formatTime(times[ply - 1] ?? 0) });
  return html`<div class="room-status review-text">
    <p class="status-title" style=${{ "--letters": place.length }} role="status">${place}</p>
    <p class="status-detail">${note || time}</p>
  </div>`;
}
