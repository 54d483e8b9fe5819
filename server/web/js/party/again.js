// The host begins a party that is over again, with the same settings or with others. Its standings go then: a
// question says so, and has the links to save them.
// @ts-check

import { isOffered, withChoice } from "../choices.js";
import { Dialog, closeDialog } from "../dialog.js";
import { PARTY_SETTINGS } from "../generated/party.js";
import { Component, html } from "../html.js";
import { strings } from "../strings.js";
import { FileLinks } from "./files.js";
import { Fields, settingsOf } from "./form.js";

/** @typedef {import("../choices.js").Values} Values */
/** @typedef {import("./head.js").Props} Props */

/** @typedef {{asked: "party.replay" | "party.replay.but" | null, values: Values | null}} Asked `values` are those of the open form */

/** @extends {Component<Props, Asked>} */
export class Again extends Component {
  /** @type {Asked} */
  state = { asked: null, values: null };

  #close = () => this.setState({ asked: null, values: null });

  /** @param {NonNullable<Asked["asked"]>} asked */
  #open(asked) {
    const values = asked === "party.replay" ? null : valuesOf(this.props.party.state.settings);
    this.setState({ asked, values });
  }

  /** @param {string} name @param {string} value */
  #set = (name, value) => this.setState(({ values }) => ({ values: values && withChoice(PARTY_SETTINGS, values, name, value) }));

  /** @param {Event & {currentTarget: HTMLFormElement}} event */
  #submit = (event) => {
    event.preventDefault();
    const { values } = this.state;
    const wrong = event.currentTarget.querySelector('[aria-invalid="true"]');
    if (wrong) return /** @type {HTMLElement} */ (wrong).focus();
    closeDialog(event);
    this.#send(values ? settingsOf(values, this.props.state.features) : undefined);
  };

  /** @param {import("../client/protocol.js").PartySettings | undefined} settings */
  #send(settings) {
    const { page, party, state } = this.props;
    const waits = state.unanswered.some(({ type }) => type === "again");
    if (!waits) page.send({ type: "again", party: party.state.code, ...(settings && { settings }) });
  }

  /** @param {Props} props @param {Asked} now */
  render({ party, state }, { asked, values }) {
    const offered = PARTY_SETTINGS.filter((setting) => values && isOffered(setting, values, state.features));
    const button = (/** @type {NonNullable<Asked["asked"]>} */ key, /** @type {string} */ look) => html`<button
      type="button" class=${look} aria-haspopup="dialog" onclick=${() => this.#open(key)}
    >${strings(key)}</button>`;
    return html`<div class="party-again">
      ${button("party.replay", "button-primary wide party-big")}
      ${button("party.replay.but", "button-quiet wide")}
      <p class="note">${strings("party.replay.text")}</p>
      ${asked && html`<${Dialog} aria-labelledby="again-title" aria-describedby="again-text" onclose=${this.#close}>
        <form class="party-again-form" novalidate onsubmit=${this.#submit}>
          <h2 id="again-title">${strings(asked)}</h2>
          ${values && html`<${Fields} settings=${offered} values=${values} set=${this.#set} />`}
          <p id="again-text">${strings("party.replay.gone")}</p>
          <${FileLinks} code=${party.state.code} />
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
