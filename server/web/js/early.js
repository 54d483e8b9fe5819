// Starts before the large script: the look of the page, which must be there before the first paint,
// and the WebSocket, which `connection.js` takes over. On a network with a round trip of 562 ms an
// open one shows the invitation of a room's link 0.4 s earlier. No module, because modules run
// after the first paint.
// @ts-check

{
  const page = /** @type {any} */ (globalThis);
  // `src` is read now: it follows the address of the page, which changes.
  const { dataset: { socket }, src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  const stored = () => {
    try {
      return JSON.parse(localStorage.getItem("noughts-prefs") ?? "null");
    } catch {
      return history.state?.refused?.["noughts-prefs"];
    }
  };

  /** `look.js` calls it again. @param {{skin?: unknown, light?: unknown} | null} prefs */
  page.showLook = (prefs) => {
    const { skin, light } = prefs ?? {};
    const dark = light ? light === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    const { dataset } = document.documentElement;
    dataset.skin = String(skin ?? "paper");
    dataset.light = dark ? "dark" : "light";
    // Paper is in the first style. A browser that knows `blocking` paints nothing before the others are there.
    if (dataset.skin === "paper" || document.getElementById("skins")) return;
    const href = new URL("../css/skins.css", src).href;
    const link = Object.assign(document.createElement("link"), { id: "skins", rel: "stylesheet", href });
    link.setAttribute("blocking", "render");
    document.head.append(link);
  };
  page.showLook(stored());

  if (socket !== undefined) {
    const address = new URL("../../../ws", src);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    page.earlySocket = new WebSocket(address);
  }
}
