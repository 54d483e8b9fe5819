// The host begins a party that is over again: at once with the same settings, or with others.
// @ts-check

import { isOffered, withChoice } from "../choices.js";
import { Dialog, closeDialog } from "../dialog.js";
import { PARTY_SETTINGS } from "../generated/party.js";
import { Component, html } from "../html.js";
import { strings } from "../strings.js";
import { Fields, settingsOf } from "./form.js";

/** @typedef {import("../choices.js").Values} Values */
/** @typedef {import("./head.js").Props} Props */

/** @extends {Component<Props, {values: Values | null}>} */
export class Again extends Component {
  /** `values` are those of the open form. @type {{values: Values | null}} */
  state = { values: null };

  #close = () => this.setState({ values: null });

  #open = () => this.setState({ values: valuesOf(this.props.party.state.settings) });

  /** @param {string} name @param {string} value */
  #set = (name, value) => this.setState(({ values }) => ({ values: values && withChoice(PARTY_SETTINGS, values, name, value) }));

  #go = () => this.#send(undefined);

  /** @param {Event & {currentTarget: HTMLFormElement}} event */
  #submit = (event) => {
    event.preventDefault();
    const { values } = this.state;
    const wrong = event.currentTarget.querySelector('[aria-invalid="true"]');
    if (wrong) return /** @type {HTMLElement} */ (wrong).focus();
    closeDialog(event);
    if (values) this.#send(settingsOf(values, this.props.state.features));
  };

  /** @param {import("../client/protocol.js").PartySettings | undefined} settings */
  #send(settings) {
    const { page, party, state } = this.props;
    const waits = state.unanswered.some(({ type }) => type === "again");
    if (!waits) page.send({ type: "again", party: party.state.code, ...(settings && { settings }) });
  }

  /** @param {Props} props @param {{values: Values | null}} now */
  render({ state }, { values }) {
    const offered = PARTY_SETTINGS.filter((setting) => values && isOffered(setting, values, state.features));
    return html`<div class="party-again">
      <button type="button" class="button-primary wide party-big" onclick=${this.#go}>${strings("party.replay")}</button>
      <button type="button" class="button-quiet wide" aria-haspopup="dialog" onclick=${this.#open}>${strings("party.replay.but")}</button>
      <p class="note">${strings("party.replay.text")}</p>
      ${values && html`<${Dialog} aria-labelledby="again-title" onclose=${this.#close}>
        <form class="party-again-form" novalidate onsubmit=${this.#submit}>
          <h2 id="again-title">${strings("party.replay.but")}</h2>
          <${Fields} settings=${offered} values=${values} set=${this.#set} />
          <div class="buttons">
            <button type="button" class="button-quiet" onclick=${closeDialog}>${strings("party.no")}</button>
            <button type="submit" class="button-primary">${strings("party.replay.go")}</button>
          </div>
        </form>
      <//>`}
    </div>`;
  }
}

/** The choices that make these settings. @param {import("../client/protocol.js").PartySettings} settings @returns {Values} */
export function valuesOf(settings) {
  const known = /** @type {Record<string, unknown>} */ ({ variant: "line", ...settings });
  return Object.fromEntries(PARTY_SETTINGS.map(({ name, kind, wire, values, onWire, default: usual }) => {
    const { width, height, line } = settings.board;
    if (kind === "board") return [name, `${width}x${height}x${line}`];
    const value = JSON.stringify(known[wire ?? name]);
    return [name, values[onWire.findIndex((one) => JSON.stringify(one) === value)] ?? usual];
  }));
}
