// Draws the page: one component for all of it, which shows the state and calls `page` for what the
// player does.
// @ts-check

import { hasTwoPeople, isMyTurn } from "./client/rules.js";
import { focusOn } from "./focus.js";
import { Component, html, render } from "./html.js";
import { keyOf as routeKey } from "./core/state.js";
import { viewFor } from "./view-for.js";
import { Entering } from "./views/entering.js";
import { Welcome } from "./views/welcome.js";
import { later, loadPart } from "./later.js";
import { FORMS, HERE, PARTY, PEOPLE, PUZZLE, ROOM, SCREEN, SHEET } from "./parts.js";
import { ignoreSecondTaps } from "./second-tap.js";
import { Shell } from "./shell.js";
import { language, strings } from "./strings.js";

/** @typedef {import("./core/state.js").State} State */
/** @typedef {{page: Page, state: State}} Props what each screen gets */

/**
 * The functions that the screens call.
 *
 * @typedef {import("./runner.js").Runner & {
 *   navigate: (route: import("./core/state.js").Route) => void,
 *   back: () => void,
 *   saveChoices: (form: string, values: Record<string, string>) => void,
 *   changeLanguage: (lang: string) => Promise<void>,
 *   player: {guest: boolean, name: () => string, isRenamed: () => boolean, rename: (name: string) => void, change: () => void,
 *     id: () => string, face: () => import("./client/protocol.js").Face | null, wear: (face: import("./client/protocol.js").Face) => void,
 *     isOffered: () => boolean, keep: () => void,
 *     secret: () => {name: string, token: string | null},
 *     become: (kept: {name: string, token: string}) => void},
 * }} Page `saveChoices` stores the choices of a form, `changeLanguage` shows a notice where it fails,
 *   `player.change` makes the tab a guest or ends that, `player.isRenamed` says whether the server's host has
 *   chosen the name, `player.wear` takes another face, `player.isOffered` says whether the page has offered the
 *   name, and `player.keep` takes it
 */

const GameForm = later(FORMS, "GameForm");

/** @type {Record<ReturnType<typeof viewFor>, any>} */
const SCREENS = {
  welcome: Welcome,
  quick: later(FORMS, "Quick"),
  friend: GameForm,
  computer: GameForm,
  computers: GameForm,
  here: later(HERE, "Here"),
  join: later(PEOPLE, "Join"),
  lobby: later(PEOPLE, "Lobby"),
  invite: later(ROOM, "Invite", Entering),
  entering: Entering,
  off: later(PEOPLE, "Off"),
  nowhere: later(PEOPLE, "Nowhere"),
  room: later(ROOM, "Room", Entering),
  games: later(PEOPLE, "Games"),
  game: later(PEOPLE, "KeptGame"),
  profile: later(PEOPLE, "Profile"),
  leaders: later(PEOPLE, "Leaders"),
  party: later(PARTY, "Party"),
  screen: later(SCREEN, "BigScreen"),
  sheet: later(SHEET, "Sheet"),
  puzzle: later(PUZZLE, "Puzzles"),
};

/** Another first screen loads alone for so long before the room does, in milliseconds. */
const ROOM_WAIT_MS = 500;

/**
 * Draws the page now and after each change of the state.
 *
 * @param {Page} page
 */
export function show(page) {
  const root = /** @type {HTMLElement} */ (document.getElementById("app"));
  const draw = () => render(html`<${App} page=${page} state=${page.state} root=${root} />`, root);
  // The words of `index.html` for a page without scripts.
  root.replaceChildren();
  ignoreSecondTaps(root);
  page.subscribe(draw);
  draw();
  const wait = page.state.route.screen === "room" ? 0 : ROOM_WAIT_MS;
  setTimeout(() => loadPart(ROOM).catch(() => {}), wait);
}

/**
 * The shell and the screen in it. Another screen gets the focus at its heading.
 *
 * @extends {Component<Props & {root: HTMLElement}>}
 */
class App extends Component {
  /** Which screen was announced. @type {string | null} */
  #shown = null;
  /** What has got the focus with it. @type {HTMLElement | null} */
  #focused = null;

  /** The context of every component below. */
  getChildContext() {
    const { send, dispatch, navigate } = this.props.page;
    return { send, dispatch, navigate, arrived: this.#arrive };
  }

  componentDidMount() {
    this.#announce();
  }

  /** @param {Props} before */
  componentDidUpdate({ state: { me } }) {
    // A forgotten player is somebody new, and the button that had the focus has gone.
    if (me && !this.props.state.me) this.#shown = "";
    this.#announce();
  }

  /** A screen that was loaded later, or what it shows, is there: it gets the focus if nothing else has it. */
  #arrive = () => {
    const { activeElement } = document;
    const isGone = activeElement === document.body && this.#focused?.isConnected === false;
    if (activeElement === this.props.root || isGone) this.#shown = "";
    this.#announce();
  };

  /** Sets the title, and the focus where the screen has changed. */
  #announce() {
    const { root, state } = this.props;
    const screen = viewFor(state);
    const key = keyOf(state);
    const heading = /** @type {HTMLElement | null} */ (root.querySelector("h1"));
    document.documentElement.lang = language();
    root.dataset.screen = screen;
    if (screen !== "room") {
      const title = screen === "welcome" ? callTo(state.room) : heading?.textContent;
      document.title = title ? `${title} – Noughts` : "Noughts";
    }
    if (this.#shown !== null && this.#shown !== key) {
      scrollTo(0, 0);
      this.#focused = heading ?? root;
      focusOn(this.#focused);
    }
    this.#shown = key;
  }

  render() {
    const { page, state } = this.props;
    const screen = viewFor(state);
    return html`
      <${Shell} page=${page} state=${state} screen=${screen}>
        <${SCREENS[screen]} key=${keyOf(state)} page=${page} state=${state} />
      <//>
    `;
  }
}

/** The call of the start page's title to the player's own turn; "" without one. @param {State["room"]} room */
export const callTo = (room) =>
  room && !room.closed && hasTwoPeople(room) && isMyTurn(room)
    ? strings("title.turn", { room: strings("room.title", { code: room.code }) })
    : "";

/** @param {State} state @returns {string} another one for another screen, room or wait */
function keyOf(state) {
  const screen = viewFor(state);
  if (screen === "quick" && state.matching) return "wait";
  if (screen === "room") return `room ${state.room?.code}`;
  return screen === state.route.screen ? routeKey(state.route) : screen;
}
