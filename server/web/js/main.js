// Puts the page together: who says hello, the connection, the runner of the core, the history, the view.
// @ts-check

import { Connection } from "./client/connection.js";
import { sleepDetector } from "./client/sleep.js";
import { Hello } from "./hello.js";
import { Identity, loadPrefs, savePrefs } from "./identity.js";
import { changeLanguage, startLanguage } from "./language.js";
import { followLook } from "./look.js";
import { takePass } from "./pass.js";
import { BASE, followHistory, goBack, keepMove, routeOf, searchAgain } from "./router.js";
import { Runner } from "./runner.js";
import { isRefused } from "./storage.js";
import { error, refusal } from "./core/happenings.js";
import { initialState } from "./core/state.js";
import { show } from "./view.js";

// First of all, so that the pass is in the address for as short a time as can be.
const pass = takePass();
const identity = new Identity();
const stored = loadPrefs();
const prefs = await startLanguage(stored);
if (prefs.lang !== stored.lang) {
  savePrefs(prefs);
}
const hello = new Hello(identity, pass);

/** So long after another face was chosen the others are told, in milliseconds. */
const WORN_MS = 1_000;
let worn = 0;

/** So long after the page the device begins to keep it, in milliseconds: who plays a game once is left alone. */
const KEEP_MS = 20_000;

/** Ids count up from a random start and stay below 2^53. */
const firstId = Math.floor(Math.random() * 2 ** 52);
const first = initialState(routeOf(location.pathname), prefs, identity.rooms, firstId);
const runner = new Runner(first, execute);

/** The socket that `early.js` has opened, once, unless it has failed since. */
function early() {
  const page = /** @type {{earlySocket?: WebSocket}} */ (globalThis);
  const socket = page.earlySocket;
  delete page.earlySocket;
  return socket && socket.readyState <= WebSocket.OPEN ? socket : null;
}

const hasSlept = sleepDetector();
const connection = new Connection({
  base: BASE.href,
  early,
  greeting: () => hello.greeting(),
  report(input) {
    runner.dispatch(input);
    if (hasSlept()) runner.dispatch({ type: "wake" });
  },
  onHelloRefused({ code, message }) {
    const next = hello.refused(code, { known: runner.state.me?.name, connect: () => connection.open() });
    if (next === "again") runner.dispatch({ type: "notice", notice: refusal({ code, message }) });
    return next;
  },
});

/** @param {import("./core/page.js").Command} command */
function execute(command) {
  if (command.type === "send") {
    connection.send(command.message);
  } else if (command.type === "reconnect") {
    connection.giveUp();
  } else if (command.type === "forget") {
    hello.forget();
    connection.reconnect();
  } else if (command.type === "prefs") {
    savePrefs(command.prefs);
  } else if (command.type === "rooms") {
    identity.saveRooms(command.rooms);
  } else if (hello.welcomed(command)) {
    connection.reconnect();
  }
}

// Browsers resolve relative links to icons again after each change of the address.
for (const link of document.querySelectorAll("link[rel*=icon], link[rel=manifest]")) {
  link.setAttribute("href", /** @type {HTMLLinkElement} */ (link).href);
}
followHistory(runner);
followLook(runner);
searchAgain(runner);
keepMove(runner);
show(Object.assign(runner, {
  navigate: (/** @type {import("./core/state.js").Route} */ route) => runner.dispatch({ type: "route", route }),
  back: () => goBack(runner),
  changeLanguage: (/** @type {string} */ lang) => changeLanguage(runner, lang),
  /** @param {string} form @param {Record<string, string>} values the choices of a form, to be stored */
  saveChoices(form, values) {
    const { forms } = runner.state.prefs;
    runner.dispatch({ type: "prefs", prefs: { forms: { ...forms, [form]: values } } });
  },
  player: {
    guest: identity.guest,
    name: () => hello.name,
    isRenamed: () => hello.given !== null,
    id: () => runner.state.me?.player ?? "",
    face: () => identity.face,
    /** Taps follow one another: the others are told after the last one. @param {import("./client/protocol.js").Face} face */
    wear(face) {
      identity.wear(face);
      runner.redraw();
      clearTimeout(worn);
      worn = setTimeout(() => connection.reconnect(), WORN_MS);
    },
    isOffered: () => identity.offered,
    keep: () => identity.save({ offered: false }),
    /** @param {string} text */
    rename(text) {
      if (identity.rename(text)) {
        connection.reconnect();
      }
    },
    /** The holder of the token is the player. */
    secret: () => ({ name: identity.name, token: identity.token }),
    /** This device becomes the player of a file. @param {{name: string, token: string}} kept */
    become(kept) {
      identity.become(kept);
      location.reload();
    },
    /** The tab becomes a guest, or ends that. */
    change() {
      identity.change();
      location.assign(BASE);
    },
  },
}));

for (const name of ["online", "offline", "pageshow", "visibilitychange"]) {
  addEventListener(name, () => {
    if (document.visibilityState === "visible") {
      connection.wake();
      runner.dispatch({ type: "wake" });
    }
  });
}
// Where a name is asked for, it is said beside it.
if (isRefused() && !["welcome", "room", "party"].includes(first.route.screen)) {
  runner.dispatch({ type: "notice", notice: error("name.unstored") });
}
connection.open();
setTimeout(() => import("./keep.js").then((keep) => keep.keepPage(runner)).catch(() => {}), KEEP_MS);
