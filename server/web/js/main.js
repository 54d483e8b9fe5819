// Connects the store, the connection, the addresses and the screens. What messages mean is in
// `reduce.js` and `effects.js`.
// @ts-check

import { Connection } from "./connection.js";
import { effects } from "./effects.js";
import { Identity, loadPassword, loadPrefs, normalizeName, savePassword, savePrefs } from "./identity.js";
import { reduce } from "./reduce.js";
import { BASE, followHistory, goBack, routeOf, takePass } from "./router.js";
import { MAX_PENDING, initialState } from "./state.js";
import { createStore } from "./store.js";
import { chooseLanguage, randomName, setLanguage, strings } from "./strings.js";
import { show } from "./view.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./protocol.js").Intent} Intent */

const identity = new Identity();
const prefs = loadPrefs();
const linkLanguage = new URLSearchParams(location.search).get("lang");
if (linkLanguage) {
  prefs.lang = linkLanguage;
  savePrefs(prefs);
  history.replaceState(history.state, "", location.pathname + location.hash);
}
// English is part of the page. Another language may fail to load.
await setLanguage(chooseLanguage([prefs.lang, ...navigator.languages])).catch(() => setLanguage("en"));
if (identity.name === "") {
  identity.save({ name: randomName(Math.random) });
}

const store = createStore(reduce, initialState(routeOf(location.pathname), prefs, identity.lastRoom));

/** The page joins again after this time if the server could not read or store the room. */
const REJOIN_AFTER_MS = 1_000;

/** The single-use pass of the link, until it is used. */
let pass = takePass();

/** The name in the last hello. */
let helloName = identity.name;

/** The last id of an intent. Ids count up from a random start and stay below 2^53. */
let lastId = Math.floor(Math.random() * 2 ** 52);
const nextId = () => (lastId += 1);

const address = new URL("ws", BASE);
address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
const connection = new Connection({
  url: address.href,
  greeting() {
    identity.refresh();
    helloName = identity.name;
    return { name: helloName, token: identity.token, pass, password: loadPassword() ?? typedPassword };
  },
  nextId,
  dispatch: store.dispatch,
  onHelloRefused: retryHello,
});

/** The typed password, where the browser stores nothing. @type {string | undefined} */
let typedPassword;

/** Asks for the server's password. Few servers have one, so the dialog is loaded when needed. */
async function askPassword(/** @type {boolean} */ wrong) {
  typedPassword = undefined;
  savePassword("");
  const done = (/** @type {string} */ password) => {
    typedPassword = password;
    savePassword(password);
    connection.open();
  };
  try {
    (await import("./password-dialog.js")).askPassword({ strings, wrong, done });
  } catch {
    // The network is gone for a moment.
    setTimeout(() => connection.open(), 2_000);
  }
}

/**
 * Changes the greeting after a refused hello: a password, another name, or no pass.
 *
 * @param {{code: string, message: string}} refusal
 * @returns {boolean | "wait"} `true`: say hello again at once; `"wait"`: after the password
 */
function retryHello({ code, message }) {
  if (code === "password_required" || code === "wrong_password") {
    askPassword(code === "wrong_password");
    return "wait";
  }
  if (code === "bad_pass" && pass) {
    pass = null;
  } else if (code === "bad_name") {
    identity.save({ name: store.getState().me?.name ?? randomName(Math.random) });
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
    identity.save({ lastRoom: state.lastRoom });
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
  const renamed = identity.name !== helloName;
  identity.save(renamed ? { token } : { name, token });
  if (renamed) {
    connection.reconnect();
  }
}

/** @type {import("./view.js").Page} */
const page = {
  store,
  get state() {
    return store.getState();
  },
  dispatch: store.dispatch,
  subscribe: (listener) => store.subscribe(listener),
  send,
  strings,
  navigate: (route) => store.dispatch({ type: "route", route }),
  back: () => goBack(store),
  saveChoices(form, values) {
    const { forms } = store.getState().prefs;
    store.dispatch({ type: "prefs", prefs: { forms: { ...forms, [form]: values } } });
  },
  async changeLanguage(lang) {
    try {
      await setLanguage(lang);
    } catch {
      /** @type {import("./state.js").Notice} */
      const notice = { kind: "error", key: "notice.language", params: {}, text: "" };
      store.dispatch({ type: "notice", notice });
      return;
    }
    store.dispatch({ type: "prefs", prefs: { lang } });
  },
  player: {
    guest: identity.guest,
    name: () => identity.name,
    rename(text) {
      const name = normalizeName(text);
      if (name !== "" && name !== identity.name) {
        identity.save({ name });
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

// Browsers resolve relative links to icons again after each change of the address.
for (const link of document.querySelectorAll("link:not([rel=stylesheet])")) {
  link.setAttribute("href", /** @type {HTMLLinkElement} */ (link).href);
}
followHistory(store);
show(page);

for (const name of ["online", "offline", "pageshow", "visibilitychange"]) {
  addEventListener(name, () => {
    if (document.visibilityState === "visible") {
      connection.wake();
      store.dispatch({ type: "wake" });
    }
  });
}
connection.open();
