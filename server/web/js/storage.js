// The browser's storage, as JSON. A browser that stores nothing causes no error here.
// @ts-check

/** @param {unknown} value @returns {string | null} */
export function text(value) {
  return typeof value === "string" && value !== "" ? value : null;
}

/** @param {() => Storage} storage @param {string} key @returns {Record<string, unknown> | null} */
export function read(storage, key) {
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
  } catch {
    // Private windows and full disks store nothing. The visit goes on.
  }
}

/** @param {() => Storage} storage @param {string} key */
export function remove(storage, key) {
  try {
    storage().removeItem(key);
  } catch {
    // What was not stored is not there.
  }
}
