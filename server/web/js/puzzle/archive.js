// The puzzles of a month, with the stars that the player has for each.
// @ts-check

import { Component, html } from "../html.js";
import { Link } from "../link.js";
import { strings } from "../strings.js";
import { dayText } from "./day.js";
import { results } from "./memory.js";
import { FIRST, dateOf, later, starsOf, startOf } from "./model.js";

/** Scrolls the opened archive into sight. @param {Event & {currentTarget: HTMLElement}} event */
const show = ({ currentTarget }) => currentTarget.scrollIntoView({ block: "nearest" });

/** @extends {Component<{date: string}, {month: string}>} */
export class Archive extends Component {
  state = { month: (this.props.date <= dateOf(Date.now()) ? this.props.date : dateOf(Date.now())).slice(0, 7) };

  /** @param {number} months */
  #turn(months) {
    const [year, month] = this.state.month.split("-").map(Number);
    this.setState({ month: new Date(Date.UTC(year, month - 1 + months)).toISOString().slice(0, 7) });
  }

  /** @param {{date: string}} props @param {{month: string}} state */
  render({ date }, { month }) {
    const today = dateOf(Date.now());
    const done = results();
    const first = `${month}-01`;
    const days = Array.from({ length: 31 }, (_, day) => later(first, day)).filter((day) => day.startsWith(month));
    // Monday is the first column.
    const before = (new Date(startOf(first)).getUTCDay() + 6) % 7;
    const turn = (/** @type {number} */ months, /** @type {string} */ sign, /** @type {boolean} */ off) => html`
      <button type="button" class="button-quiet" disabled=${off} aria-label=${strings(months < 0 ? "puzzle.earlier" : "puzzle.later")}
        onclick=${() => this.#turn(months)}>${sign}</button>`;
    return html`<details class="puzzle-archive" ontoggle=${show}>
      <summary>${strings("puzzle.archive")}</summary>
      <div class="puzzle-month">
        ${turn(-1, "←", month <= FIRST.slice(0, 7))}
        <h2 aria-live="polite">${dayText(first, { month: "long", year: "numeric" })}</h2>
        ${turn(1, "→", month >= today.slice(0, 7))}
      </div>
      <ol class="puzzle-days" style=${{ "--before": before + 1 }}>
        ${days.map((day) => html`<li key=${day}>${this.#day(day, day > today || day < FIRST, day === date, done[day])}</li>`)}
      </ol>
    </details>`;
  }

  /** @param {string} day @param {boolean} off @param {boolean} isShown @param {import("./model.js").Tries} [tries] */
  #day(day, off, isShown, tries) {
    const number = Number(day.slice(8));
    if (off) return html`<span class="puzzle-day">${number}</span>`;
    const stars = tries?.over ? starsOf(tries) : null;
    const told = stars === null ? "" : `, ${strings("puzzle.stars", { count: stars })}`;
    // A day that was shown has a sign of its own.
    const sign = tries?.shown ? "✗" : "★".repeat(stars ?? 0) || "✓";
    return html`<${Link} class="puzzle-day" to=${{ screen: "puzzle", date: day }} aria-current=${isShown ? "date" : null}
      aria-label=${dayText(day, { dateStyle: "long" }) + told}>
      ${number}<small>${stars === null ? (tries ? "·" : "") : sign}</small>
    <//>`;
  }
}
