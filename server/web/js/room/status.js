// The status of the game: a headline and a second line, whose room is always there, and the room's one
// live region for screen readers.
// @ts-check

import { Timed, html } from "../html.js";
import { isMyTurn, isOver, isSending, turn, winner } from "../client/rules.js";
import { inWords } from "../views/summary.js";
import { strings } from "../strings.js";
import { changesText } from "./changes-text.js";
import { rewardsOf, tallyText } from "./rewards.js";
import { detail, headline, offlineText } from "./status-text.js";
import { isDrawn } from "./variant.js";

/** How long it is said that the connection is back, in milliseconds. */
const BACK_MS = 5_000;

/** With so many milliseconds left for the own move, or with a third of a shorter limit, the clock is heard. */
const WARN_MS = 10_000;

/** What is said of a room that was just entered is heard for so long, in milliseconds. */
const ENTERED_MS = 1_000;

/** @typedef {import("../core/state.js").Room} Room */

/**
 * @typedef {object} Props
 * @property {import("../core/state.js").State} state
 * @property {Room} room
 * @property {string} note a text about what the player did
 * @property {number | null} left milliseconds until the win can be claimed, if the opponent is away
 * @property {boolean} silent whether something else stands in its place; the live region stays
 */

/** The second line while the connection is lost; "" while it is there. @param {Pick<Props, "state" | "room">} props */
const offlineOf = ({ state, room }) => (state.connection.phase === "lost" ? offlineText(room, isSending(state)) : "");

/** @extends {Timed<Props, {live: string, back: boolean}>} */
export class Status extends Timed {
  state = { live: "", back: false };
  /** The room that was last told of; null until its variant's texts are there. @type {Room | null} */
  #told = null;
  /** The settings of the room when the connection was lost, until a new snapshot comes. @type {Room["settings"] | null} */
  #lost = null;
  /** The end of the move for which the clock warns. @type {number | null} */
  #deadline = null;
  /** @type {number | undefined} */
  #clock;

  componentDidMount() {
    this.#tell();
    this.#announce(this.props.note);
  }

  /** @param {Props} before */
  componentDidUpdate(before) {
    const { note, state } = this.props;
    const offline = offlineOf(this.props);
    this.#tell();
    if (note !== before.note) this.#announce(note);
    if (offline !== offlineOf(before)) this.#announce(offline);
    if (state.connection.phase === "lost") this.#lost = this.props.room.settings;
  }

  componentWillUnmount() {
    super.componentWillUnmount();
    clearTimeout(this.#clock);
  }

  /** Says what is new in the room. After a break that is known with the next snapshot. */
  #tell() {
    const { room, state } = this.props;
    this.#listenToClock();
    if (room === this.#told || !isDrawn(room.settings.variant)) return;
    const isBack = this.#lost !== null && this.#lost !== room.settings;
    this.#announce(changesText(this.#told, room, isSending(state)) || (isBack ? strings("room.back-online") : ""));
    this.#told = room;
    if (isBack) this.#showBack();
  }

  #showBack() {
    this.#lost = null;
    this.stopTimer();
    this.timer = setTimeout(() => this.setState({ back: false }), BACK_MS);
    this.setState({ back: true });
  }

  /** Who does not see the clock hears it once in each own move. */
  #listenToClock() {
    const { room } = this.props;
    const deadline = isMyTurn(room) ? room.moveDeadline : null;
    if (deadline === this.#deadline) return;
    this.#deadline = deadline;
    clearTimeout(this.#clock);
    if (deadline === null) return;
    const warnAt = deadline - Math.min(WARN_MS, (room.settings.move_time_ms ?? 0) / 3);
    this.#clock = setTimeout(() => {
      const left = deadline - performance.now();
      if (left > 0) this.#announce(strings("room.clock.left", { time: inWords(left) }));
    }, Math.max(warnAt - performance.now(), ENTERED_MS));
  }

  /** @param {string} text "" for nothing */
  #announce(text) {
    // Screen readers ignore an unchanged text. One more space changes it.
    if (text) this.setState(({ live }) => ({ live: live === text ? `${text} ` : text }));
  }

  /** @param {Props} props @param {{live: string, back: boolean}} shown */
  render({ state, room, note, left, silent }, { live, back }) {
    const offline = offlineOf({ state, room });
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
          ${offline || (back && !isOver(room) ? strings("room.back-online") : more)}
        </p>
      </div>
      <div class="visually-hidden" role="status" aria-live="polite">${live}</div>
    `;
  }
}
