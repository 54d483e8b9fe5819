// The moves so far, each as its stroke on the board and its cell. In a finished game a move is a button
// that shows the game after it, and the review's mistakes have a sign.
// @ts-check

import { Component, createRef, html } from "../html.js";
import { cellName, markAt, markPlaced, reviewOf } from "../client/rules.js";
import { language, strings } from "../strings.js";
import { MarkIcon } from "./board-svg.js";
import { differs } from "./cell.js";
import { markSeed, roomSeed } from "./pen.js";
import { markLetter, sideName } from "./room-text.js";

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
    const list = this.#list.current;
    const shown = ply ?? room.game?.moves.length ?? 0;
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
  render({ room, ply, go }) {
    const { code, game, settings } = room;
    const moves = game?.moves ?? [];
    const review = ply === null ? null : reviewOf(room);
    const stop = Math.max((ply ?? moves.length) - 1, 0);
    return html`<ol class="moves" ref=${this.#list} aria-label=${strings("review.moves")} tabindex=${go ? null : 0}>
      ${moves.map((cell, at) => {
        const seed = markSeed(roomSeed(code, game?.number ?? 0), cell);
        const props = { at, mark: game ? markPlaced(game, at) : "x", name: cellName(settings.board, cell), seed, go };
        const made = review?.moves[at];
        const told = made && judgement(sideName(room, markAt(game?.first ?? "x", at)), made);
        const state = { isStop: at === stop, isShown: at + 1 === ply, verdict: made?.verdict, told };
        return html`<${Move} key=${at} ...${props} ...${state} lang=${language()} />`;
      })}
    </ol>`;
  }
}

/**
 * The review's words about a move. It calls no move fine in a lost position.
 * @param {string} mark of its player @param {import("../client/protocol.js").ReviewedMove} made
 */
export const judgement = (mark, { verdict, before }) =>
  strings(verdict === "fine" && before === "lost" ? "review.lost" : `review.${verdict}`, { mark });

/**
 * @typedef {object} MoveProps
 * @property {number} at
 * @property {import("../client/protocol.js").Mark} mark
 * @property {string} name of its cell
 * @property {string} seed
 * @property {Props["go"]} go
 * @property {boolean} isStop whether it is the list's tab stop
 * @property {boolean} isShown whether the board shows the game after it
 * @property {string | undefined} verdict
 * @property {string | undefined} told it in words
 * @property {string} lang of the texts
 */

/** Only a move that changes is drawn again. @extends {Component<MoveProps>} */
class Move extends Component {
  shouldComponentUpdate(/** @type {any} */ next) {
    return differs(this.props, next);
  }

  /** @param {MoveProps} props */
  render({ at, mark, name, seed, go, isStop, isShown, verdict, told }) {
    const content = html`
      <${MarkIcon} mark=${mark} seed=${seed} />
      <span class="visually-hidden">${`${markLetter(mark)} `}</span>${name}
      ${told && html`<span class="visually-hidden">${`, ${told}`}</span>`}
    `;
    if (!go) return html`<li><span class="move">${content}</span></li>`;
    return html`<li>
      <button
        type="button"
        class="move"
        data-verdict=${verdict}
        tabindex=${isStop ? 0 : -1}
        aria-current=${isShown ? "step" : null}
        onclick=${() => go(at + 1)}
      >
        ${content}
      </button>
    </li>`;
  }
}
