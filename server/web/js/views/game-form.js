// The forms that start a game: the settings of its kind, and the button. A new setting needs only its
// texts.
// @ts-check

import { fieldsOf, formOf, isFolded, isOfStrength, isShown, parseBoard, savedChoices, startOf, withChoice } from "../choices.js";
import { Component, html } from "../html.js";
import { normalizeName } from "../identity.js";
import { hasNine } from "../strengths.js";
import { strings } from "../strings.js";
import { Field, Side } from "./fields.js";

/** @typedef {import("../choices.js").Setting} Setting */
/** @typedef {import("../choices.js").Values} Values */
/** @typedef {import("../view.js").Props} Props */

/** A setting of one of two computers. @param {Setting} setting */
const isOfSide = ({ name }) => /_[xo]$/.test(name);

/** When a computer comes stands below the board: who begins to play has no need of it. @param {Setting} setting */
const isLate = ({ name }) => name === "computer_after";

/** A setting that is chosen before the board. @param {Setting} setting */
const isEarly = ({ name, wire }) => wire === null || name === "variant";

/** The class of the boards that have nine strengths. Exactly five in a row is of no class of its own. @param {Values} values */
const classOf = ({ variant }) => (variant === "exact" ? "other" : "five");

/** @param {Values} values whether the computer has nine strengths on this board */
const isOfNine = ({ board, variant, strategy }) => hasNine({ board: parseBoard(board), variant }, strategy);

/** The question about the player's own profile, if it is the last one about profiles. @param {import("../core/state.js").State} state */
const ownProfile = ({ questions: { profile: asked } }) =>
  asked?.message.type === "profile" && !asked.message.player ? asked : null;

/**
 * The player's own rating on such a board, once it is known.
 *
 * @param {import("../core/state.js").State} state @param {Values} values
 */
function ratingOf(state, values) {
  const found = ownProfile(state)?.found;
  const ratings = found?.kind === "profile" ? found.profile.ratings : [];
  return ratings.find(({ class: kind }) => kind === classOf(values)) ?? null;
}

/** @extends {Component<Props, {values: Values}>} */
export class GameForm extends Component {
  #asked = false;

  /** @param {Props} props */
  constructor(props) {
    super(props);
    const { page, state } = props;
    this.screen = state.route.screen;
    const names = { nameX: page.player.name() };
    this.state = { values: savedChoices(state.prefs, this.screen, names) };
  }

  /** @param {string} name @param {string} value */
  #set = (name, value) =>
    this.setState(({ values }) => ({ values: withChoice(fieldsOf(formOf(this.screen, values)), values, name, value) }));

  /** @param {Event & {currentTarget: HTMLFormElement}} event */
  #submit = (event) => {
    event.preventDefault();
    const { page, state } = this.props;
    const wrong = event.currentTarget.querySelector('[aria-invalid="true"]');
    if (wrong) {
      /** @type {HTMLElement} */ (wrong).focus();
    } else if (state.entering === null) {
      const { values } = this.state;
      const [nameX, nameO] = [values.nameX, values.nameO].map(normalizeName);
      page.saveChoices(this.screen, { ...values, nameX, nameO });
      page.send(startOf(formOf(this.screen, values), values, state.features));
    }
  };

  componentDidMount() {
    this.#askRating();
  }

  componentDidUpdate() {
    this.#askRating();
  }

  /** A strength is marked that fits the player's rating: it is asked for once. */
  #askRating() {
    const { state } = this.props;
    const isRated = this.screen === "computer" && state.features.ratings && isOfNine(this.state.values);
    if (isRated && state.me && !this.#asked && !ownProfile(state)) {
      this.#asked = true;
      this.context.send({ type: "profile" });
    }
  }

  render() {
    const waits = this.props.state.entering !== null;
    const lead = `${this.screen}.lead`;
    const rated = this.screen === "quick" && this.props.state.features.ratings;
    return html`
      <form class="screen form" novalidate onsubmit=${this.#submit}>
        <header>
          <h1>${strings(`menu.${this.screen}`)}</h1>
          ${strings.has(lead) && html`<p class="lead">${strings(lead)} ${rated && strings("quick.rated")}</p>`}
        </header>
        ${this.#fields()}
        <div class="go">
          <button type="submit" class="button-primary wide" aria-disabled=${waits}>
            ${strings(waits ? "form.starting" : "form.go")}
          </button>
        </div>
      </form>
    `;
  }

  /** The fields: who plays, then the settings of the room. */
  #fields() {
    const { values } = this.state;
    const { features } = this.props.state;
    const offered = fieldsOf(formOf(this.screen, values)).filter((field) => isShown(field, values, features));
    const rating = ratingOf(this.props.state, values);
    const switches = offered.filter(isOfStrength);
    const field = (/** @type {Setting} */ setting) => html`
      <${Field} key=${setting.name} setting=${setting} values=${values} set=${this.#set} rating=${rating} switches=${switches} />
    `;
    const sides = offered.filter(isOfSide);
    const rest = offered.filter((setting) => !isOfSide(setting) && !isOfStrength(setting));
    const more = rest.filter(isFolded).map(field);
    const shown = rest.filter((setting) => !isFolded(setting));
    const pair = ["x", "o"].map((mark) => html`
      <${Side} key=${mark} mark=${mark} fields=${sides} values=${values} set=${this.#set} />
    `);
    return html`
      <div class="two-columns">
        <div>
          ${sides.length > 0 && html`<div class="pair">${pair}</div>`}
          ${shown.filter((setting) => isEarly(setting) && !isLate(setting)).map(field)}
        </div>
        <div>${shown.filter((setting) => !isEarly(setting)).map(field)}</div>
        ${shown.some(isLate) && html`<div>${shown.filter(isLate).map(field)}</div>`}
        ${more.length > 0 && html`<details class="more">
          <summary>${strings("form.more")}</summary>
          <div>${more}</div>
        </details>`}
      </div>
    `;
  }
}
