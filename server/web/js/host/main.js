// The page of hosts, which stands at `/host` of the address that `--admin` names. It shares with the players' page
// what draws boards, dialogs and texts, and nothing of its state.
// @ts-check

import { html, render } from "../html.js";
import { addStrings, chooseLanguage, language, setLanguage } from "../strings.js";
import { App } from "./app.js";

await setLanguage(chooseLanguage(navigator.languages));
await Promise.all(["chat", "host", "variants"].map(addStrings));
document.documentElement.lang = language();
render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));
