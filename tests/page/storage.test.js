// A browser's storage that refuses.
// @ts-check

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
