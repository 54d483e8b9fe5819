// A list of kept games: one line on the paper for each, which leads to the game, and a button that asks the
// opponent for another one.
// @ts-check

import { FaceOf } from "../face-of.js";
import { Component, html } from "../html.js";
import { Link } from "../link.js";
import { MarkIcon } from "../room/board-svg.js";
import { markLetter } from "../room/room-text.js";
import { MARKS } from "../client/rules.js";
import { strings } from "../strings.js";
import { gameText } from "../variant-text.js";
import { foeOf, nameOf, outcomeText, winnerOf } from "./kept.js";
import { ResultPicture } from "./result-picture.js";
import { longDate, shortDate } from "./when.js";

/** @typedef {import("../client/protocol.js").GameSummary} GameSummary */

/**
 * @param {{games: readonly GameSummary[], me: string | null | undefined, label: string, side?: string | null}} props
 *   `me` is our id, `side` the player from whose side the results are told
 */
export const GameList = ({ games, me, label, side = me }) => html`
  <ol class="kept-list" aria-label=${label}>
    ${games.map((game) => html`<li key=${game.id}><${Row} game=${game} side=${side} /><${Again} game=${game} me=${me} /></li>`)}
  </ol>
`;

/** @param {{game: GameSummary, side: string | null | undefined}} props */
function Row({ game, side }) {
  const { ended_at: ended, players, plies, rated } = game;
  const winner = winnerOf(game);
  return html`<${Link} class="kept-row" to=${{ screen: "game", game: game.id }}>
    <${ResultPicture} game=${game} />
    <span class="kept-pair">
      ${MARKS.map((mark) => html`<span key=${mark} class=${winner === mark ? "is-winner" : null}>
        <${MarkIcon} mark=${mark} seed=${game.id + mark} />
        <span class="visually-hidden">${`${markLetter(mark)} `}</span><${FaceOf} ...${players[mark]} /><bdi>${nameOf(players[mark], game)}</bdi>
      </span>`)}
    </span>
    <span class="kept-outcome">${outcomeText(game, side)}</span>
    <span class="note kept-facts">
      ${gameText(game)} · ${strings("games.plies", { count: plies })}
      ${rated && ` · ${strings("games.rated")}`} · <time
        datetime=${new Date(ended).toISOString()} title=${longDate(ended)}
      >${shortDate(ended)}</time>
    </span>
  <//>`;
}

/** An arrow that comes round, in a square of 24. */
const ROUND = "M19.5 12.5c-.4 4-3.6 7-7.6 7-4.3 0-7.5-3.4-7.5-7.6s3.2-7.4 7.4-7.4c2.7 0 4.8 1.2 6.2 3.2M18.6 3.5c0 1.6 0 3-.1 4.5-1.5.1-2.9.1-4.4 0";

/** Asks the opponent for another game on such a board. @extends {Component<{game: GameSummary, me: string | null | undefined}>} */
class Again extends Component {
  render() {
    const { game, me } = this.props;
    const foe = foeOf(game, me);
    if (!foe) return null;
    const { board, variant } = game;
    const label = strings("challenge.again", { name: foe.name });
    return html`<button type="button" class="button-bare kept-again" aria-label=${label} title=${label}
      onclick=${() => this.context.dispatch({ type: "challenge", player: foe.player, name: foe.name, settings: { board, variant } })}
    ><svg viewBox="0 0 24 24" aria-hidden="true"><path d=${ROUND} /></svg></button>`;
  }
}
