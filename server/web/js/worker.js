// The service worker: keeps this version of the page on the device, so that it opens without its server. The server
// writes the version's folder into it and serves it as `/worker.js`. The page itself always comes from the network
// first: a host's update is never held up, and a server that answers is never replaced by what is kept.
// @ts-check

{
  const scope = /** @type {any} */ (globalThis);

  /** The folder of the version's files, which never change. */
  const FOLDER = new URL("assets/0/", scope.registration.scope).href;

  /** A folder for development changes at any time: nothing of it is kept. */
  const IS_KEPT = !FOLDER.endsWith("/assets/dev/");

  /** The caches of this page, among those of others on the same host. */
  const OURS = `noughts ${scope.registration.scope} `;
  const CACHE = OURS + FOLDER;

  /** The page at the top. Its addresses of files are relative. */
  const INDEX = scope.registration.scope;

  /** The files to open the page, and to play on this device alone. The rest is kept when used. */
  const FILES = [
    "css/base.css", "css/options.css", "css/here.css", "fonts/shantell-sans-700.woff2", "icon.svg", "icon-192.png", "manifest.webmanifest",
    "js/early.js", "js/main.js", "js/here/main.js",
    "js/strings/de.js", "js/strings/en.js", "js/strings/here-de.js", "js/strings/here-en.js",
  ];

  /** The puzzle, where this version has it, and the room, from which it takes. Its data is kept when it was asked for. */
  const PUZZLE = [
    "css/puzzle.css", "js/puzzle/main.js", "js/strings/puzzle-de.js", "js/strings/puzzle-en.js",
    "js/room/main.js",
  ];

  /** Data that changes from day to day: the newest that there is, below this path. */
  const DATA = new URL("puzzles/", scope.registration.scope).href;

  /** So many answers are kept of what was used: all files of the page and a year of puzzles are fewer. */
  const MOST = 600;

  async function install() {
    const cache = await caches.open(CACHE);
    const page = await fetch(INDEX, { cache: "no-cache", headers: { accept: "text/html" } });
    const text = await page.clone().text();
    // Between two versions, or behind somebody else's page, nothing is kept: the browser tries again later.
    if (!page.ok || page.redirected || !FOLDER.endsWith(folderOf(text))) throw new Error("another page");
    await cache.addAll(FILES.map((file) => FOLDER + file));
    await Promise.allSettled(PUZZLE.map((file) => cache.add(FOLDER + file)));
    await cache.put(INDEX, page);
  }

  /** The folder of the files that a page names. @param {string} html */
  const folderOf = (html) => html.match(/assets\/\w+\//)?.[0] ?? "none";

  /** The caches of other versions. */
  async function clean() {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith(OURS) && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
  }

  /** A file of this version: it never changes. @param {Request} request */
  async function file(request) {
    const kept = await caches.match(request.url, { cacheName: CACHE, ignoreVary: true });
    return kept ?? keep(request, await fetch(request));
  }

  /** @param {Request} request @param {Response} answer */
  async function keep(request, answer) {
    if (answer.status !== 200) return answer;
    const copy = answer.clone();
    // A full disk refuses: then it is not kept.
    await caches.open(CACHE).then(async (cache) => {
      const keys = await cache.keys();
      if (keys.length < MOST) await cache.put(request.url, copy);
    }).catch(() => {});
    return answer;
  }

  /**
   * The server's answer. A proxy that does not reach the server answers in its place: that is no answer, and is
   * thrown. The server's own answers have a policy.
   * @param {Request} request
   */
  async function ask(request) {
    const answer = await fetch(request);
    const isProxy = [502, 503, 504].includes(answer.status) && !answer.headers.has("content-security-policy");
    if (isProxy) throw answer;
    return answer;
  }

  /** The proxy's answer, if there is one, where nothing is kept. @param {unknown} failure */
  function fail(failure) {
    if (failure instanceof Response) return failure;
    throw failure;
  }

  /** The newest data, else what was kept. @param {Request} request */
  async function data(request) {
    try {
      return await keep(request, await ask(request));
    } catch (failure) {
      const kept = await caches.match(request.url, { cacheName: CACHE, ignoreVary: true });
      return kept ?? fail(failure);
    }
  }

  /** The page from the server; where it does not answer, the one that is kept. @param {Request} request */
  async function page(request) {
    try {
      return await ask(request);
    } catch (failure) {
      const kept = await caches.match(INDEX, { cacheName: CACHE, ignoreVary: true });
      if (!kept) return fail(failure);
      const depth = new URL(request.url).pathname.split("/").length - new URL(INDEX).pathname.split("/").length;
      const text = await kept.text();
      const up = "../".repeat(Math.max(0, depth));
      const html = text.replaceAll("\"assets/", `"${up}assets/`);
      // Among them the policy. The text is no longer compressed.
      const headers = new Headers(kept.headers);
      for (const name of ["content-encoding", "content-length"]) headers.delete(name);
      return new Response(html, { headers });
    }
  }

  scope.addEventListener("install", (/** @type {any} */ event) => {
    if (IS_KEPT) event.waitUntil(install());
    else scope.skipWaiting();
  });
  scope.addEventListener("activate", (/** @type {any} */ event) => {
    event.waitUntil(clean().then(() => scope.clients.claim()));
  });
  // The player has asked for the new version.
  scope.addEventListener("message", (/** @type {MessageEvent} */ { data }) => {
    if (data === "take over") scope.skipWaiting();
  });
  scope.addEventListener("fetch", (/** @type {any} */ event) => {
    const { request } = event;
    if (!IS_KEPT || request.method !== "GET") return;
    if (request.mode === "navigate" && request.url.startsWith(INDEX)) event.respondWith(page(request));
    else if (request.url.startsWith(FOLDER)) event.respondWith(file(request));
    else if (request.url.startsWith(DATA)) event.respondWith(data(request));
  });
}
