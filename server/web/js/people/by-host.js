// Acts of the server's host that concern this visitor: a screen that is switched off, and a name that is given.
// @ts-check

import { html } from "../html.js";
import { strings } from "../strings.js";

/** In place of a screen. @param {import("../view.js").Props} props */
export const Off = ({ state }) => html`
  <div class="screen">
    <header>
      <h1>${strings(`menu.${state.route.screen}`)}</h1>
      <p class="lead">${strings("refused.switched_off")}</p>
    </header>
  </div>
`;

/** Below the field for the name. */
export const GivenName = () => html`<span class="note name-long">${strings("name.given")}</span>`;
