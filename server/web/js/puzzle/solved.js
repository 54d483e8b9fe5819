// The end of a puzzle: the streak, the grid to share, and when the next one comes.
// @ts-check

import { Component, createRef, html } from "../html.js";
import { Link } from "../link.js";
import { Countdown } from "../room/countdown.js";
import { addressOf } from "../router.js";
import { strings } from "../strings.js";
import { dayText } from "./day.js";
import { results } from "./memory.js";
import { dateOf, later, shareText, startOf, streakOf } from "./model.js";

/** @typedef {{puzzle: import("./model.js").Puzzle, tries: import("./model.js").Tries}} Props */

/** @extends {Component<Props, {told: string}>} */
export class Solved extends Component {
  state = { told: "" };
  #field = /** @type {{current: HTMLTextAreaElement | null}} */ (createRef());

  /** @param {string} text */
  async #share(text) {
    try {
      if (typeof navigator.share === "function") return await navigator.share({ text });
      await navigator.clipboard.writeText(text);
      this.setState({ told: "puzzle.copied" });
    } catch (error) {
      // The player closed the sheet; or there is no clipboard on plain http.
      if (error instanceof DOMException && error.name === "AbortError") return;
      const field = this.#field.current;
      field?.focus();
      field?.select();
      this.setState({ told: document.execCommand("copy") ? "puzzle.copied" : "puzzle.hand" });
    }
  }

  /** @param {Props} props @param {{told: string}} state */
  render({ puzzle, tries }, { told }) {
    const { date, answers } = puzzle;
    const today = dateOf(Date.now());
    const streak = streakOf(results(), today);
    const title = strings("puzzle.share.title", { date: dayText(date, { dateStyle: "medium" }), moves: answers.length });
    const link = addressOf({ screen: "puzzle", date });
    const text = shareText({ puzzle, tries, title, streak: date === today ? streak : 0, link });
    return html`<div class="puzzle-end">
      ${streak > 0 && html`<p class="puzzle-streak">${strings("puzzle.streak", { days: streak })}</p>`}
      <div class="puzzle-grid" aria-hidden="true">${puzzle.answers.map((_, at) => html`<div>
        ${(tries.wrong[at] ?? []).map(() => html`<i class="is-wrong"></i>`)}<i class=${tries.shown ? null : "is-right"}></i>
      </div>`)}</div>
      <div class="buttons">
        <button type="button" class="button-primary" onclick=${() => this.#share(text)}>${strings("puzzle.share")}</button>
      </div>
      <textarea ref=${this.#field} class=${told === "puzzle.hand" ? "input share-link" : "visually-hidden"} readonly rows="7"
        tabindex="-1" aria-hidden=${told !== "puzzle.hand"} aria-label=${strings("puzzle.share")} value=${text}></textarea>
      <p class="share-told" role="status">${told && strings(told)}</p>
      <${Next} date=${date} />
    </div>`;
  }
}

/** On the start page: that today's puzzle is solved, and the streak. */
export function PuzzleNote() {
  const today = dateOf(Date.now());
  const tries = results()[today];
  const days = streakOf(results(), today);
  if (!tries?.over || tries.shown) return strings("tile.puzzle.note");
  return `✓ ${strings("puzzle.solved.today")}${days > 1 ? ` · ${strings("puzzle.streak", { days })}` : ""}`;
}

/** The time until the puzzle after today's, or the way to today's. @param {{date: string}} props */
const Next = ({ date }) => html`<${Countdown} to=${performance.now() + untilAfter(date)}>${() => {
  // While a phone sleeps, the countdown's clock may stand still.
  const left = untilAfter(date);
  return left > 0
    ? html`<p class="puzzle-next">${strings("puzzle.next")} <b role="timer">${clock(left)}</b></p>`
    : html`<${Link} class="button-quiet" to=${{ screen: "puzzle", date: dateOf(Date.now()) }}>${strings("puzzle.today")}<//>`;
}}<//>`;

/** Milliseconds until a day is over. @param {string} date */
const untilAfter = (date) => startOf(later(date, 1)) - Date.now();

/** @param {number} ms */
function clock(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
