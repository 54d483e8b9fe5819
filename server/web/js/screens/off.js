// In place of a screen that the server's host has switched off.
// @ts-check

import { html } from "../html.js";
import { strings } from "../strings.js";

/** @param {import("../view.js").Props} props */
export const Off = ({ state }) => html`
  <div class="screen">
    <header>
      <h1>${strings(`menu.${state.route.screen}`)}</h1>
      <p class="lead">${strings("refused.switched_off")}</p>
    </header>
  </div>
`;
