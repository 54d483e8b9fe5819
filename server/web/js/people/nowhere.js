// The screens that say that what an address names is not there, with the way on.
// @ts-check

import { html } from "../html.js";
import { Link } from "../link.js";
import { strings } from "../strings.js";

/** @param {{title: string, text: string}} props */
export const Missing = ({ title, text }) => html`
  <div class="screen">
    <header>
      <h1>${title}</h1>
      <p class="lead" role="status">${text}</p>
    </header>
    <div class="buttons"><${Link} class="button-primary" to=${{ screen: "welcome" }}>${strings("game.home")}<//></div>
  </div>
`;

/** An address that leads nowhere. */
export const Nowhere = () => html`<${Missing} title=${strings("nowhere.title")} text=${strings("nowhere.text")} />`;
