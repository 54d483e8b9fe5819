// Stepping through a finished game: the buttons, the keys, the list of moves and the review's verdicts.
// The room screen knows which move is shown.
// @ts-check

import { Component, createRef, html } from "../html.js";
import { label, markAt } from "../rules.js";
import { strings } from "../strings.js";
import { markLetter } from "./room-text.js";

/** @typedef {import("../core/state.js").Room} Room */
/** @typedef {import("../protocol.js").ReviewedMove} ReviewedMove */

/** The signs of the step buttons. @type {Record<string, string>} */
const SIGNS = { first: "«", previous: "‹", next: "›", last: "»" };

/**
 * @typedef {{room: Room, ply: number, go: (ply: number) => void, close: () => void}} Props `ply` is the
 *   number of shown moves; `go` shows the position after another number
 */

/** @extends {Component<Props>} */
export class Review extends Component {
  #element = /** @type {{current: HTMLElement | null}} */ (createRef());

  /** Focuses the first useful step button, and shows board and buttons together. */
  componentDidMount() {
    const [, previous, next] = /** @type {NodeListOf<HTMLElement>} */ (this.#all(".review-step"));
    const step = this.props.ply > 0 ? previous : next;
    step.focus({ preventScroll: true });
    const board = this.#element.current?.closest(".room")?.querySelector(".room-board");
    if (step.getBoundingClientRect().bottom > innerHeight) board?.scrollIntoView();
    this.componentDidUpdate();
  }

  componentDidUpdate() {
    const [current] = this.#all("[aria-current]");
    const list = current?.closest("ol");
    if (current instanceof HTMLElement && list) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  }

  /** @param {string} selector @returns {Iterable<Element>} */
  #all(selector) {
    return this.#element.current?.querySelectorAll(selector) ?? [];
  }

  /** The number of moves after each step. */
  #targets() {
    const { room, ply } = this.props;
    const plies = room.game?.moves.length ?? 0;
    return { first: 0, previous: Math.max(ply - 1, 0), next: Math.min(ply + 1, plies), last: plies };
  }

  #key = (/** @type {KeyboardEvent} */ event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") return this.props.close();
    const { first, previous, next, last } = this.#targets();
    const to = { ArrowLeft: previous, ArrowRight: next, Home: first, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.props.go(to);
  };

  /** @param {Props} props */
  render({ room, ply, go, close }) {
    const plies = room.game?.moves.length ?? 0;
    const review = reviewOf(room);
    const made = review && ply > 0 ? review.moves[ply - 1] : null;
    return html`<section
      class="review"
      aria-label=${strings("review.title")}
      ref=${this.#element}
      onkeydown=${this.#key}
    >
      <h2 class="visually-hidden">${strings("review.title")}</h2>
      ${this.#steps()}
      <div role="status">
        <p class="review-place">${strings(ply === 0 ? "review.start" : "review.at", { ply, plies })}</p>
        <p class="review-verdict" data-verdict=${made?.verdict}>
          ${made ? sentence(room, made) : review ? "" : strings("review.asking")}
        </p>
      </div>
      <ol class="review-moves" aria-label=${strings("review.moves")}>
        ${room.game?.moves.map((cell, at) => this.#move(cell, at))}
      </ol>
      <p class="review-summary">${review && conclusion(review)}</p>
      <p class="review-keys">${strings("review.keys")}</p>
      <button type="button" class="button-quiet" onclick=${close}>${strings("review.close")}</button>
    </section>`;
  }

  #steps() {
    const { ply, go } = this.props;
    // A disabled button would lose the focus, so it only gets `aria-disabled`.
    const step = (/** @type {string} */ name, /** @type {string} */ sign, /** @type {number} */ to) => html`<button
      type="button"
      class="button-quiet review-step"
      aria-label=${strings(`review.${name}`)}
      title=${strings(`review.${name}`)}
      aria-disabled=${to === ply}
      onclick=${() => go(to)}
    >
      <span aria-hidden="true">${sign}</span>
    </button>`;
    return html`<div class="review-steps" role="group" aria-label=${strings("review.moves")}>
      ${Object.entries(this.#targets()).map(([name, to]) => step(name, SIGNS[name], to))}
    </div>`;
  }

  /** @param {number} cell @param {number} at */
  #move(cell, at) {
    const { room, ply, go } = this.props;
    const verdict = reviewOf(room)?.moves[at]?.verdict;
    const mark = markLetter(markAt(room.game?.first ?? "x", at));
    return html`<li>
      <button
        type="button"
        class="review-move"
        data-verdict=${verdict}
        aria-current=${at + 1 === ply ? "step" : null}
        onclick=${() => go(at + 1)}
      >
        ${`${mark} ${label(room.settings.board, cell)}`}
        ${verdict && html`<span class="visually-hidden">${`, ${strings(`review.${verdict}`)}`}</span>`}
      </button>
    </li>`;
  }
}

/**
 * The review of the current game, if it has arrived.
 * @param {Room} room
 */
export const reviewOf = (room) => (room.review?.game === room.game?.number ? room.review : null);

/**
 * @param {Room} room
 * @param {ReviewedMove} made
 */
function sentence(room, made) {
  const mark = markLetter(markAt(room.review?.first ?? "x", made.ply));
  if (made.verdict === "opening") return strings("review.placed", { mark });
  const value = (/** @type {string} */ worth) => strings(`review.worth.${worth}`);
  return strings(made.before === made.after ? "review.unchanged" : "review.changed", {
    verdict: strings(`review.${made.verdict}`),
    mark,
    before: value(made.before),
    after: value(made.after),
  });
}

/**
 * The summary of a review.
 * @param {NonNullable<Room["review"]>} review
 */
function conclusion(review) {
  const count = review.moves.filter((made) => made.verdict === "mistake").length;
  const key = count > 1 ? "review.mistakes" : `review.mistakes.${count}`;
  const mistakes = strings(key, { count });
  return strings(review.proven ? "review.proven" : "review.estimated", { mistakes });
}
