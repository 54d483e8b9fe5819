// Where a person chooses their own face: one tap for another one beside the name, and all of them in the profile.
// @ts-check

import { faceOf, randomFace } from "../face.js";
import { ANIMALS, COLOURS } from "../generated/faces.js";
import { Component, html } from "../html.js";
import { strings } from "../strings.js";
import { Drawing } from "./drawing.js";

/** @typedef {{player: import("../view.js").Page["player"]}} Props */

/** The face in words: "fox, blue". @param {import("../face.js").Face} face */
const words = ({ animal, colour }) => strings("face.words", { animal: strings(`face.${animal}`), colour: strings(`face.${colour}`) });

/** @param {Props["player"]} player */
const own = (player) => faceOf(player.id(), player.face());

/**
 * The own face, as a button: a tap brings another one, which is said.
 * @extends {Component<Props, {said: boolean}>}
 */
export class FaceButton extends Component {
  state = { said: false };

  /** @param {Props} props @param {{said: boolean}} state */
  render({ player }, { said }) {
    const face = own(player);
    const another = () => {
      let next = face;
      while (next.animal === face.animal) next = randomFace(Math.random);
      player.wear(next);
      this.setState({ said: true });
    };
    return html`<button type="button" class="button-bare face-button" title=${strings("face.another")} aria-description=${words(face)} onclick=${another}>
        <${Drawing} face=${face} /><span class="visually-hidden">${strings("face.another")}</span>
      </button>
      <span class="visually-hidden" role="status">${said && words(face)}</span>`;
  }
}

/** All faces: an animal and a colour. @param {Props} props */
export function FaceChooser({ player }) {
  const face = own(player);
  const row = (/** @type {"animal" | "colour"} */ part, /** @type {readonly string[]} */ all) => html`
    <fieldset class="face-row">
      <legend>${strings(`face.${part}`)}</legend>
      ${all.map((one) => html`<label key=${one} title=${strings(`face.${one}`)}>
        <input type="radio" name=${`face-${part}`} value=${one} aria-label=${strings(`face.${one}`)}
          checked=${face[part] === one} onchange=${() => player.wear({ ...face, [part]: one })} />
        <${Drawing} face=${{ ...face, [part]: one }} />
      </label>`)}
    </fieldset>`;
  return html`<div class="face-chooser">${row("animal", ANIMALS)} ${row("colour", COLOURS)}</div>`;
}
