// The fields of a form: each shows a setting as its kind needs it.
// @ts-check

import { MOST_TALKATIVE, isSwap2, isTooStrong, parseBoard, strengthNear, valueOf, valuesOf } from "../choices.js";
import { Component, html } from "../html.js";
import { MarkIcon } from "../room/board-svg.js";
import { hasNine, hasStrengths, isBetween, levelOf } from "../strengths.js";
import { strings } from "../strings.js";
import { sharesMarks } from "../variant-text.js";
import { BoardField } from "./board-field.js";
import { Chips, markDrawing, tallyDrawing } from "./chips.js";
import { NAME_UNITS, TooLong } from "./name-field.js";
import { computerNote, strengthLabel } from "./strength-text.js";
import { VariantField } from "./variant-field.js";

/** @typedef {import("../choices.js").Setting} Setting */
/** @typedef {import("../choices.js").Values} Values */
/** @typedef {Event & {currentTarget: HTMLInputElement}} InputEvent */

/**
 * @typedef {object} Props
 * @property {Setting} setting
 * @property {Values} values the values of the form
 * @property {(name: string, value: string) => void} set
 * @property {import("../client/protocol.js").Rating | null} [rating] the player's, on such a board
 * @property {Setting[]} [switches] what stands below the strength
 */

/** The settings with several values that are chips. All others are lists. */
const CHIPS = ["strategy", "strength", "mark", "device", "opening", "format"];

/** @param {Props} props */
export function Field(props) {
  const { name, kind } = props.setting;
  if (kind === "board") return html`<${BoardField} key=${props.values.variant} ...${props} />`;
  if (name === "variant") return html`<${VariantField} ...${props} />`;
  if (kind === "name") return html`<${NameOfSide} ...${props} />`;
  if (kind === "yes_no") return html`<${Checkbox} ...${props} />`;
  if (!CHIPS.includes(name)) return html`<${Select} ...${props} />`;
  return html`<${name === "strength" ? Strength : ChipField} ...${props} />`;
}

/**
 * Whether the choice of a mark is one of who moves first alone: both place the same marks, or the opening decides.
 * @param {Values} values
 */
const choosesTurn = (values) =>
  (sharesMarks(/** @type {import("../client/protocol.js").Variant | undefined} */ (values.variant)) || isSwap2(values)) && !["o", "random"].includes(values.first);

/** @param {Props} props */
function ChipField({ setting, values, set }) {
  const { name, values: offered } = setting;
  const isTurn = name === "mark" && choosesTurn(values);
  const text = (/** @type {string} */ key) => strings(isTurn && strings.has(`${key}.turn`) ? `${key}.turn` : key);
  const chips = offered.map((value) => {
    const key = `${name}.${value}`;
    const keyOfNote = name === "mark" ? `room.you.play.${values.variant}.${value}` : `${key}.note`;
    const note = strings.has(keyOfNote) ? strings(keyOfNote) : undefined;
    const drawing = name === "mark" && !isTurn ? html`<span class="option-marks">${markDrawing(value)}</span>` : null;
    return { value, label: text(key), note, drawing };
  });
  return html`<${Chips}
    name=${name}
    title=${text(`field.${name}`)}
    chips=${chips}
    value=${valueOf(setting, values)}
    choose=${(/** @type {string} */ value) => set(name, value)}
    layout=${`${name}-group`}
  />`;
}

/**
 * Tells screen readers of a strength that has changed by itself: the other board or strategy does not have the one
 * that is `chosen`. `value`: the one in its place, "" for none.
 *
 * @extends {Component<{chosen: string, value: string, text: string}, {told: string}>}
 */
class ChangedStrength extends Component {
  state = { told: "" };

  /** @param {{chosen: string, value: string}} before */
  componentDidUpdate(before) {
    const { chosen, value, text } = this.props;
    if (chosen !== before.chosen) this.setState({ told: "" });
    else if (value !== before.value) this.setState({ told: text });
  }

  render() {
    return html`<p class="visually-hidden" role="status">${this.state.told}</p>`;
  }
}

