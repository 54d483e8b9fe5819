// The moves so far, each as its stroke on the board and its cell. In a finished game a move is a button
// that shows the game after it, and the review's mistakes have a sign.
// @ts-check

import { Component, createRef, html } from "../html.js";
import { cellName, markAt } from "../rules.js";
import { strings } from "../strings.js";
import { MarkIcon } from "./board-svg.js";
import { markSeed, roomSeed } from "./pen.js";
import { reviewOf } from "./review.js";
import { markLetter } from "./room-text.js";

/** @typedef {import("../core/state.js").Room} Room */
/** @typedef {{room: Room, ply: number | null, go: ((ply: number) => void) | null}} Props `ply` is the number of shown moves, null for all; `go` shows the game after another number */

/** @extends {Component<Props>} */
export class Moves extends Component {
  #list = /** @type {{current: HTMLElement | null}} */ (createRef());
  /** The number of shown moves at the last update. */
  #shown = -1;

  componentDidMount() {
    this.componentDidUpdate();
  }

  /** Scrolls the last shown move into the middle of the list, and nothing else of the page. */
  componentDidUpdate() {
    const { room, ply } = this.props;
    const [list, shown] = [this.#list.current, ply ?? room.game?.moves.length ?? 0];
    if (!list || shown === this.#shown) return;
    this.#shown = shown;
    const item = /** @type {HTMLElement | undefined} */ (list.children[Math.max(shown - 1, 0)]);
    if (!item) return;
    list.scrollLeft = item.offsetLeft - (list.clientWidth - item.clientWidth) / 2;
    list.scrollTop = item.offsetTop - (list.clientHeight - item.clientHeight) / 2;
    // The focus goes with the arrow keys.
    const button = item.querySelector("button");
    if (button && list.contains(document.activeElement)) button.focus({ preventScroll: true });
  }

  /** @param {Props} props */
  render({ room: { game }, go }) {
    return html`<ol class="moves" ref=${this.#list} aria-label=${strings("review.moves")} tabindex=${go ? null : 0}>
      ${game?.moves.map((cell, at) => html`<li key=${at}>${this.#move(game, cell, at)}</li>`)}
    </ol>`;
  }

  /** @param {import("../core/room.js").Game} game @param {number} cell @param {number} at */
  #move(game, cell, at) {
    const { room, ply, go } = this.props;
    const mark = markAt(game.first, at);
    const verdict = ply === null ? null : reviewOf(room)?.moves[at]?.verdict;
    const content = html`
      <${MarkIcon} mark=${mark} seed=${markSeed(roomSeed(room.code, game.number), cell)} />
      <span class="visually-hidden">${`${markLetter(mark)} `}</span>${cellName(room.settings.board, cell)}
      ${verdict && html`<span class="visually-hidden">${`, ${strings(`review.${verdict}`)}`}</span>`}
    `;
    if (!go) return html`<span class="move">${content}</span>`;
    const stop = Math.max((ply ?? game.moves.length) - 1, 0);
    return html`<button
      type="button"
      class="move"
      data-verdict=${verdict}
      tabindex=${at === stop ? 0 : -1}
      aria-current=${at + 1 === ply ? "step" : null}
      onclick=${() => go(at + 1)}
    >
      ${content}
    </button>`;
  }
}
