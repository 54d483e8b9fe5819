// The fields about a game that several forms share: board, first move, computer.
// @ts-check

import { BOARDS, FIRSTS, MARKS, MOVE_TIMES, STRATEGIES, STRENGTHS } from "../choices.js";
import { admitsSwap2, hasStrengths, parseBoard } from "../choices.js";
import { computerNote } from "../computer-text.js";
import { h, setAttr, setText, toggle, uniqueId } from "../dom.js";
import { MAX_SIDE, MIN_SIDE } from "../generated/constants.js";
import { radios, select } from "./fields.js";

/** @typedef {import("../strings.js").Strings} Strings */
/** @typedef {import("./fields.js").Field} Field */

/**
 * The board: an offered one, or any other by its three numbers.
 *
 * @param {Strings} strings
 * @param {string} value such as `3x3x3`
 * @param {(board: string) => void} [onchange]
 * @returns {Field & {valid: () => boolean}} `valid` focuses the wrong field
 */
export function boardField(strings, value, onchange = () => {}) {
  const preset = BOARDS.includes(value) ? value : "other";
  const options = BOARDS.map((board) => boardOption(strings, board));
  const other = { value: "other", label: strings("board.other") };
  const choice = radios({
    legend: strings("field.board"),
    options: [...options, other],
    value: preset,
    layout: "tiles",
    onchange: show,
  });
  const [width, height, line] = ["width", "height", "line"].map((name, i) =>
    number(strings(`board.${name}`), value.split("x")[i] ?? "3", show),
  );
  const sizes = h("div", { class: "sizes" }, width.element, height.element, line.element);
  const error = h("p", { class: "error", role: "alert", id: uniqueId() });
  choice.element.append(sizes, error);

  const typed = () => [width, height, line].map((field) => field.value()).join("x");
  const current = () => (choice.value() === "other" ? typed() : choice.value());
  const isBoard = () => parseBoard(current()) !== null;

  function show() {
    toggle(sizes, choice.value() === "other");
    const fits = isBoard();
    toggle(error, !fits);
    setText(error, fits ? "" : strings("board.error", { min: MIN_SIDE, max: MAX_SIDE }));
    for (const { input } of [width, height, line]) {
      setAttr(input, "aria-invalid", !fits);
      setAttr(input, "aria-describedby", fits ? null : error.id);
    }
    onchange(current());
  }

  function valid() {
    if (!isBoard()) {
      width.input.focus();
    }
    return isBoard();
  }

  show();
  return { element: choice.element, value: current, valid };
}

/** @param {Strings} strings @param {string} board @returns {import("./fields.js").Option} */
function boardOption(strings, board) {
  const [width, height, line] = board.split("x");
  return {
    value: board,
    label: strings("board.size", { width, height }),
    note: strings("board.inARow", { line }),
  };
}

/** @param {string} label @param {string} value @param {() => void} onchange */
function number(label, value, onchange) {
  const id = uniqueId();
  const input = h("input", {
    id,
    class: "input",
    type: "number",
    inputMode: "numeric",
    min: String(MIN_SIDE),
    max: String(MAX_SIDE),
    value,
    oninput: onchange,
  });
  const element = h("div", { class: "field" }, h("label", { for: id, class: "label" }, label), input);
  return { element, input, value: () => input.value };
}

/** @param {Strings} strings @param {string} value @returns {Field} */
export function markField(strings, value) {
  const options = MARKS.map((mark) => ({ value: mark, label: strings(`mark.${mark}`) }));
  return radios({ legend: strings("field.mark"), options, value });
}

/** @param {Strings} strings @param {string} value @returns {Field} */
export function firstField(strings, value) {
  const options = FIRSTS.map((first) => ({ value: first, label: strings(`first.${first}`) }));
  return select({ label: strings("field.first"), options, value });
}

/** @param {Strings} strings @param {string} value @returns {Field} */
export function timeField(strings, value) {
  const options = MOVE_TIMES.map((time) => ({ value: time, label: strings(`time.${time || "none"}`) }));
  return select({ label: strings("field.time"), options, value });
}

/**
 * The opening. Only large boards have a choice.
 *
 * @param {Strings} strings @param {string} value
 * @returns {Field & {fit: (board: string) => void}}
 */
export function openingField(strings, value) {
  const options = ["free", "swap2"].map((opening) => ({
    value: opening,
    label: strings(`opening.${opening}`),
    note: strings(`opening.${opening}.note`),
  }));
  const field = radios({ legend: strings("field.opening"), options, value, layout: "rows" });
  const fit = (/** @type {string} */ board) => toggle(field.element, admitsSwap2(parseBoard(board)));
  return { ...field, fit };
}

/**
 * The strength of a computer, with a note for each. `fit` shows the notes of a strategy.
 *
 * @param {Strings} strings @param {string} legend @param {string} value
 * @returns {Field & {fit: (strategy: string) => void}}
 */
export function strengthField(strings, legend, value) {
  const options = STRENGTHS.map((strength) => ({
    value: strength,
    label: strings(`strength.${strength}`),
    note: computerNote(strings, "minimax", strength),
  }));
  const field = radios({ legend, options, value, layout: "rows" });

  /** @param {string} strategy */
  function fit(strategy) {
    toggle(field.element, hasStrengths(strategy));
    for (const [i, strength] of STRENGTHS.entries()) {
      const note = field.notes[i];
      if (note) setText(note, computerNote(strings, strategy, strength));
    }
  }

  return { ...field, fit };
}

/**
 * The strategy of a computer, with a note for each.
 *
 * @param {Strings} strings @param {string} legend @param {string} value @param {() => void} onchange
 * @returns {Field}
 */
export function strategyField(strings, legend, value, onchange) {
  const options = STRATEGIES.map((strategy) => ({
    value: strategy,
    label: strings(`strategy.${strategy}`),
    note: strings(`strategy.${strategy}.note`),
  }));
  return radios({ legend, options, value, layout: "rows", onchange });
}
