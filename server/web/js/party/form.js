// The form that makes a party: its name, whether the host plays too, and the settings of
// `protocol/src/party/settings.rs`.
// @ts-check

import { isOffered, parseBoard, valueOf, withChoice } from "../choices.js";
import { info } from "../core/happenings.js";
import { PARTY_SETTINGS } from "../generated/party.js";
import { Component, html } from "../html.js";
import { isSame } from "../hello.js";
import { normalizeName } from "../identity.js";
import { later, loadPart } from "../later.js";
import { FORMS } from "../parts.js";
import { NAME_UNITS, NameField, TooLong } from "../views/name-field.js";
import { rules } from "../views/summary.js";
import { locale, strings } from "../strings.js";
import { callable, follow } from "./calls.js";
import { partyRules } from "./rules.js";

/** @typedef {import("../choices.js").Setting} Setting */
/** @typedef {import("../choices.js").Values} Values */
/** @typedef {import("../view.js").Props} Props */

const Field = later(FORMS, "Field");

/** The form's name among the stored choices. */
const FORM = "party";

/**
 * `ready`: whether the fields are there, or cannot be
 * @extends {Component<Props, {values: Values, plays: boolean, ready: boolean}>}
 */
export class PartyForm extends Component {
  /** @param {Props} props */
  constructor(props) {
    super(props);
    const defaults = Object.fromEntries(PARTY_SETTINGS.map((setting) => [setting.name, setting.default]));
    const saved = props.state.prefs.forms[FORM] ?? {};
    this.state = { values: { ...defaults, name: usualName(), ...saved }, plays: saved.plays !== "no", ready: FORMS.module !== null };
  }

  componentDidMount() {
    follow(this.props.page);
    const show = () => this.setState({ ready: true }, this.context.arrived);
    loadPart(FORMS).then(show, show);
  }

  /** The new party is the next screen. @param {Props} before */
  componentDidUpdate(before) {
    const { page, state } = this.props;
    const made = state.party;
    const waited = before.state.unanswered.some(({ type }) => type === "create_party");
    if (made && made !== before.state.party && (waited || made.isHost)) this.#show(made.state);
  }

  /** The party is shown. A name that the server does not allow is another one now. @param {import("./model.js").PartyState} made */
  #show({ code, name }) {
    const { page } = this.props;
    page.navigate({ screen: "party", code });
    const notice = renamed(this.state.values.name, name);
    if (notice) page.dispatch({ type: "notice", notice });
  }

  /** @param {string} name @param {string} value */
  #set = (name, value) => this.setState(({ values }) => ({ values: withChoice(PARTY_SETTINGS, values, name, value) }));

  /** @param {Event & {currentTarget: HTMLFormElement}} event */
  #submit = (event) => {
    event.preventDefault();
    const { page, state } = this.props;
    const { values, plays } = this.state;
    const wrong = event.currentTarget.querySelector('[aria-invalid="true"]');
    if (wrong) return /** @type {HTMLElement} */ (wrong).focus();
    if (state.unanswered.some(({ type }) => type === "create_party")) return;
    const { name: _, ...kept } = values;
    page.saveChoices(FORM, { ...kept, plays: plays ? "yes" : "no" });
    if (plays) callable(this.context, state.prefs);
    page.send(intentOf(values, plays, state.features));
  };

  render() {
    const { page, state } = this.props;
    const { values, plays, ready } = this.state;
    if (!ready) return html`<div class="screen" data-waits="true"></div>`;
    const waits = state.unanswered.some(({ type }) => type === "create_party");
    const offered = PARTY_SETTINGS.filter((setting) => isOffered(setting, values, state.features));
    const fields = (/** @type {Setting[]} */ settings) => html`<${Fields} settings=${settings} values=${values} set=${this.#set} />`;
    const isGame = (/** @type {Setting} */ { name, kind }) => kind === "board" || name === "variant";
    const first = offered.filter((setting) => !setting.more && !isGame(setting));
    const boards = offered.filter((setting) => !setting.more && isGame(setting));
    const folded = offered.filter(({ more }) => more);
    return html`<form class="screen form party-form" novalidate onsubmit=${this.#submit}>
      <header>
        <h1>${strings("menu.party")}</h1>
        <p class="lead">${strings("party.lead")}</p>
      </header>
      <div class="two-columns">
        <div>
          <div class="field">
            <label class="label" for="party-name">${strings("party.name")}</label>
            <input
              id="party-name"
              class="input"
              type="text"
              autocomplete="off"
              maxlength=${NAME_UNITS}
              aria-invalid=${values.name.trim() === ""}
              value=${values.name}
              oninput=${(/** @type {any} */ { currentTarget }) => this.#set("name", currentTarget.value)}
            />
            <${TooLong} text=${values.name} />
          </div>
          ${fields(first)}
          <div>
            <label class="switch">
              <input
                type="checkbox"
                checked=${plays}
                onchange=${(/** @type {any} */ { currentTarget }) => this.setState({ plays: currentTarget.checked })}
              />
              <span>${strings("party.plays.too")}</span>
            </label>
            ${plays && html`<${NameField} player=${page.player} />`}
          </div>
        </div>
        <div>${fields(boards)}</div>
        ${folded.length > 0 && html`<details class="more">
          <summary>${strings("form.more")}</summary>
          <div>${fields(folded)}</div>
        </details>`}
      </div>
      <div class="go">
        <p class="note">${summary(values, plays, state.features)}</p>
        <button type="submit" class="button-primary wide" aria-disabled=${waits}>
          ${strings(waits ? "form.starting" : "party.make.go")}
        </button>
      </div>
    </form>`;
  }
}

