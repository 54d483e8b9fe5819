// A browser's storage that refuses.
// @ts-check

import { fileStore } from "../../server/web/js/client/store.js";
import { isRefused, read, remove, withRefused, write } from "../../server/web/js/storage.js";
import { equal, some, test } from "./runner.js";

/** As a browser that blocks cookies does. @returns {Storage} */
const blocked = () => {
  throw new DOMException("Access is denied for this document.", "SecurityError");
};

/** As a web view without storage does. */
const missing = () => /** @type {Storage} */ (/** @type {unknown} */ (null));

/** A page that is loaded again, in the same entry of the history. @returns {Promise<{read: typeof read}>} */
const reload = () => import(`../../server/web/js/storage.js?${Math.random()}`);

test("a client's file is replaced at once by one that its owner alone can read", () => {
  /** @type {Map<string, {text: string, mode: number}>} */
  const files = new Map([["token", { text: "old", mode: 0o644 }]]);
  const fs = {
    existsSync: (/** @type {string} */ path) => files.has(path),
    readFileSync: (/** @type {string} */ path) => files.get(path)?.text,
    rmSync: (/** @type {string} */ path) => files.delete(path),
    writeFileSync(/** @type {string} */ path, /** @type {string} */ text, /** @type {{mode: number}} */ { mode }) {
      equal(path === "token", false, "written in place");
      files.set(path, { text, mode });
    },
    renameSync(/** @type {string} */ from, /** @type {string} */ to) {
      files.set(to, some(files.get(from), from));
      files.delete(from);
    },
  };
  const page = /** @type {any} */ (globalThis);
  page.process = { getBuiltinModule: () => fs };
  const store = fileStore("token");
  delete page.process;
  store.save("new");
  equal([store.load(), [...files]], ["new", [["token", { text: "new\n", mode: 0o600 }]]]);
});

test("an entry of the history to which the player goes back has what was refused since", async () => {
  history.replaceState({ depth: 0 }, "");
  history.pushState({ depth: 1 }, "");
  write(blocked, "k", { token: "t" });
  const gone = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
  history.back();
  await gone;
  equal(history.state, { depth: 0, refused: { k: { token: "t" } } });
  remove(blocked, "k");
  history.replaceState(null, "");
});

test("what the storage takes is not in the history", () => {
  write(() => sessionStorage, "k", { token: "t" });
  equal([read(() => sessionStorage, "k"), isRefused(), history.state], [{ token: "t" }, false, null]);
  remove(() => sessionStorage, "k");
  equal(read(() => sessionStorage, "k"), null);
});

test("what the storage refuses is in the tab's history, and there after a reload", async () => {
  for (const storage of [blocked, missing]) {
    equal([read(storage, "k"), isRefused(), withRefused({ depth: 1 })], [null, false, { depth: 1 }]);
    write(storage, "k", { token: "t" });
    equal([read(storage, "k"), isRefused()], [{ token: "t" }, true]);
    equal((await reload()).read(storage, "k"), { token: "t" });
    some(!location.href.includes("token"), "no address has it");
    write(() => sessionStorage, "k", { token: "new" });
    equal((await reload()).read(storage, "k"), null, "the storage takes it now");
    remove(() => sessionStorage, "k");
    history.replaceState(null, "");
  }
});
