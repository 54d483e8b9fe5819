// The language of the page: that of the link, else the chosen one, else the browser's.
// @ts-check

import { error } from "./core/happenings.js";
import { chooseLanguage, language, setLanguage } from "./strings.js";

/**
 * Switches to the first language. A link with `?lang=` changes the preference.
 *
 * @param {import("./core/state.js").Prefs} prefs
 * @returns {Promise<import("./core/state.js").Prefs>}
 */
export async function startLanguage(prefs) {
  const link = new URLSearchParams(location.search).get("lang");
  const lang = link || prefs.lang;
  if (link) {
    history.replaceState(history.state, "", location.pathname + location.hash);
  }
  const wanted = chooseLanguage([lang, ...navigator.languages]);
  try {
    await setLanguage(wanted).catch(() => setLanguage("en"));
  } catch (error) {
    // There are no texts to say it with, not even in another language, but those of `index.html`.
    document.querySelector(".late")?.classList.add("is-now");
    throw error;
  }
  return { ...prefs, lang };
}

/**
 * Switches to another language. Where it fails to load, the player is told and the old one stays.
 *
 * @param {import("./runner.js").Runner} runner
 * @param {string} lang
 */
export async function changeLanguage(runner, lang) {
  try {
    await setLanguage(lang);
  } catch {
    runner.dispatch({ type: "notice", notice: error("notice.language") });
    return;
  }
  runner.dispatch({ type: "prefs", prefs: { lang: language() } });
}
