// Addresses and what they show: `/` is the menu, `/play/…` the forms before a game, `/r/CODE` a
// room. The History API follows the state's route; back and forward make it.
// @ts-check

import { parseCode } from "./protocol.js";

/** @typedef {import("./state.js").Route} Route */

/** Where the page lives, also below a path of a proxy: this file is in `assets/VERSION/js/`. */
export const BASE = new URL("../../../", import.meta.url);

/** As much of a code that is none is shown, in UTF-16 units. */
const MAX_TYPED = 16;

const SCREENS = Object.freeze(["quick", "friend", "computer", "computers", "join", "lobby"]);

/**
 * The route of an address.
 *
 * @param {string} pathname
 * @param {string} [base] the path the page lives at
 * @returns {Route} the menu for one that is not known
 */
export function routeOf(pathname, base = BASE.pathname) {
  const path = pathname.startsWith(base) ? pathname.slice(base.length) : "";
  const [first, second = ""] = path.split("/");
  const code = first === "r" ? parseCode(decode(second)) : null;
  if (code) {
    return { screen: "room", code };
  }
  if (first === "play" && SCREENS.includes(second)) {
    return { screen: /** @type {"quick"} */ (second) };
  }
  // A link whose code was mistyped leads to where it can be retried.
  const typed = decode(second).slice(0, MAX_TYPED);
  return first === "r" ? { screen: "join", typed } : { screen: "welcome" };
}

/**
 * The address of a route.
 *
 * @param {Route} route
 * @param {URL} [base]
 * @returns {string}
 */
export function addressOf(route, base = BASE) {
  switch (route.screen) {
    case "welcome":
      return base.href;
    case "room":
      return new URL(`r/${route.code}`, base).href;
    default:
      return new URL(`play/${route.screen}`, base).href;
  }
}

/**
 * The single-use pass that another device's link carries, taken out of the address so that it is
 * neither kept in the history nor shared.
 *
 * @returns {string | null}
 */
export function takePass() {
  const pass = new URLSearchParams(location.hash.slice(1)).get("pass");
  if (pass !== null) {
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  return pass;
}

/** How many of the page's own addresses lie before this one in the history. */
const depth = () => Number(history.state?.depth ?? 0);

/**
 * Ties the address bar to the store's route, both ways.
 *
 * @param {import("./store.js").Store} store
 */
export function followHistory(store) {
  addEventListener("popstate", () => {
    store.dispatch({ type: "route", route: routeOf(location.pathname) });
  });
  store.subscribe((state, before) => {
    const address = addressOf(state.route);
    if (state.route === before.route || address === location.origin + location.pathname) {
      return;
    }
    // Waiting in a queue, or being asked for a code, is nothing to come back to.
    const passing = ["quick", "join"].includes(before.route.screen) && state.route.screen === "room";
    const gone = before.route.screen === "room" && state.route.screen === "welcome" && !state.room;
    if (passing || gone) {
      history.replaceState({ depth: depth() }, "", address);
    } else {
      history.pushState({ depth: depth() + 1 }, "", address);
    }
  });
}

/**
 * One step back, or to the menu where the page was opened here.
 *
 * @param {import("./store.js").Store} store
 */
export function goBack(store) {
  if (depth() > 0) {
    history.back();
  } else {
    store.dispatch({ type: "route", route: { screen: "welcome" } });
  }
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
