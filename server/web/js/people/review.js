// Stepping through a finished game: what the review says of the shown move, and the slider, buttons and
// keys that go to another one. The list of moves is in `room/moves.js`. The screen knows which move is
// shown.
// @ts-check

import { Component, createRef, html } from "../html.js";
import { cellName, markAt, markPlaced, reviewOf } from "../client/rules.js";
import { markLetter, sideName, withMark } from "../room/room-text.js";
import { strings } from "../strings.js";

/** @typedef {import("../core/state.js").Room} Room */
/** @typedef {import("../client/protocol.js").ReviewedMove} ReviewedMove */

/** The steps and their signs; the slider stands in the middle. */
const STEPS = /** @type {const} */ ({ first: "«", previous: "‹", next: "›", last: "»" });

/** The step of each key. @type {Record<string, keyof typeof STEPS>} */
const KEYS = { Home: "first", ArrowLeft: "previous", ArrowRight: "next", End: "last" };

/**
 * The number of moves after each step.
 * @param {number} ply the number of shown moves
 * @param {number} plies of all moves
 */
export const stepsFrom = (ply, plies) => ({
  first: 0,
  previous: Math.max(ply - 1, 0),
  next: Math.min(ply + 1, plies),
  last: plies,
});

/**
 * Where the player is in the game, and what the review says about the last shown move, in the place of
 * the status and as high as that.
 * @param {{room: Room, ply: number}} props `ply` is the number of shown moves
 */
export function ReviewText({ room, ply }) {
  const [place, verdict] = reviewText(room, ply);
  return html`<div class="room-status review-text" role="status" data-verdict=${movesOf(room)[ply - 1]?.verdict}>
    <p class="status-title" style=${{ "--letters": place.length }}>${place}</p>
    <p class="status-detail">${verdict}</p>
  </div>`;
}

/** @param {Room} room */
const movesOf = (room) => reviewOf(room)?.moves ?? [];

/**
 * The two lines about a shown move.
 * @param {Room} room with a game
 * @param {number} ply the number of shown moves
 */
export function reviewText(room, ply) {
  const review = reviewOf(room);
  const { board } = room.settings;
  const { moves, first, placed } = room.game ?? { moves: [], first: "x", placed: null };
  const plies = moves.length;
  if (ply === 0) return [strings("review.start", { plies }), review ? conclusion(review) : strings("review.asking")];
  const mover = markAt(first, ply - 1);
  const mark = sideName(room, mover);
  const stands = markLetter(markPlaced({ first, placed }, ply - 1));
  const place = strings("review.at", { ply, plies, mark: stands, cell: cellName(board, moves[ply - 1]) });
  const made = review?.moves[ply - 1];
  if (!made) return [place, review ? "" : strings("review.asking")];
  const better = made.best == null ? "" : withMark(cellName(board, made.best), placed && (made.best_placed ?? mover));
  return [place, verdictText(mark, made, better)];
}

/**
 * The verdict on a move, and the loss of a mistake.
 * @param {string} mark
 * @param {ReviewedMove} made
 * @param {string} cell the name of a better one
 */
function verdictText(mark, { verdict, before, after }, cell) {
  if (verdict === "opening") return strings("review.placed", { mark });
  if (verdict === "fine" && before === "lost") return strings("review.lost", { mark });
  const text = strings(cell ? "review.better" : "review.verdict", { verdict: strings(`review.${verdict}`), cell });
  const key = `review.missed.${before}`;
  const missed = verdict === "mistake" && before !== after && strings.has(key);
  return missed ? `${text} ${strings(key, { mark })}` : text;
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

/**
 * @typedef {{room: Room, ply: number, go: (ply: number) => void, close: (() => void) | null}} Props `go`
 *   shows the game after another number of moves; without `close` it is always there and takes no focus
 */

/**
 * The slider between the step buttons. The arrow keys work in the whole room, but not on the board.
 * @extends {Component<Props>}
 */
export class Steps extends Component {
  #slider = /** @type {{current: HTMLInputElement | null}} */ (createRef());

  componentDidMount() {
    document.addEventListener("keydown", this.#key);
    if (this.props.close) this.#slider.current?.focus({ preventScroll: true });
  }

  componentWillUnmount() {
    document.removeEventListener("keydown", this.#key);
  }

  #targets() {
    const { room, ply } = this.props;
    return stepsFrom(ply, room.game?.moves.length ?? 0);
  }

  #key = (/** @type {KeyboardEvent} */ event) => {
    const { target, key } = event;
    const elsewhere = target instanceof Element && target.closest("[role=grid], dialog, select");
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (key === "Escape" && this.props.close && !document.querySelector("dialog[open]")) return this.props.close();
    if (elsewhere || !KEYS[key]) return;
    event.preventDefault();
    this.props.go(this.#targets()[KEYS[key]]);
  };

  #slide = (/** @type {any} */ { currentTarget }) => this.props.go(Number(currentTarget.value));

  /** @param {Props} props */
  render({ room, ply }) {
    const { plies, marks } = { plies: room.game?.moves.length ?? 0, marks: movesOf(room) };
    return html`<div class="review-steps" role="group" aria-label=${strings("review.title")}>
      ${this.#button("first")} ${this.#button("previous")}
      <span class="review-slider">
        ${marks.map(
          ({ verdict }, at) =>
            verdict === "mistake" && html`<i key=${at} style=${{ "--at": (at + 1) / plies }}></i>`,
        )}
        <input
          ref=${this.#slider}
          type="range"
          min="0"
          max=${plies}
          value=${ply}
          aria-label=${strings("review.slider")}
          aria-valuetext=${reviewText(room, ply)[0]}
          oninput=${this.#slide}
        />
      </span>
      ${this.#button("next")} ${this.#button("last")}
    </div>`;
  }

  /** @param {keyof typeof STEPS} name */
  #button(name) {
    const to = this.#targets()[name];
    // A disabled button would lose the focus, so it only gets `aria-disabled`.
    return html`<button
      type="button"
      class="button-quiet review-step"
      aria-label=${strings(`review.${name}`)}
      title=${strings(`review.${name}`)}
      aria-disabled=${to === this.props.ply ? "true" : null}
      onclick=${() => this.props.go(to)}
    >
      <span aria-hidden="true">${STEPS[name]}</span>
    </button>`;
  }
}
