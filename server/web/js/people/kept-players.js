// The two players of a kept game, with the names of that time. A name leads to the profile.
// @ts-check

import { FaceOf } from "../face-of.js";
import { html } from "../html.js";
import { Link } from "../link.js";
import { markStrokes } from "../room/pen.js";
import { Underline, nameStyle } from "../room/players.js";
import { markLetter } from "../room/room-text.js";
import { MARKS, other } from "../client/rules.js";
import { strings } from "../strings.js";
import { computerParts } from "../computer-text.js";
import { nameOf, winnerOf } from "./kept.js";

/** @typedef {import("../client/protocol.js").GameSummary} GameSummary */

/** @param {{game: GameSummary}} props */
export const KeptPlayers = ({ game }) => html`
  <div class="room-players" data-at=${winnerOf(game) ?? ""}>
    <ul class="seats" aria-label=${strings("room.players")} role="list">
      ${MARKS.map((mark) => html`<${Seat} key=${mark} game=${game} mark=${mark} />`)}
    </ul>
    <${Underline} />
  </div>
`;

/** @param {{game: GameSummary, mark: import("../client/protocol.js").Mark}} props */
function Seat({ game, mark }) {
  const participant = game.players[mark];
  const winner = winnerOf(game);
  const computer = participant.kind === "computer";
  const name = computer ? strings("seat.computer") : nameOf(participant);
  const shown = html`<${FaceOf} ...${participant} /><bdi>${name}</bdi>`;
  const lost = winner === other(mark) ? " is-loser" : winner ? "" : " is-drawn";
  return html`<li class=${`seat seat-${mark}${lost}`}>
    <svg viewBox="0 0 24 24" class="coin" aria-hidden="true">
      ${markStrokes(mark, `${game.id} ${mark}`).map((d) => html`<path d=${d} />`)}
    </svg>
    <span class="seat-name" title=${name} style=${nameStyle(name)}>
      <span class="visually-hidden">${`${markLetter(mark)}: `}</span>
      ${participant.kind === "human"
        ? html`<${Link} to=${{ screen: "profile", player: participant.player }}>${shown}<//>`
        : shown}
    </span>
    <span class="seat-line">
      ${computer && html`<span class="chip">${computerParts(participant, game).join(" · ")}</span>`}
    </span>
  </li>`;
}
