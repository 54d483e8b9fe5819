// The fields of a form: each shows a setting as its kind needs it.
// @ts-check

import { parseBoard, valueOf } from "../choices.js";
import { computerNote } from "../computer-text.js";
import { MAX_NAME_CHARS, MAX_SIDE, MIN_SIDE } from "../generated/constants.js";
import { Component, html } from "../html.js";
import { strings } from "../strings.js";

/** @typedef {import("../choices.js").Setting} Setting */
/** @typedef {import("../choices.js").Values} Values */
/** @typedef {Event & {currentTarget: HTMLInputElement}} InputEvent */
/** @typedef {{value: string, label: string, note?: string}} Option */

/**
 * @typedef {object} Props
 * @property {Setting} setting
 * @property {Values} values the values of the form
 * @property {(name: string, value: string) => void} set
 */

/** @param {Props} props */
export function Field(props) {
  const { setting, values, set } = props;
  const { name, kind } = setting;
  if (kind === "board") return html`<${BoardField} ...${props} />`;
  if (kind === "name") return html`<${NameOfSide} ...${props} />`;
  if (kind === "yes_no") return html`<${Checkbox} ...${props} />`;
  const options = optionsOf(setting, values);
  const isNoted = options.some(({ note }) => note);
  if (!isNoted && options.length > 3) return html`<${Select} ...${props} options=${options} />`;
  const choose = (/** @type {string} */ value) => set(name, value);
  return html`
    <${Radios}
      name=${name}
      options=${options}
      layout=${isNoted ? "rows" : ""}
      value=${valueOf(setting, values)}
      choose=${choose}
    />
  `;
}

/**
 * The settings of one of two computers, and a note about it.
 *
 * @param {Omit<Props, "setting"> & {mark: "x" | "o", fields: Setting[]}} props
 */
export function Side({ mark, fields, values, set }) {
  const own = fields.filter(({ name }) => name.endsWith(`_${mark}`)).sort((a, b) => +a.more - +b.more);
  const [strategy, strength] = [values[`strategy_${mark}`], values[`strength_${mark}`]];
  return html`
    <fieldset class="side">
      <legend>${strings(`computers.${mark}`)}</legend>
      ${own.map((setting) => html`
        <${Select}
          key=${setting.name}
          setting=${setting}
          options=${optionsOf(setting, values)}
          values=${values}
          set=${set}
        />
      `)}
      <p class="note">${computerNote(strategy, strength)}</p>
    </fieldset>
  `;
}

/** The name of a setting's texts: those of two computers are the same. @param {string} name */
const textOf = (name) => name.replace(/_[xo]$/, "");

/** @param {Setting} setting @param {Values} values @returns {Option[]} */
function optionsOf({ name, values: offered }, values) {
  return offered.map((value) => {
    const key = `${textOf(name)}.${value}`;
    const note = strings.has(`${key}.note`) ? strings(`${key}.note`) : undefined;
    const isStrength = name === "strength";
    const shown = isStrength ? computerNote(values.strategy, value) : note;
    return { value, label: strings(key), note: shown };
  });
}

/**
 * Radio buttons: side by side, as equal tiles, or as rows with notes.
 *
 * @param {{name: string, options: Option[], value: string, layout: "" | "rows" | "tiles",
 *   choose: (value: string) => void, children?: import("../html.js").Children}} props
 */
function Radios({ name, options, value, layout, choose, children }) {
  return html`
    <fieldset class="group">
      <legend>${strings(`field.${name}`)}</legend>
      <div class=${`options ${layout}`}>
        ${options.map((option) => html`
          <label key=${option.value} class="option">
            <input
              type="radio"
              name=${name}
              value=${option.value}
              checked=${option.value === value}
              onchange=${() => choose(option.value)}
            />
            <span>${option.label}</span>
            ${option.note && html`<span class="note">${option.note}</span>`}
          </label>
        `)}
      </div>
      ${children}
    </fieldset>
  `;
}

