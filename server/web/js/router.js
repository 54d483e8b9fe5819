// Addresses and routes: `/` is the menu, `/play/…` the forms before a game, `/r/CODE` a room, `/g/ID` a
// kept game, `/p/ID` a profile (`/p/me` our own), `/games` and `/leaders` lists, `/puzzle` the puzzle of the
// day and `/puzzle/2026-11-27` that of a day, `/party/CODE` a party,
// `/party/CODE/screen` its big screen and `/party/CODE/sheet` its sheet to print. The browser's history follows the route, and back and forward set it.
// @ts-check

import { parseCode } from "./client/protocol.js";
import { isMyTurn } from "./client/rules.js";
import { HOME, isSameRoute } from "./core/state.js";
import { read, remove, withRefused, write } from "./storage.js";

/** @typedef {import("./core/state.js").Route} Route */

/** The address of the page, maybe below a proxy's path. This file is in `assets/VERSION/js/`. */
export const BASE = new URL("../../../", import.meta.url);

/** The longest id and the longest wrong code that the page knows, in UTF-16 units. */
const MAX_TYPED = 16;

/** The key of the move that has no answer yet. */
const MOVE = "noughts-move";

const SCREENS = Object.freeze(["quick", "friend", "computer", "computers", "join", "lobby", "party", "here"]);

/** Screens at the top. */
const LISTS = Object.freeze(["games", "leaders"]);

/**
 * The route of an address.
 *
 * @param {string} pathname
 * @param {string} [base] the path of the page
 * @returns {Route} that of a screen which says so for an unknown address
 */
export function routeOf(pathname, base = BASE.pathname) {
  const path = pathname.startsWith(base) ? pathname.slice(base.length) : "";
  const [first, second = "", third] = path.split("/");
  const isParty = first === "party";
  const code = isParty || first === "r" ? parseCode(decode(second)) : null;
  if (code) {
    return { screen: isParty ? (third === "screen" || third === "sheet" ? third : first) : "room", code };
  }
  if (first === "play" && SCREENS.includes(second)) {
    return { screen: /** @type {"quick"} */ (second) };
  }
  if (LISTS.includes(first)) {
    return { screen: /** @type {"games"} */ (first) };
  }
  if (path === "") {
    return { screen: "welcome" };
  }
  const id = decode(second).toLowerCase().slice(0, MAX_TYPED);
  if (id && first === "g") {
    return { screen: "game", game: id };
  }
  if (id && first === "p") {
    return { screen: "profile", player: id === "me" ? null : id };
  }
  if (first === "puzzle") {
    return { screen: "puzzle", ...(second && { date: decode(second).slice(0, MAX_TYPED) }) };
  }
  // A link with a wrong code leads to the form for the code.
  const typed = decode(second).slice(0, MAX_TYPED);
  return isParty || first === "r" ? { screen: "join", typed } : { screen: "nowhere", path };
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
    case "game":
      return new URL(`g/${encodeURIComponent(route.game)}`, base).href;
    case "profile":
      return new URL(`p/${encodeURIComponent(route.player ?? "me")}`, base).href;
    case "puzzle":
      return new URL(route.date ? `puzzle/${encodeURIComponent(route.date)}` : "puzzle", base).href;
    case "nowhere":
      return new URL(`./${route.path}`, base).href;
    case "games":
    case "leaders":
      return new URL(route.screen, base).href;
    case "screen":
    case "sheet":
      return new URL(`party/${route.code}/${route.screen}`, base).href;
    default:
      return new URL("code" in route ? `party/${route.code}` : `play/${route.screen}`, base).href;
  }
}

/** How many addresses of this page are before this one in the history. */
const depth = () => Number(history.state?.depth ?? 0);

/**
 * Keeps the address bar and the page's route the same.
 *
 * @param {import("./runner.js").Runner} runner
 */
export function followHistory(runner) {
  addEventListener("popstate", () => {
    const route = routeOf(location.pathname);
    const open = document.querySelectorAll("#app dialog[open], .party-summons[open]");
    const dialog = /** @type {HTMLDialogElement | undefined} */ ([...open].pop());
    const review = /** @type {HTMLElement | null} */ (document.querySelector("#app [name='review.ask'][aria-pressed=true]"));
    if ((dialog || review) && !isSameRoute(route, runner.state.route)) {
      // Back closes what is open over the screen, or the review of a room, and the screen stays.
      if (dialog) dialog.close();
      else review?.click();
      history.forward();
    } else {
      runner.dispatch({ type: "route", route });
    }
  });
  runner.subscribe((state, before) => {
    if (state.route !== before.route) {
      showAddress(state.route, before.route);
    }
    if (state.route !== before.route || state.matching !== before.matching) {
      history.replaceState(withRefused({ depth: depth(), match: wantedMatch(state) }), "");
    }
  });
}

/** @param {Route} route @param {Route} before */
function showAddress(route, before) {
  const address = addressOf(route);
  if (address === location.origin + location.pathname) {
    return;
  }
  // Back does not lead to the wait for an opponent, the form for the code, that of a party that is made, or a room that
  // ended.
  const passing = ["quick", "join"].includes(before.screen) && route.screen === "room";
  const made = before.screen === "party" && !("code" in before) && route.screen === "party";
  if (passing || made || "gone" in route) {
    history.replaceState(withRefused({ depth: depth() }), "", address);
  } else {
    history.pushState(withRefused({ depth: depth() + 1 }), "", address);
  }
}

/**
 * The quick match that a reload of the page asks for again, because the server forgets it.
 *
 * @param {import("./core/state.js").State} state
 * @returns {import("./client/protocol.js").Intent | null}
 */
export function wantedMatch({ route, matching }) {
  if (route.screen !== "quick" || !matching) {
    return null;
  }
  const { id: _, ...match } = matching.message;
  return match;
}

/** Asks again for the match that the page looked for before it was reloaded. @param {import("./runner.js").Runner} runner */
export function searchAgain(runner) {
  const match = history.state?.match;
  if (match && runner.state.route.screen === "quick") {
    runner.send(match);
  }
}

/** The move that has no answer yet. @param {import("./core/state.js").State} state */
const sentMove = ({ unanswered }) => unanswered.find(({ type }) => type === "play");

/**
 * Keeps a move until it is answered. After a reload of the page it is made again, if its turn has still come.
 *
 * @param {import("./runner.js").Runner} runner
 */
export function keepMove(runner) {
  const storage = () => sessionStorage;
  const kept = /** @type {any} */ (read(storage, MOVE));
  let waits = kept !== null;
  runner.subscribe((state, before) => {
    const move = sentMove(state);
    if (move !== sentMove(before)) {
      if (move) write(storage, MOVE, move);
      else remove(storage, MOVE);
      waits = false;
    }
    const { room } = state;
    if (!waits || !room || room.code !== kept.room) return;
    waits = false;
    const { game } = room;
    const stands = game?.number === kept.game && game?.moves.length === kept.ply && isMyTurn(room);
    if (stands) runner.send(kept);
    else remove(storage, MOVE);
  });
}

/**
 * Goes back, or to the menu if the visit began here.
 *
 * @param {import("./runner.js").Runner} runner
 */
export function goBack(runner) {
  if (depth() > 0) {
    history.back();
  } else {
    runner.dispatch({ type: "route", route: HOME });
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
