// A choice as a row of chips, each a radio button, with a line below them that explains the chosen one.
// @ts-check

import { html } from "../html.js";
import { MarkIcon } from "../room/board-svg.js";
import { PICTURE_SIDE } from "./board-picture.js";
import { tally } from "./tally.js";

/**
 * A chip: its text, a drawing above the text, and a sentence about it.
 *
 * @typedef {{value: string, label: string, note?: string, drawing?: import("../html.js").Children}} Chip
 */

/**
 * @typedef {object} Props
 * @property {string} name
 * @property {import("../html.js").Children} title
 * @property {Chip[]} chips
 * @property {string} value
 * @property {(value: string) => void} choose
 * @property {string} [layout] a class of the group
 * @property {import("../html.js").Children} [extra] stands in the row, after the chips
 * @property {import("../html.js").Children} [children] stands below
 */

/** @param {Props} props */
export function Chips({ name, title, chips, value, choose, layout = "", extra, children }) {
  const chosen = chips.find((chip) => chip.value === value);
  return html`
    <fieldset class=${`group ${layout}`}>
      <legend>${title}</legend>
      <div class="options">
        ${chips.map((chip) => html`
          <label key=${chip.value} class="option">
            <input
              type="radio"
              name=${name}
              value=${chip.value}
              checked=${chip === chosen}
              aria-description=${chip.note}
              onchange=${() => choose(chip.value)}
            />
            ${chip.drawing}
            <span class="option-text">${chip.label}</span>
          </label>
        `)}
        ${extra}
      </div>
      ${(extra || chips.some(({ note }) => note)) &&
      html`<p class="note options-note">${chosen?.note && html`<b>${chosen.label}:</b> ${chosen.note}`}</p>`}
      ${children}
    </fieldset>
  `;
}

/** The two marks, and both for a mark by chance. @param {string} mark */
export const markDrawing = (mark) => (mark === "random" ? ["x", "o"] : [mark]).map((one) => html`
  <${MarkIcon} key=${one} mark=${one} />
`);

/** A strength as strokes that count it. @param {number} count */
export const tallyDrawing = (count) => html`
  <svg class="tally" viewBox="0 0 ${PICTURE_SIDE} ${PICTURE_SIDE / 2}" aria-hidden="true">
    <path d=${tally(count)} />
  </svg>
`;
