// The offer of a new version, with a service worker of the test, and what the worker answers behind a proxy.
// @ts-check

import { keepPage } from "../../server/web/js/keep.js";
import { initialState } from "../../server/web/js/core/state.js";
import { equal, test } from "./runner.js";

/** What a page of the folder `old` is told where its server has another folder. @param {string} folder */
async function told(folder) {
  /** @type {any[]} */
  const actions = [];
  const known = { waiting: {}, installing: null, addEventListener() {}, update: async () => {} };
  const script = Object.assign(document.createElement("script"), { type: "none", src: "/assets/old/js/main.js" });
  const { fetch: real } = globalThis;
  document.head.prepend(script);
  Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: { controller: {}, register: async () => known } });
  globalThis.fetch = async () => new Response(`<script src="assets/${folder}/js/main.js">`);
  try {
    const state = initialState();
    await keepPage(/** @type {any} */ ({ state, dispatch: (/** @type {any} */ action) => actions.push(action), subscribe() {} }));
    await new Promise((done) => setTimeout(done, 0));
  } finally {
    globalThis.fetch = real;
    Reflect.deleteProperty(navigator, "serviceWorker");
    script.remove();
  }
  return actions.map(({ notice }) => notice.key);
}

test("a new version is offered to an older page, and not to one that has it", async () => {
  equal(await told("new"), ["notice.renewed"]);
  equal(await told("old"), []);
});

/**
 * The worker's answer where a proxy or the server has answered `from` and the device has kept `kept`.
 * @param {string} mode @param {Response} from @param {Response} [kept]
 */
async function answered(mode, from, kept) {
  const source = await (await fetch("/server/web/js/worker.js")).text();
  /** @type {any} */
  const handlers = {};
  const scope = {
    registration: { scope: "http://host/" },
    addEventListener: (/** @type {string} */ type, /** @type {any} */ handler) => { handlers[type] = handler; },
  };
  const caches = { match: async () => kept, open: async () => ({ keys: async () => [], put: async () => {} }) };
  new Function("globalThis", "caches", "fetch", source)(scope, caches, async () => from);
  /** @type {Promise<Response> | undefined} */
  let answer;
  const request = { method: "GET", mode, url: mode === "navigate" ? "http://host/r/KQRZX" : "http://host/puzzles/0.json" };
  handlers.fetch({ request, respondWith: (/** @type {Promise<Response>} */ promise) => { answer = promise; } });
  return (await answer)?.text();
}

// Catches: an answer of the proxy instead of what is kept, and an answer of the server that is replaced.
test("where a proxy does not reach the server, what is kept is shown", async () => {
  for (const mode of ["navigate", "cors"]) {
    const proxy = () => new Response("Bad Gateway", { status: 502 });
    equal(await answered(mode, proxy(), new Response("kept")), "kept");
    equal(await answered(mode, proxy()), "Bad Gateway");
    const server = new Response("busy", { status: 503, headers: { "content-security-policy": "x" } });
    equal(await answered(mode, server, new Response("kept")), "busy");
  }
});
