// The offer of a new version, with a service worker of the test.
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
