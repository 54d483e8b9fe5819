// The player's face, and the name as a small chip that can be changed in place.
// @ts-check

import { Component, html } from "../html.js";
import { MAX_NAME_CHARS } from "../client/generated/constants.js";
import { cutName } from "../identity.js";
import { later } from "../later.js";
import { FACES, PEOPLE } from "../parts.js";
import { isRefused } from "../storage.js";
import { strings } from "../strings.js";

const GivenName = later(PEOPLE, "GivenName");
const FaceButton = later(FACES, "FaceButton");

/** The shortest field, in letters. */
const MIN_SIZE = 4;

/** As much fits into the field of a name, in UTF-16 units: more than a name can have, so that what is too long is told and not swallowed. */
export const NAME_UNITS = MAX_NAME_CHARS * 4;

/** The letters that are left out of a typed name that is too long, else what else is said. @param {{text: string, said?: string}} props */
export function TooLong({ text, said }) {
  const [, rest] = cutName(text);
  return html`<span class="note name-long" role="status">${rest ? strings("name.long", { rest }) : said}</span>`;
}

/**
 * `typed` is the text that the player types and has not saved, `saved` the last one that was: its hint stays,
 * so that a tap on a button below the field meets it.
 *
 * @extends {Component<{player: import("../view.js").Page["player"]}, {typed: string | null, saved: string | null}>}
 */
export class NameField extends Component {
  /** @type {{typed: string | null, saved: string | null}} */
  state = { typed: null, saved: null };

  /** @param {Event & {currentTarget: HTMLInputElement}} event */
  #type = ({ currentTarget }) => this.setState({ typed: currentTarget.value });

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      this.#save();
    } else if (event.key === "Escape") {
      this.setState({ typed: null, saved: null });
    }
  };

  /** Saves a typed name. An empty name restores the old one. */
  #save = () => {
    const { typed } = this.state;
    if (typed === null) return;
    this.props.player.rename(typed);
    this.setState({ typed: null, saved: typed });
  };

  render() {
    const { player } = this.props;
    const { typed, saved } = this.state;
    const text = typed ?? player.name();
    const isKept = typed === null && saved?.trim() === "";
    return html`
      <div class="name-field">
        <label for="name" class="note">${strings("name.label")}</label>
        <span class="face face-own"><${FaceButton} player=${player} name=${player.name()} face=${player.face()} /></span>
        <span class="name-chip">
          <input
            id="name"
            type="text"
            size=${Math.min(MAX_NAME_CHARS, Math.max(MIN_SIZE, text.length))}
            autocomplete="nickname"
            spellcheck=${false}
            maxlength=${NAME_UNITS}
            enterkeyhint="done"
            aria-describedby="name-note"
            value=${text}
            oninput=${this.#type}
            onblur=${this.#save}
            onkeydown=${this.#key}
          />
          <${Pen} />
        </span>
        <${TooLong} text=${typed ?? saved ?? text} said=${isKept ? strings("name.kept", { name: text }) : ""} />
        ${player.isRenamed() && html`<${GivenName} />`}
        ${isRefused() && html`<span class="note name-long">${strings("name.unstored")}</span>`}
        <span id="name-note" class="visually-hidden">
          ${strings(player.guest ? "name.guest" : "name.note")}
        </span>
      </div>
    `;
  }
}

/** The sign that the name can be changed. */
const Pen = () => html`
  <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2.5 13.5l1-3.5 7.5-7.5 2.5 2.5L6 12.5z" /></svg>
`;
