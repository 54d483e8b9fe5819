// Wiring: the store, the connection, the addresses and the screens, and what goes between them.
// Each is decided elsewhere; nothing here knows what a message means.
// @ts-check

import { Connection } from "./connection.js";
import { focusOn, replace } from "./dom.js";
import { effects } from "./effects.js";
import { createShell } from "./shell.js";
import { Identity, keepPassword, loadPassword, loadPrefs, savePrefs, normalizeName } from "./identity.js";
import { reduce } from "./reduce.js";
import { create as createRoom } from "./screens/room.js";
import { BASE, followHistory, goBack, routeOf, takePass } from "./router.js";
import { screenOf } from "./screen-of.js";
import { create as createComputer } from "./screens/computer.js";
import { create as createComputers } from "./screens/computers.js";
import { create as createEntering } from "./screens/entering.js";
import { create as createFriend } from "./screens/friend.js";
import { create as createInvite } from "./screens/invite.js";
import { create as createJoin } from "./screens/join.js";
import { create as createLobby } from "./screens/lobby.js";
import { create as createQuick } from "./screens/quick.js";
import { create as createWelcome } from "./screens/welcome.js";
import { MAX_PENDING, initialState } from "./state.js";
import { createStore } from "./store.js";
import { chooseLanguage, language, randomName, setLanguage, strings } from "./strings.js";

/** @typedef {import("./strings.js").Strings} Strings */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./protocol.js").Intent} Intent */

/**
 * What every screen is given.
 *
 * @typedef {object} Context
 * @property {import("./store.js").Store} store
 * @property {(intent: Intent) => number | null} send the intent's id; `null` where too many are
 *   unanswered
 * @property {Strings} strings
 * @property {(route: import("./state.js").Route) => void} navigate
 * @property {() => void} back
 * @property {(form: string, values: Record<string, string>) => void} choose remembers what was
 *   chosen in a form
 * @property {(lang: string) => Promise<void>} speak changes the language, or tells that it cannot
 * @property {{guest: boolean, name: () => string, rename: (name: string) => void,
 *   change: () => void}} person who plays here; `change` makes this tab somebody else's, or ends that
 */

/**
 * @typedef {object} View
 * @property {HTMLElement} element
 * @property {(state: State, before: State) => void} update
 * @property {() => void} [destroy]
 */

/** @type {Record<ReturnType<typeof screenOf>, (ctx: Context) => View>} */
const SCREENS = {
  welcome: createWelcome,
  quick: createQuick,
  friend: createFriend,
  computer: createComputer,
  computers: createComputers,
  join: createJoin,
  lobby: createLobby,
  invite: createInvite,
  entering: createEntering,
  room: createRoom,
};

const app = /** @type {HTMLElement} */ (document.getElementById("app"));
const identity = new Identity();
const prefs = loadPrefs();
const wish = new URLSearchParams(location.search).get("lang");
if (wish) {
  prefs.lang = wish;
  savePrefs(prefs);
  history.replaceState(history.state, "", location.pathname + location.hash);
}
// Where another language cannot be fetched just now, English is here.
await setLanguage(chooseLanguage([prefs.lang, ...navigator.languages])).catch(() => setLanguage("en"));
if (identity.name === "") {
  identity.keep({ name: randomName(Math.random) });
}

const store = createStore(reduce, initialState(routeOf(location.pathname), prefs, identity.lastRoom));

/** A server that cannot read or store a room just now is asked for it again after this. */
const REJOIN_AFTER_MS = 1_000;

/** The single-use pass of a link, until it is used. */
let pass = takePass();

/** The name of the last hello. */
let said = identity.name;

/** Ids of intents, no number twice: from a random start upwards, below 2^53. */
let lastId = Math.floor(Math.random() * 2 ** 52);
const nextId = () => (lastId += 1);

const address = new URL("ws", BASE);
address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
const connection = new Connection({
  url: address.href,
  greeting() {
    identity.refresh();
    said = identity.name;
    return { name: said, token: identity.token, pass, password: loadPassword() ?? typed };
  },
  nextId,
  dispatch: store.dispatch,
  onHelloRefused: retryHello,
});

/** The password as it was typed, where the browser keeps nothing. @type {string | undefined} */
let typed;

/** Asks for the server's password. Few servers have one: what asks is fetched when it is needed. */
async function askPassword(/** @type {boolean} */ wrong) {
  typed = undefined;
  keepPassword("");
  const done = (/** @type {string} */ password) => {
    typed = password;
    keepPassword(password);
    connection.open();
  };
  try {
    (await import("./password-dialog.js")).ask({ strings, wrong, done });
  } catch {
    // Without a network for a moment.
    setTimeout(() => connection.open(), 2_000);
  }
}

/**
 * After a refused hello: a password, another name or no pass, where that was at error.
 *
 * @param {{code: string, message: string}} refusal
 * @returns {boolean | "wait"} whether to say hello again, at once or when the connection is opened
 */
