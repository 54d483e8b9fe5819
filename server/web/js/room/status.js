// The status of the game: a headline and a second line, whose room is always there, and the room's one
// live region for screen readers.
// @ts-check

import { Timed, html } from "../html.js";
import { isMyTurn, isOver, isSending, turn, winner } from "../client/rules.js";
import { strings } from "../strings.js";
import { changesText } from "./changes-text.js";
import { rewardsOf, tallyText } from "./rewards.js";
import { detail, headline, offlineText } from "./status-text.js";

/** How long it is said that the connection is back, in milliseconds. */
const BACK_MS = 5_000;

/** @typedef {import("../core/state.js").Room} Room */

/**
 * @typedef {object} Props
 * @property {import("../core/state.js").State} state
 * @property {Room} room
 * @property {string} note a text about what the player did
 * @property {number | null} left milliseconds until the win can be claimed, if the opponent is away
 * @property {boolean} silent whether something else stands in its place; the live region stays
 */

/** @extends {Timed<Props, {live: string, back: boolean}>} */
export class Status extends Timed {
  state = { live: "", back: false };

  componentDidMount() {
    this.#announce(changesText(null, this.props.room));
    this.#announce(this.props.note);
  }

  /** @param {Props} before */
  componentDidUpdate(before) {
    const { room, note, state } = this.props;
    if (room !== before.room) this.#announce(changesText(before.room, room));
    if (note !== before.note) this.#announce(note);
    if (state.connection.phase === "open" && before.state.connection.phase === "lost") this.#tellBack();
  }

  #tellBack() {
    this.stopTimer();
    this.timer = setTimeout(() => this.setState({ back: false }), BACK_MS);
    this.setState({ back: true });
    this.#announce(strings("room.back-online"));
  }

  /** @param {string} text "" for nothing */
  #announce(text) {
    // Screen readers ignore an unchanged text. One more space changes it.
    if (text) this.setState(({ live }) => ({ live: live === text ? `${text} ` : text }));
  }

  /** @param {Props} props @param {{live: string, back: boolean}} shown */
  render({ state, room, note, left, silent }, { live, back }) {
    const offline = state.connection.phase === "lost";
    const now = isOver(room) ? "over" : isMyTurn(room) && !isSending(state) ? "turn" : null;
    const inked = now === "over" ? winner(room.game) : now && turn(room);
    const ink = now === "over" && room.you.length === 1 && room.you[0] !== inked ? null : inked;
    const title = headline(room);
    const rewards = rewardsOf(room);
    const letters = title.length + rewards.reduce((sum, { length }) => sum + length + 2, 0);
    const more = [note || detail(room, left), tallyText({ ...state, room })].filter(Boolean).join(" ");
    return html`
      <div class=${offline ? "room-status is-offline" : "room-status"} data-now=${now} data-ink=${ink} hidden=${silent}>
        <p class="status-title" style=${{ "--letters": letters }}>${title}</p>
        ${rewards.length > 0 && html`<p class="rewards">${rewards.map((reward) => html`<span key=${reward} class="reward">${reward}</span>`)}</p>`}
        <p class="status-detail">
          ${offline ? offlineText(room, isSending(state)) : back ? strings("room.back-online") : more}
        </p>
      </div>
      <div class="visually-hidden" role="status" aria-live="polite">${live}</div>
    `;
  }
}