/**
 * The fields of some settings.
 *
 * @param {{settings: readonly Setting[], values: Values, set: (name: string, value: string) => void}} props
 */
export const Fields = ({ settings, values, set }) =>
  settings.map((setting) => html`<${Field} key=${setting.name} setting=${setting} values=${values} set=${set} />`);

/**
 * The notice to a host whose server has another name for the party.
 * @param {string} typed
 * @param {string} name
 * @returns {import("../core/state.js").Notice | null}
 */
export const renamed = (typed, name) => (isSame(normalizeName(typed), name) ? null : info("party.renamed", { name }));

/**
 * The rules of the party, where the board is not on the screen.
 * @param {Values} values
 * @param {boolean} plays
 * @param {import("../client/protocol.js").Features} features
 */
function summary(values, plays, features) {
  const { settings } = intentOf(values, plays, features);
  const games = rules(/** @type {any} */ ({ opening: "free", ...settings }));
  return `${strings(`format.${settings?.format}`)} · ${[games, ...partyRules(/** @type {any} */ (settings))].join(", ")}`;
}

/**
 * The intent of a form.
 *
 * @param {Values} values @param {boolean} plays @param {import("../client/protocol.js").Features} features
 * @returns {import("../client/protocol.js").Intent & {type: "create_party"}}
 */
export function intentOf(values, plays, features) {
  return { type: "create_party", name: normalizeName(values.name), settings: settingsOf(values, features), plays };
}

/**
 * The settings of a form.
 *
 * @param {Values} values @param {import("../client/protocol.js").Features} features
 * @returns {import("../client/protocol.js").PartySettings}
 */
export function settingsOf(values, features) {
  const offered = PARTY_SETTINGS.filter((setting) => isOffered(setting, values, features));
  const wire = (/** @type {Setting} */ setting) => {
    const value = valueOf(setting, values);
    return setting.kind === "board" ? parseBoard(value) : setting.onWire[setting.values.indexOf(value)];
  };
  return /** @type {any} */ (Object.fromEntries(offered.map((setting) => [setting.wire ?? setting.name, wire(setting)])));
}

/** "Friday's party". */
function usualName() {
  const day = new Intl.DateTimeFormat(locale(), { weekday: "long" }).format(new Date());
  return strings("party.usual", { day });
}
