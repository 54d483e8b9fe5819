// The status of the game in large text, the last move or the player's task in small text, and the
// room's one live region for screen readers.
// @ts-check

import { Component, html } from "../html.js";
import { isMyTurn, isOver, isSending, opponent } from "../rules.js";
import { strings } from "../strings.js";
import { changesText, lastMoveText, markLetter, spectatorText, statusText } from "./room-text.js";

/** @typedef {import("../core/state.js").Room} Room */

/**
 * @typedef {{state: import("../core/state.js").State, room: Room, note: string}} Props `note` is a text about
 *   what the player did, or ""
 */

/** @extends {Component<Props, {live: string}>} */
export class Status extends Component {
  state = { live: "" };

  componentDidMount() {
    this.#announce(changesText(null, this.props.room));
    this.#announce(this.props.note);
  }

  /** @param {Props} before */
  componentDidUpdate(before) {
    const { room, note } = this.props;
    if (room !== before.room) this.#announce(changesText(before.room, room));
    if (note !== before.note) this.#announce(note);
  }

  /** @param {string} text "" for nothing */
  #announce(text) {
    // Screen readers ignore an unchanged text. One more space changes it.
    if (text) this.setState(({ live }) => ({ live: live === text ? `${text} ` : text }));
  }

  /** @param {Props} props @param {{live: string}} shown */
  render({ state, room }, { live }) {
    const detail = details(room);
    const turn = isMyTurn(room) && !isSending(state) ? " is-turn" : "";
    // On a connection that works, a move is on its way too briefly to be read.
    const waits = isSending(state) && state.connection.phase !== "open";
    return html`<div class=${`room-status${turn}${isOver(room) ? " is-over" : ""}`}>
      <p class="status-title">${waits ? strings("room.why.sending") : statusText(room)}</p>
      ${detail && html`<p class="status-detail">${detail}</p>`}
      <div class="visually-hidden" role="status" aria-live="polite">${live}</div>
    </div>`;
  }
}

/** @param {Room} room */
function details(room) {
  if (room.closed) return "";
  const free = opponent(room);
  if (free && isOver(room) && room.seats[free].kind === "open") {
    return strings("room.freed", { mark: markLetter(free) });
  }
  const sits = room.you.length === 1 && !room.game?.opening;
  const role = sits ? strings("room.you.play", { mark: markLetter(room.you[0]) }) : "";
  const first = room.you.length === 0 ? spectatorText(room) : role;
  return [first, lastMoveText(room)].join(" ").trim();
}
