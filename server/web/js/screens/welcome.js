// The menu, the start page.
// @ts-check

import { h, setText, svg, toggle } from "../dom.js";
import { addressOf } from "../router.js";
import { createNameField } from "./name-field.js";

/** @typedef {import("../state.js").State} State */
/** @typedef {import("../state.js").Route} Route */

/** The menu, the most wanted first. */
const MENU = Object.freeze(["computer", "friend", "quick", "join", "lobby", "computers"]);

/** @param {import("../main.js").Context} ctx */
export function createWelcomeScreen(ctx) {
  const { strings } = ctx;
  const name = createNameField(ctx);
  const where = h("p", { class: "lead" });
  const items = MENU.map((screen) => ({ screen, item: h("li", null, card(ctx, screen)) }));
  const menu = h("ul", { class: "menu" }, items.map(({ item }) => item));
  const element = h(
    "div",
    { class: "screen welcome" },
    h("header", null, h("div", { class: "brand" }, logo(), h("h1", null, "Noughts")), where),
    name.element,
    h("nav", { "aria-label": strings("menu.label") }, menu),
  );

  /** @param {State} state */
  function update(state) {
    name.update();
    for (const { screen, item } of items) {
      toggle(item, isOn(screen, state.features));
    }
    const server = state.server?.name ?? "Noughts";
    const named = server !== "Noughts";
    setText(where, named ? strings("welcome.at", { server }) : strings("welcome.lead"));
  }

  return { element, update };
}

/** @param {string} screen @param {State["features"]} features */
function isOn(screen, { spectators, listing, quick_match }) {
  const switches = /** @type {Record<string, boolean>} */ ({
    quick: quick_match,
    lobby: listing,
    computers: spectators,
  });
  return switches[screen] ?? true;
}

/** @param {import("../main.js").Context} ctx @param {string} screen */
function card({ strings, navigate }, screen) {
  const route = /** @type {Route} */ ({ screen });
  return h(
    "a",
    { class: screen === "computer" ? "card primary" : "card", href: addressOf(route), onclick: go },
    h("strong", null, strings(`menu.${screen}`)),
    h("span", { class: "note" }, strings(`menu.${screen}.note`)),
  );

  /** @param {MouseEvent} event */
  function go(event) {
    // With a modifier key the browser opens another tab or window.
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      navigate(route);
    }
  }
}

/** A cross and a nought. */
function logo() {
  const stroke = { fill: "none", "stroke-width": 9, "stroke-linecap": "round" };
  const drawn = svg(
    "svg",
    { viewBox: "0 0 104 56", "aria-hidden": "true" },
    svg("circle", { ...stroke, class: "logo-o", cx: 76, cy: 28, r: 19 }),
    svg("path", { ...stroke, class: "logo-x", d: "M9 10l34 36M43 10L9 46" }),
  );
  return drawn;
}
