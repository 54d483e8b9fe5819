// The big screen of a party, loaded when it is shown.
// @ts-check

import { html } from "../html.js";
import { strings } from "../strings.js";

/** @param {import("../view.js").Props} props */
export const BigScreen = ({ state }) => html`<div class="screen"><h1>${strings("menu.party")}</h1><p>${state.route.screen}</p></div>`;