/** The strengths of the chosen strategy. A strategy with one strength says so in their place. @param {Props} props */
function Strength({ setting, values, set, rating = null, switches = [] }) {
  const { name } = setting;
  const { strategy } = values;
  const has = hasStrengths(strategy);
  const offered = /** @type {import("../client/protocol.js").Strength[]} */ (valuesOf(setting, values));
  const isNine = offered.some(isBetween);
  const near = isNine && rating !== null ? strengthNear(rating) : null;
  const scale = near ? strings("strength.near", { level: levelOf(near) }) : isNine && strings("strength.nine");
  const chips = offered.map((value, at) => {
    const drawing = isNine
      ? html`<span class=${value === near ? "level is-near" : "level"} aria-hidden="true">${levelOf(value)}</span>`
      : tallyDrawing(at + 1);
    const note = has ? computerNote(strategy, value, isNine) : "";
    return { value, label: strengthLabel(value, isNine), note, drawing };
  });
  const value = valueOf(setting, values);
  const one = strings("strength.one", { strategy: strings(`strategy.${strategy}`) });
  const told = has ? `${strings("field.strength")}: ${strengthLabel(value, isNine)}` : one;
  return html`<${Chips}
    name=${name}
    title=${[strings("field.strength"), scale && html` <small>${scale}</small>`]}
    chips=${has ? chips : []}
    value=${value}
    choose=${(/** @type {string} */ value) => set(name, value)}
    layout=${isNine ? "strength-group is-nine" : "strength-group"}
    extra=${!has && html`<p class="options-none">${one}</p>`}
  >
    <${ChangedStrength} chosen=${values[name]} value=${has ? value : ""} text=${told} />
    <div class="switches">
      ${switches.map((one) => html`<${Checkbox} key=${one.name} setting=${one} values=${values} set=${set} />`)}
    </div>
  <//>`;
}

/**
 * The settings of one of two computers, and a note about it.
 *
 * @param {Omit<Props, "setting"> & {mark: "x" | "o", fields: Setting[]}} props
 */
export function Side({ mark, fields, values, set }) {
  const own = fields.filter(({ name }) => name.endsWith(`_${mark}`));
  const strategy = values[`strategy_${mark}`];
  const field = /** @type {Setting} */ (own.find(({ name }) => name.startsWith("strength")));
  const strength = valueOf(field, values);
  const isNine = valuesOf(field, values).some(isBetween);
  const told = hasStrengths(strategy) ? strengthLabel(strength, isNine) : strings(`strategy.${strategy}`);
  return html`
    <fieldset class=${`side side-${mark}`}>
      <legend><${MarkIcon} mark=${mark} /><span class="visually-hidden">${strings(`mark.${mark}`)}</span></legend>
      ${own.map((setting) => html`
        <${Select}
          key=${setting.name}
          setting=${setting}
          values=${values}
          set=${set}
          isOnly=${setting.name.startsWith("strength") && !hasStrengths(strategy)}
        />
      `)}
      <p class="note"><b>${told}:</b> ${computerNote(strategy, strength, isNine)}</p>
    </fieldset>
  `;
}

/** The name of a setting's texts: those of two computers are the same. @param {string} name */
const textOf = (name) => name.replace(/_[xo]$/, "");

/** @param {Props & {isOnly?: boolean}} props `isOnly`: there is nothing to choose from */
function Select({ setting, values, set, isOnly = false }) {
  const { name } = setting;
  const text = textOf(name);
  const offered = valuesOf(setting, values);
  const isNine = offered.some(isBetween);
  // Numbers share one text.
  const label = (/** @type {string} */ value) =>
    levelOf(value) ? strengthLabel(value, isNine) : strings(`${text}.${value.replace(/^\d+$/, "n")}`, { n: value });
  /** @param {Event & {currentTarget: HTMLSelectElement}} event */
  const change = ({ currentTarget }) => set(name, currentTarget.value);
  const options = isOnly
    ? html`<option>${strings("strength.only")}</option>`
    : offered.map((value) => html`<option key=${value} value=${value}>${label(value)}</option>`);
  return html`
    <div class="field">
      <label for=${name} class="label">${strings(`field.${text}`)}</label>
      <select
        key=${isOnly}
        id=${name}
        class="select"
        value=${isOnly ? undefined : valueOf(setting, values)}
        disabled=${isOnly}
        onchange=${change}
      >
        ${options}
      </select>
    </div>
  `;
}

/** Up to which strength there is such a setting. @param {Values} values */
function mostText({ board, variant, strategy }) {
  const isNine = hasNine({ board: parseBoard(board), variant }, strategy);
  return isNine
    ? strings("strength.most.nine", { level: levelOf(MOST_TALKATIVE) })
    : strings("strength.most", { strength: strings(`computer.${MOST_TALKATIVE}`) });
}

/** @param {Props} props */
function Checkbox({ setting, values, set }) {
  const { name } = setting;
  const change = (/** @type {InputEvent} */ event) => set(name, event.currentTarget.checked ? "yes" : "no");
  const off = isTooStrong(setting, values);
  return html`
    <label class="switch">
      <input type="checkbox" checked=${!off && values[name] === "yes"} disabled=${off} onchange=${change} />
      <span>${strings(`field.${name}`)}${off && html`<small class="note">${mostText(values)}</small>`}</span>
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
        maxlength=${NAME_UNITS}
        placeholder=${name.at(-1)}
        value=${values[name]}
        oninput=${(/** @type {InputEvent} */ event) => set(name, event.currentTarget.value)}
      />
      <${TooLong} text=${values[name]} />
    </div>
  `;
}
