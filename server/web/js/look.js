// How the page looks: a skin, in light or dark. `early.js` shows the stored look before the first paint, and
// `css/skins.css` has the colours.
// @ts-check

/** @typedef {import("./core/state.js").Prefs} Prefs */

/** @type {readonly Prefs["skin"][]} */
export const SKINS = ["paper", "blackboard", "napkin", "contrast"];

/** `""` is as the system. @type {readonly Prefs["light"][]} */
export const LIGHTS = ["", "light", "dark"];

/** @param {Prefs} prefs */
function show({ skin, light }) {
  /** @type {any} */ (globalThis).showLook({ skin, light });
  const paper = getComputedStyle(document.documentElement).getPropertyValue("--bg").trim();
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.setAttribute("content", paper);
}

/** Shows the look now, after each change of it, and when the system's light changes. @param {import("./runner.js").Runner} runner */
export function followLook(runner) {
  const draw = () => show(runner.state.prefs);
  draw();
  // The other skins have arrived. The event does not bubble.
  document.addEventListener("load", ({ target }) => target instanceof Element && target.id === "skins" && draw(), true);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  runner.subscribe(({ prefs }, before) => {
    if (prefs.skin !== before.prefs.skin || prefs.light !== before.prefs.light) draw();
  });
}
