// The browser's storage, as JSON. A refused value is kept in the tab's history, which a reload does
// not clear: a browser that blocks cookies blocks all storage, but not that.
// @ts-check

/** The values that the storage has refused, by key. @type {Record<string, any>} */
const refused = history.state?.refused ?? {};

/** Whether the browser stores nothing. */
export const isRefused = () => Object.keys(refused).length > 0;

/** The state of an entry of the history, with what the storage has refused. @param {object} [state] */
export const withRefused = (state) => (isRefused() ? { ...state, refused } : state);

function keepRefused() {
  if (isRefused() || history.state?.refused) history.replaceState({ ...history.state, refused }, "");
}

// The entry that the player has gone back to has an earlier state, or none.
addEventListener("popstate", keepRefused);

/** @param {unknown} value @returns {string | null} */
export function text(value) {
  return typeof value === "string" && value !== "" ? value : null;
}

/** @param {() => Storage} storage @param {string} key @returns {Record<string, unknown> | null} */
export function read(storage, key) {
  if (key in refused) {
    return refused[key];
  }
  try {
    const value = JSON.parse(storage().getItem(key) ?? "null");
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** @param {() => Storage} storage @param {string} key @param {object} value */
export function write(storage, key, value) {
  try {
    storage().setItem(key, JSON.stringify(value));
    delete refused[key];
  } catch {
    refused[key] = value;
  }
  keepRefused();
}

/** @param {() => Storage} storage @param {string} key */
export function remove(storage, key) {
  delete refused[key];
  keepRefused();
  try {
    storage().removeItem(key);
  } catch {
    // A value that was not stored is not there.
  }
}
