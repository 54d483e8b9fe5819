// The dialog for the look of the page.
// @ts-check

import { Dialog, closeDialog } from "../dialog.js";
import { html } from "../html.js";
import { LIGHTS, SKINS } from "../look.js";
import { Chips } from "../views/chips.js";
import { strings } from "../strings.js";

/** @param {{page: import("../view.js").Page, prefs: import("../core/state.js").Prefs, onclose: () => void}} props */
export function LookDialog({ page, prefs, onclose }) {
  /** @param {"skin" | "light"} name @param {readonly string[]} values */
  const choice = (name, values) => html`<${Chips}
    name=${name}
    title=${strings(name === "light" ? "look.light.title" : "look.skin")}
    chips=${values.map((value) => ({ value, label: strings(`look.${value || "system"}`) }))}
    value=${prefs[name]}
    choose=${(/** @type {string} */ value) => page.dispatch({ type: "prefs", prefs: { [name]: value } })}
  />`;
  return html`<${Dialog} class="dialog look-dialog" aria-labelledby="look-title" onclose=${onclose}>
    <h2 id="look-title">${strings("foot.look")}</h2>
    ${choice("skin", SKINS)} ${choice("light", LIGHTS)}
    <button type="button" class="button-primary wide" autofocus onclick=${closeDialog}>${strings("pass.close")}</button>
  <//>`;
}
