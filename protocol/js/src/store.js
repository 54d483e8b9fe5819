// Where a client keeps its token, the proof that it is its player.
// @ts-check

/**
 * @typedef {object} Store
 * @property {() => string | null | Promise<string | null>} load the kept token; null for nobody yet
 * @property {(token: string) => unknown} save called with each new token; `""` forgets the player
 */

/** A new player each time. @returns {Store} */
export function memoryStore() {
  /** @type {string | null} */
  let kept = null;
  return { load: () => kept, save: (token) => { kept = token; } };
}

/** The browser's storage; where it stores nothing, the memory. @param {string} key @returns {Store} */
export function browserStore(key) {
  const memory = memoryStore();
  return {
    load() {
      try {
        return localStorage.getItem(key);
      } catch {
        return memory.load();
      }
    },
    save(token) {
      memory.save(token);
      try {
        localStorage.setItem(key, token);
      } catch {
        // A browser may forbid it: the player lasts until the page closes.
      }
    },
  };
}

/** A file that its owner alone can read, for Node. @param {string} path @returns {Store} */
export function fileStore(path) {
  const fs = /** @type {any} */ (globalThis).process.getBuiltinModule("node:fs");
  return {
    load: () => (fs.existsSync(path) ? fs.readFileSync(path, "utf8").trim() : null),
    // A file that is there keeps its mode, and one that is half written holds nobody.
    save(token) {
      const draft = `${path}.new`;
      fs.rmSync(draft, { force: true });
      fs.writeFileSync(draft, `${token}\n`, { mode: 0o600, flag: "wx" });
      fs.renameSync(draft, path);
    },
  };
}
