// Parties, loaded when one of their screens is shown.
// @ts-check

import { html } from "../html.js";
import { strings } from "../strings.js";

/** @param {import("../view.js").Props} props */
export const Party = ({ state }) => html`<div class="screen"><h1>${strings("menu.party")}</h1><p>${state.route.screen}</p></div>`;
