// The host's powers: pause the party, with its clocks or without, set somebody aside, change a result, end it.
// @ts-check

import { WIN, entrantOf } from "../client/party-state.js";
import { pointsText } from "../client/party-view.js";
import { Ask, Dialog, closeDialog } from "../dialog.js";
import { Component, html } from "../html.js";
import { strings } from "../strings.js";
import { rounds } from "./model.js";
import { name, pairText, roundTitle } from "./text.js";

/** @typedef {import("./head.js").Props} Props */
/** @typedef {import("./model.js").Party} Party */
/** @typedef {"skip" | "decide" | "end"} Opened */

/** The longest note, in UTF-16 units: shorter than a line of talk. */
const NOTE_LENGTH = 120;

/** @extends {Component<Props, {open: Opened | null}>} */
export class Host extends Component {
  /** @type {{open: Opened | null}} */
  state = { open: null };

  #close = () => this.setState({ open: null });

  /** @param {Props} props @param {{open: Opened | null}} state */
  render({ party, page }, { open }) {
    const { state } = party;
    const { code, phase, paused, clocksStopped } = state;
    const pause = () => page.send({ type: "pause_party", party: code, pause: !paused });
    const stop = () => !clocksStopped && page.send({ type: "pause_party", party: code, pause: true, clocks: true });
    const button = (/** @type {Opened} */ what, /** @type {string} */ look) => html`<button
      type="button" class=${look} aria-haspopup="dialog" onclick=${() => this.setState({ open: what })}
    >${strings(what === "skip" && isAnyLeft(state) ? "party.host.skip.back" : `party.host.${what}`)}</button>`;
    if (phase === "over" && state.pairings.length === 0) return null;
    return html`<section class="party-host" aria-label=${strings("party.host.title")}>
      <h2>${strings("party.host.title")}</h2>
      <div class="buttons">
        ${phase === "playing" && html`<button type="button" class="button-quiet" onclick=${pause}>
          ${strings(paused ? "party.host.goOn" : "party.host.pause")}
        </button>`}
        ${phase === "playing" && html`<button type="button" class="button-quiet" aria-disabled=${clocksStopped} onclick=${stop}>
          ${strings("party.host.stop")}
        </button>`}
        ${phase !== "over" && state.entrants.length > 0 && button("skip", "button-quiet")}
        ${state.pairings.length > 0 && button("decide", "button-quiet")}
        ${phase !== "over" && button("end", "button-danger")}
      </div>
      ${open === "skip" && html`<${Skip} party=${party} onclose=${this.#close} />`}
      ${open === "decide" && html`<${Decide} party=${party} onclose=${this.#close} />`}
      ${open === "end" && html`<${Ask}
        title=${strings("party.end.title")}
        text=${strings(phase === "gathering" ? "party.end.gathering" : "party.end.text")}
        yes=${strings("party.host.end")}
        no=${strings("party.no")}
        accept=${() => page.send({ type: "end_party", party: code })}
        onclose=${this.#close}
      />`}
    </section>`;
  }
}

/** @param {import("./model.js").PartyState} state */
const isAnyLeft = ({ entrants }) => entrants.some(({ left }) => left);

/**
 * Sets somebody aside, or brings them back. Nobody is chosen before the host does.
 *
 * @extends {Component<{party: Party, onclose: () => void}, {entrant: number}>}
 */
class Skip extends Component {
  state = { entrant: 0 };

  /** @param {Event} event */
  #go = (event) => {
    const { party } = this.props;
    const { entrant } = this.state;
    if (!entrant) return;
    closeDialog(event);
    const skip = !entrantOf(party.state, entrant)?.left;
    this.context.send({ type: "skip", party: party.state.code, entrant, skip });
  };

  /** @param {{party: Party, onclose: () => void}} props @param {{entrant: number}} state */
  render({ party: { state }, onclose }, { entrant }) {
    const left = entrantOf(state, entrant)?.left;
    return html`<${Dialog} aria-labelledby="skip-title" aria-describedby="skip-text" onclose=${onclose}>
      <h2 id="skip-title">${strings(isAnyLeft(state) ? "party.host.skip.back" : "party.host.skip")}</h2>
      <p id="skip-text">${strings("party.skip.text")}</p>
      <div class="field">
        <label class="label" for="skip-who">${strings("party.player")}</label>
        <select
          id="skip-who"
          class="select"
          value=${entrant}
          onchange=${(/** @type {any} */ { currentTarget }) => this.setState({ entrant: Number(currentTarget.value) })}
        >
          <option value="0" disabled>${strings("party.skip.choose")}</option>
          ${state.entrants.filter(({ player, computer }) => player || computer).map((one) => html`<option key=${one.number} value=${one.number}>
            ${one.left ? `${one.name} (${strings("party.left")})` : one.name}
          </option>`)}
        </select>
      </div>
      <div class="buttons">
        <button type="button" class="button-quiet" autofocus onclick=${closeDialog}>${strings("party.no")}</button>
        <button type="button" class=${left ? "button-primary" : "button-danger"} aria-disabled=${!entrant} onclick=${this.#go}>
          ${strings(left ? "party.skip.back" : "party.skip.go")}
        </button>
      </div>
    <//>`;
  }
}

/** The choice that stands for how a pairing ended. @param {import("./model.js").Met} met */
const winnerOf = ({ first, second, points }) =>
  !points ? "" : points[0] === WIN ? String(first) : points[1] === WIN ? String(second) : points[0] > 0 ? "draw" : "";

/** "Winner stays on" has no rounds. @param {import("./model.js").PartyState} state @param {{round: number, met: import("./model.js").Met[]}} one */
const groupTitle = (state, { round, met }) =>
  state.settings.format === "winner_stays" ? strings("party.lately") : roundTitle(state, met, round);

/** "Ada – Ben 1 : 0". @param {import("./model.js").PartyState} state @param {import("./model.js").Met} met */
const resultText = (state, met) =>
  met.points ? `${pairText(state, met)} ${met.points.map(pointsText).join(" : ")}` : pairText(state, met);

/**
 * Decides a pairing or changes how it ended, with a note that everybody reads.
 *
 * @extends {Component<{party: Party, onclose: () => void}, {pairing: number, winner: string, note: string}>}
 */
class Decide extends Component {
  state = { pairing: 0, winner: "", note: "" };

  /** The pairings of two that can change, by round: in a knockout those of this round, and after the end those that were played. */
  #list() {
    const { state } = this.props.party;
    const knockout = state.settings.format === "knockout";
    const may = (/** @type {import("./model.js").Met} */ { second, pairing, points }) =>
      second && (pairing || !knockout) && (points || state.phase !== "over");
    // "Winner stays on" has all its games in one list, the last one first.
    const stays = state.settings.format === "winner_stays";
    const inOrder = (/** @type {import("./model.js").Met[]} */ met) => (stays ? met.reverse() : met);
    return rounds(state).map((one) => ({ ...one, met: inOrder(one.met.filter(may)) })).filter(({ met }) => met.length > 0);
  }

  /** The result of now is marked. @param {{met: import("./model.js").Met[]}[]} list @param {number} pairing */
  #choose(list, pairing) {
    const met = list.flatMap((one) => one.met).find(({ number }) => number === pairing);
    this.setState({ pairing, winner: met ? winnerOf(met) : "" });
  }

