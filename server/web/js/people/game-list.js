// A list of kept games: one line on the paper for each, which leads to the game.
// @ts-check

import { FaceOf } from "../face-of.js";
import { html } from "../html.js";
import { Link } from "../link.js";
import { MarkIcon } from "../room/board-svg.js";
import { markLetter } from "../room/room-text.js";
import { MARKS } from "../client/rules.js";
import { strings } from "../strings.js";
import { gameText } from "../variant-text.js";
import { nameOf, outcomeText, winnerOf } from "./kept.js";
import { ResultPicture } from "./result-picture.js";
import { longDate, shortDate } from "./when.js";

/** @typedef {import("../client/protocol.js").GameSummary} GameSummary */

/** @param {{games: readonly GameSummary[], me: string | null | undefined, label: string}} props */
export const GameList = ({ games, me, label }) => html`
  <ol class="kept-list" aria-label=${label}>
    ${games.map((game) => html`<li key=${game.id}><${Row} game=${game} me=${me} /></li>`)}
  </ol>
`;

/** @param {{game: GameSummary, me: string | null | undefined}} props */
function Row({ game, me }) {
  const { ended_at: ended, players, plies, rated } = game;
  const winner = winnerOf(game);
  return html`<${Link} class="kept-row" to=${{ screen: "game", game: game.id }}>
    <${ResultPicture} game=${game} />
    <span class="kept-pair">
      ${MARKS.map((mark) => html`<span key=${mark} class=${winner === mark ? "is-winner" : null}>
        <${MarkIcon} mark=${mark} seed=${game.id + mark} />
        <span class="visually-hidden">${`${markLetter(mark)} `}</span><${FaceOf} ...${players[mark]} /><bdi>${nameOf(players[mark])}</bdi>
      </span>`)}
    </span>
    <span class="kept-outcome">${outcomeText(game, me)}</span>
    <span class="note kept-facts">
      ${gameText(game)} · ${strings("games.plies", { count: plies })}
      ${rated && ` · ${strings("games.rated")}`} · <time
        datetime=${new Date(ended).toISOString()} title=${longDate(ended)}
      >${shortDate(ended)}</time>
    </span>
  <//>`;
}
