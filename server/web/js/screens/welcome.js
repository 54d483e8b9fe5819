// The menu, the start page.
// @ts-check

import { html } from "../html.js";
import { addressOf } from "../router.js";
import { strings } from "../strings.js";
import { NameField } from "./name-field.js";

/** @typedef {import("../core/state.js").State} State */
/** @typedef {import("../view.js").Props} Props */

/** The menu, the most wanted first, and the feature of the server that each item needs. */
const MENU = /** @type {const} */ ({
  computer: null,
  friend: null,
  quick: "quick_match",
  join: null,
  lobby: "listing",
  computers: "spectators",
});

/** @param {Props} props */
export function Welcome({ page, state: { server, features } }) {
  const lead = server && server.name !== "Noughts" ? "welcome.at" : "welcome.lead";
  const items = Object.entries(MENU).filter(([, feature]) => !feature || features[feature]);
  return html`
    <div class="screen welcome">
      <header>
        <div class="brand"><${Logo} /><h1>Noughts</h1></div>
        <p class="lead">${strings(lead, { server: server?.name ?? "" })}</p>
      </header>
      <${NameField} player=${page.player} />
      <nav aria-label=${strings("menu.label")}>
        <ul class="menu">
          ${items.map(([screen]) => html`<li key=${screen}><${Card} page=${page} screen=${screen} /></li>`)}
        </ul>
      </nav>
    </div>
  `;
}

/** @param {{page: Props["page"], screen: keyof typeof MENU}} props */
function Card({ page, screen }) {
  /** @param {MouseEvent} event */
  const go = (event) => {
    // With a modifier key the browser opens another tab or window.
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      page.navigate({ screen });
    }
  };
  return html`
    <a
      class=${screen === "computer" ? "card primary" : "card"}
      href=${addressOf({ screen })}
      onclick=${go}
    >
      <strong>${strings(`menu.${screen}`)}</strong>
      <span class="note">${strings(`menu.${screen}.note`)}</span>
    </a>
  `;
}

/** A cross and a nought. */
function Logo() {
  const stroke = { fill: "none", "stroke-width": 9, "stroke-linecap": "round" };
  return html`
    <svg viewBox="0 0 104 56" aria-hidden="true">
      <circle ...${stroke} class="logo-o" cx="76" cy="28" r="19" />
      <path ...${stroke} class="logo-x" d="M9 10l34 36M43 10L9 46" />
    </svg>
  `;
}