  /** @param {Event} event */
  #go = (event) => {
    const { party } = this.props;
    const { pairing, winner, note } = this.state;
    if (winner === "") return;
    closeDialog(event);
    const text = note.trim().slice(0, NOTE_LENGTH);
    const decided = winner === "draw" ? null : Number(winner);
    this.context.send({ type: "decide", party: party.state.code, pairing, winner: decided, note: text || null });
  };

  /** @param {{party: Party, onclose: () => void}} props @param {{pairing: number, winner: string, note: string}} now */
  render({ party: { state }, onclose }, { pairing, winner, note }) {
    const list = this.#list();
    const met = list.flatMap((one) => one.met).find(({ number }) => number === pairing);
    const draws = state.settings.format === "swiss" || state.settings.format === "round_robin";
    const choices = met ? [met.first, met.second ?? 0, ...(draws ? [0] : [])] : [];
    return html`<${Dialog} aria-labelledby="decide-title" aria-describedby="decide-text" onclose=${onclose}>
      <h2 id="decide-title">${strings("party.host.decide")}</h2>
      <p id="decide-text">${strings("party.decide.text")}</p>
      <div class="field">
        <label class="label" for="decide-which">${strings("party.decide.which")}</label>
        <select
          id="decide-which"
          class="select"
          value=${pairing}
          onchange=${(/** @type {any} */ { currentTarget }) => this.#choose(list, Number(currentTarget.value))}
        >
          <option value="0" disabled>${strings("party.decide.choose")}</option>
          ${list.map((one) => html`<optgroup key=${one.round} label=${groupTitle(state, one)}>
            ${one.met.map((two) => html`<option key=${two.number} value=${two.number}>${resultText(state, two)}</option>`)}
          </optgroup>`)}
        </select>
      </div>
      ${met && html`<fieldset class="group">
        <legend>${strings("party.decide.who")}</legend>
        ${choices.map((number) => html`<label key=${number} class="switch">
          <input
            type="radio"
            name="winner"
            checked=${winner === String(number || "draw")}
            onchange=${() => this.setState({ winner: String(number || "draw") })}
          />
          <span>${number ? name(state, number) : strings("party.decide.draw")}</span>
        </label>`)}
      </fieldset>`}
      <div class="field">
        <label class="label" for="decide-note">${strings("party.decide.note")}</label>
        <input
          id="decide-note"
          class="input"
          type="text"
          autocomplete="off"
          maxlength=${NOTE_LENGTH}
          value=${note}
          oninput=${(/** @type {any} */ { currentTarget }) => this.setState({ note: currentTarget.value })}
        />
      </div>
      <div class="buttons">
        <button type="button" class="button-quiet" autofocus onclick=${closeDialog}>${strings("party.no")}</button>
        <button type="button" class="button-primary" aria-disabled=${winner === ""} onclick=${this.#go}>${strings("party.decide.go")}</button>
      </div>
    <//>`;
  }
}
