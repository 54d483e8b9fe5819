// The host's menu for one entrant: another name, the place for another device, set aside or
// removed, and back.
// @ts-check

import { entrantOf } from "../client/party-state.js";
import { Ask, Dialog, closeDialog, closing } from "../dialog.js";
import { FaceOf } from "../face-of.js";
import { Component, html } from "../html.js";
import { later } from "../later.js";
import { PEOPLE } from "../parts.js";
import { isolated } from "../room/room-text.js";
import { strings } from "../strings.js";
import { NAME_UNITS } from "../views/name-field.js";

const LinkDevice = later(PEOPLE, "LinkDevice");

/** @typedef {{party: import("./model.js").Party, state: import("../core/state.js").State, number: number}} Props */
/** @typedef {{open: "menu" | "place" | "remove" | null, name: string, player: string | null}} Now `player`: who had the place when its pass was asked for */

/**
 * The name of an entrant, for the host a button that opens the menu.
 *
 * @extends {Component<Props, Now>}
 */
export class EntrantName extends Component {
  /** @type {Now} */
  state = { open: null, name: "", player: null };

  #close = () => this.setState({ open: null });

  /** The entrant, who is known while the party is. */
  get #entrant() {
    const { party, number } = this.props;
    return /** @type {import("./model.js").Entrant} */ (entrantOf(party.state, number));
  }

  #open = () => this.setState({ open: "menu", name: this.#entrant.name });

  /** @param {Event} event */
  #rename = (event) => {
    event.preventDefault();
    closeDialog(event);
    const { party, number } = this.props;
    const name = this.state.name.trim();
    if (name && name !== this.#entrant.name) {
      this.context.send({ type: "rename", party: party.state.code, entrant: number, name });
    }
  };

  #skip = closing(() => {
    const { party, number } = this.props;
    this.context.send({ type: "skip", party: party.state.code, entrant: number, skip: !this.#entrant.left });
  });

  /** @param {boolean} remove */
  #remove(remove) {
    const { party, number } = this.props;
    this.context.send({ type: "remove", party: party.state.code, entrant: number, remove });
  }

  // The menu closes by itself, before the other dialog opens.
  #askRemove = () => this.setState({ open: "remove" });
  #give = () => this.setState({ open: "place", player: this.#entrant.player });

  /** @param {Props} props @param {Now} now */
  render({ party, state, number }, { open, player }) {
    const { name } = this.#entrant;
    const shown = html`<${FaceOf} ...${this.#entrant} /><bdi>${name}</bdi>`;
    if (!party.isHost) return shown;
    const place = { party: party.state.code, entrant: number };
    return html`<button
        type="button" class="party-name" aria-haspopup="dialog" aria-label=${strings("party.menu", { name })} onclick=${this.#open}
      >${shown}</button>
      ${open === "menu" && this.#menu()}
      ${open === "place" && html`<${LinkDevice}
        key=${number} state=${state} room=${null} place=${place} title=${strings("place.title", { name: isolated(name) })} used=${this.#entrant.player !== player} onclose=${this.#close}
      />`}
      ${open === "remove" && html`<${Ask}
        title=${strings("party.remove.title", { name })} text=${strings("party.remove.text")}
        yes=${strings("party.remove")} no=${strings("party.no")} accept=${() => this.#remove(true)} onclose=${this.#close}
      />`}`;
  }

  #menu() {
    const { party } = this.props;
    const { name, left, computer, player, removed } = this.#entrant;
    const over = party.state.phase === "over";
    const nobody = !player && !computer;
    const leads = player === party.state.host || player === party.leading;
    return html`<${Dialog} aria-labelledby="entrant-title" onclose=${() => this.state.open === "menu" && this.#close()}>
      <h2 id="entrant-title"><bdi>${name}</bdi></h2>
      <form class="field" onsubmit=${this.#rename}>
        <label class="label" for="entrant-name">${strings("party.rename")}</label>
        <input
          id="entrant-name" class="input" type="text" autocomplete="off" maxlength=${NAME_UNITS} value=${this.state.name}
          oninput=${(/** @type {any} */ { currentTarget }) => this.setState({ name: currentTarget.value })}
        />
        <button type="submit" class="button-quiet">${strings("party.rename.go")}</button>
      </form>
      ${!over && html`<div class="buttons">
        ${!computer && html`<button type="button" class="button-quiet" onclick=${this.#give}>${strings("place.open")}</button>`}
        ${!nobody && html`<button type="button" class=${left ? "button-quiet" : "button-danger"} onclick=${this.#skip}>
          ${strings(left ? "party.skip.back" : "party.skip.go")}
        </button>`}
        ${player && !leads && html`<button type="button" class="button-danger" onclick=${this.#askRemove}>${strings("party.remove.open")}</button>`}
        ${removed && html`<button type="button" class="button-quiet" onclick=${closing(() => this.#remove(false))}>${strings("party.remove.back")}</button>`}
      </div>
      <p class="note">${strings("party.skip.text")}</p>`}
      <button type="button" class="button-quiet" autofocus onclick=${closeDialog}>${strings("pass.close")}</button>
    <//>`;
  }
}