/** @param {Props & {options: Option[]}} props */
function Select({ setting, options, values, set }) {
  const { name } = setting;
  /** @param {Event & {currentTarget: HTMLSelectElement}} event */
  const change = ({ currentTarget }) => set(name, currentTarget.value);
  return html`
    <div class="field">
      <label for=${name} class="label">${strings(`field.${textOf(name)}`)}</label>
      <select id=${name} class="select" value=${valueOf(setting, values)} onchange=${change}>
        ${options.map(({ value, label }) => html`<option key=${value} value=${value}>${label}</option>`)}
      </select>
    </div>
  `;
}

/** @param {Props} props */
function Checkbox({ setting, values, set }) {
  const { name } = setting;
  const change = (/** @type {InputEvent} */ event) => set(name, event.currentTarget.checked ? "yes" : "no");
  return html`
    <label class="switch">
      <input type="checkbox" checked=${values[name] === "yes"} onchange=${change} />
      <span>${strings(`field.${name}`)}</span>
    </label>
  `;
}

/** The name of one of two players at this screen. @param {Props} props */
function NameOfSide({ setting: { name }, values, set }) {
  return html`
    <div class="field">
      <label for=${name} class="label">${strings(`field.${name}`)}</label>
      <input
        id=${name}
        class="input"
        type="text"
        autocomplete="off"
        spellcheck=${false}
        maxlength=${MAX_NAME_CHARS * 2}
        placeholder=${name.at(-1)}
        value=${values[name]}
        oninput=${(/** @type {InputEvent} */ event) => set(name, event.currentTarget.value)}
      />
    </div>
  `;
}

/**
 * The board: an offered one, or any other by its three numbers.
 *
 * @extends {Component<Props, {isOther: boolean}>}
 */
class BoardField extends Component {
  /** @param {Props} props */
  constructor(props) {
    super(props);
    this.state = { isOther: !props.setting.values.includes(props.values.board) };
  }

  /** @param {string} board */
  #choose = (board) => {
    this.setState({ isOther: board === "other" });
    if (board !== "other") this.props.set("board", board);
  };

  render() {
    const { setting, values } = this.props;
    const { isOther } = this.state;
    const options = [...setting.values.map(boardOption), { value: "other", label: strings("board.other") }];
    const isWrong = parseBoard(values.board) === null;
    const error = isWrong ? strings("board.error", { min: MIN_SIDE, max: MAX_SIDE }) : "";
    return html`
      <${Radios}
        name="board"
        options=${options}
        layout="tiles"
        value=${isOther ? "other" : values.board}
        choose=${this.#choose}
      >
        ${isOther && html`
          <div class="sizes">${["width", "height", "line"].map((name, at) => this.#number(name, at, isWrong))}</div>
        `}
        <p class="error" role="alert" id="board-error" hidden=${!isWrong}>${error}</p>
      <//>
    `;
  }

  /** @param {string} name @param {number} at its place in the text of a board @param {boolean} isWrong */
  #number(name, at, isWrong) {
    const { values, set } = this.props;
    const numbers = values.board.split("x");
    const change = (/** @type {InputEvent} */ { currentTarget }) =>
      set("board", numbers.with(at, currentTarget.value).join("x"));
    return html`
      <div class="field" key=${name}>
        <label for=${name} class="label">${strings(`board.${name}`)}</label>
        <input
          id=${name}
          class="input"
          type="number"
          inputmode="numeric"
          min=${MIN_SIDE}
          max=${MAX_SIDE}
          aria-invalid=${isWrong}
          aria-describedby=${isWrong ? "board-error" : null}
          value=${numbers[at]}
          oninput=${change}
        />
      </div>
    `;
  }
}

/** @param {string} board @returns {Option} */
function boardOption(board) {
  const [width, height, line] = board.split("x");
  const size = strings("board.size", { width, height });
  return { value: board, label: size, note: strings("board.inARow", { line }) };
}
