// The field for the player's name.
// @ts-check

import { Component, html } from "../html.js";
import { MAX_NAME_CHARS } from "../generated/constants.js";
import { strings } from "../strings.js";

/** @extends {Component<{player: import("../view.js").Page["player"]}, {typed: string | null}>} */
export class NameField extends Component {
  /** The text that the player types and has not saved. */
  state = { typed: null };

  /** @param {Event & {currentTarget: HTMLInputElement}} event */
  #type = ({ currentTarget }) => this.setState({ typed: currentTarget.value });

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      this.#save();
    }
  };

  /** Saves a typed name. An empty name restores the old one. */
  #save = () => {
    const { typed } = this.state;
    if (typed !== null) this.props.player.rename(typed);
    this.setState({ typed: null });
  };

  render() {
    const { player } = this.props;
    return html`
      <div class="field name-field">
        <label for="name" class="label">${strings("name.label")}</label>
        <input
          id="name"
          class="input"
          type="text"
          autocomplete="nickname"
          spellcheck=${false}
          maxlength=${MAX_NAME_CHARS * 2}
          enterkeyhint="done"
          aria-describedby="name-note"
          value=${this.state.typed ?? player.name()}
          oninput=${this.#type}
          onblur=${this.#save}
          onkeydown=${this.#key}
        />
        <p id="name-note" class="note">${strings(player.guest ? "name.guest" : "name.note")}</p>
      </div>
    `;
  }
}