function retryHello({ code, message }) {
  if (code === "password_required" || code === "wrong_password") {
    askPassword(code === "wrong_password");
    return "wait";
  }
  if (code === "bad_pass" && pass) {
    pass = null;
  } else if (code === "bad_name") {
    identity.keep({ name: store.getState().me?.name ?? randomName(Math.random) });
  } else {
    return false;
  }
  const key = `refused.${code}`;
  store.dispatch({ type: "notice", notice: { kind: "error", key, params: {}, text: message } });
  return true;
}

/** @param {Intent} intent @returns {number | null} */
function send(intent) {
  if (store.getState().pending.length >= MAX_PENDING) {
    store.dispatch({ type: "unsent", message: intent });
    return null;
  }
  const message = { ...intent, id: nextId() };
  store.dispatch({ type: "sent", message, at: performance.now() });
  connection.send(message);
  return message.id;
}

store.subscribe((state, before, action) => {
  for (const { message, tracked } of effects(before, state, action)) {
    if (tracked) {
      send(message);
    } else {
      connection.send("id" in message ? message : { ...message, id: nextId() });
    }
  }
});

store.subscribe((state, before, action) => {
  if (action.type === "server" && action.message.type === "welcome") {
    welcomed(action.message);
  }
  if (state.lastRoom !== before.lastRoom) {
    identity.keep({ lastRoom: state.lastRoom });
  }
  if (state.prefs !== before.prefs) {
    savePrefs(state.prefs);
  }
  if (state.room?.desynced === "unreadable" && before.room?.desynced !== "unreadable") {
    setTimeout(() => store.dispatch({ type: "retry" }), REJOIN_AFTER_MS);
  }
  if (state.pending !== before.pending) {
    connection.unanswered(state.pending.length);
  }
});

/** @param {{name: string, token: string}} welcome */
function welcomed({ name, token }) {
  pass = null;
  const renamed = identity.name !== said;
  identity.keep(renamed ? { token } : { name, token });
  if (renamed) {
    connection.reconnect();
  }
}

/** @type {Context} */
const ctx = {
  store,
  send,
  strings,
  navigate: (route) => store.dispatch({ type: "route", route }),
  back: () => goBack(store),
  choose(form, values) {
    const { forms } = store.getState().prefs;
    store.dispatch({ type: "prefs", prefs: { forms: { ...forms, [form]: values } } });
  },
  async speak(lang) {
    try {
      await setLanguage(lang);
    } catch {
      const notice = { kind: /** @type {const} */ ("error"), key: "notice.language", params: {}, text: "" };
      store.dispatch({ type: "notice", notice });
      return;
    }
    store.dispatch({ type: "prefs", prefs: { lang } });
    build();
    frame.focusLanguage();
  },
  person: {
    guest: identity.guest,
    name: () => identity.name,
    rename(text) {
      const name = normalizeName(text);
      if (name !== "" && name !== identity.name) {
        identity.keep({ name });
        connection.reconnect();
      }
    },
    change() {
      if (identity.guest) {
        Identity.endGuest();
      } else {
        Identity.becomeGuest();
      }
      location.assign(BASE);
    },
  },
};

/** @type {ReturnType<typeof createShell>} */
let frame;
/** @type {{key: string, view: View} | null} */
let shown = null;

/** Makes everything anew, in the language of now. */
function build() {
  const state = store.getState();
  document.documentElement.lang = language();
  shown?.view.destroy?.();
  shown = null;
  frame = createShell(ctx);
  replace(app, frame.element);
  show(state, state);
}

/** @param {State} state @param {State} before */
function show(state, before) {
  const screen = screenOf(state);
  const key = screen === "room" ? `room ${state.room?.code}` : screen;
  if (shown?.key !== key) {
    const first = shown === null;
    shown?.view.destroy?.();
    shown = { key, view: SCREENS[screen](ctx) };
    app.dataset.screen = screen;
    replace(frame.slot, shown.view.element);
    shown.view.update(state, state);
    arrive(screen, first);
  } else {
    shown.view.update(state, before);
  }
  frame.update(state, screen);
}

/** @param {string} screen @param {boolean} first whether the page has just been opened */
function arrive(screen, first) {
  const heading = /** @type {HTMLElement | null} */ (frame.slot.querySelector("h1"));
  if (screen !== "room") {
    const title = screen === "welcome" ? "" : heading?.textContent;
    document.title = title ? `${title} – Noughts` : "Noughts";
  }
  if (!first) {
    scrollTo(0, 0);
    focusOn(heading ?? app);
  }
}

// Browsers resolve relative addresses of icons and the manifest again with each address of the
// history.
for (const link of document.querySelectorAll("link:not([rel=stylesheet])")) {
  link.setAttribute("href", /** @type {HTMLLinkElement} */ (link).href);
}
followHistory(store);
store.subscribe(show);
build();

for (const name of ["online", "offline", "pageshow", "visibilitychange"]) {
  addEventListener(name, () => {
    if (document.visibilityState === "visible") {
      connection.wake();
      store.dispatch({ type: "wake" });
    }
  });
}
connection.open();
