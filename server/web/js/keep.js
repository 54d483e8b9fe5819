// Keeps the page on the device: registers the service worker, and offers a new version when there is one. Loaded
// some time after the page, because a first visit needs none. Browsers have workers with TLS and on `localhost` alone.
// @ts-check

import { BASE } from "./router.js";
import { folderHere, folderThere } from "./version.js";

/** The worker's address. It is below the page's, so that it is the worker of this page alone. */
const WORKER = new URL("worker.js", BASE).href;

/** The one policy for trusted types: it makes this address, and no HTML. */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("noughts", { createScriptURL: () => WORKER });

/** @type {ServiceWorkerRegistration | null} */
let registration = null;

/** @param {import("./runner.js").Runner} runner */
export async function keepPage(runner) {
  const workers = navigator.serviceWorker;
  // A folder for development changes at any time.
  if (!workers || document.querySelector("script[src*='assets/dev/']")) return;
  const known = await workers.register(policy?.createScriptURL("") ?? WORKER);
  registration = known;
  /** The worker whose version was looked at. @type {ServiceWorker | null} */
  let seen = null;
  const offer = async () => {
    // Nobody is disturbed in a game, nor asked twice.
    const plays = ["room", "here"].includes(runner.state.route.screen);
    if (known.waiting === seen || plays || !known.waiting || !workers.controller) return;
    seen = known.waiting;
    // A page that was loaded since is of this version already: its worker alone is older.
    if ((await folderThere()) === folderHere()) return;
    runner.dispatch({ type: "notice", notice: { kind: "offer", key: "notice.renewed", params: {}, text: "" } });
  };
  const watch = () => known.installing?.addEventListener("statechange", offer);
  known.addEventListener("updatefound", watch);
  watch();
  offer();
  runner.subscribe(({ connection, route }, before) => {
    // After a break the server may be another version.
    if (connection.phase === "open" && before.connection.phase !== "open") known.update().catch(() => {});
    if (route !== before.route) offer();
  });
}

/** Loads the new version. */
export function renew() {
  const reload = () => location.reload();
  if (!registration?.waiting) return reload();
  navigator.serviceWorker.addEventListener("controllerchange", reload, { once: true });
  registration.waiting.postMessage("take over");
}
