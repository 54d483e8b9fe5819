// The menu of a room: each thing that is not part of a game, with half a sentence about what it does.
// @ts-check

import { Close, Dialog, closing } from "../dialog.js";
import { html } from "../html.js";
import { LanguageSelect } from "../shell.js";
import { strings } from "../strings.js";

/**
 * @typedef {object} Item
 * @property {string} name the key of its text; half a sentence about it is at `NAME.note`
 * @property {() => void} act
 * @property {boolean} [danger]
 * @property {Record<string, string>} [params] of its note
 */

/**
 * @param {{items: readonly Item[], changeLanguage: (lang: string) => void, onclose: () => void}} props
 */
export const Menu = ({ items, changeLanguage, onclose }) => html`<${Dialog}
  class="dialog room-menu"
  aria-labelledby="menu-title"
  onclose=${onclose}
>
  <div class="menu-head">
    <h2 id="menu-title">${strings("room.menu")}</h2>
    <${Close} name=${strings("pass.close")} autofocus />
  </div>
  <ul class="menu-items" role="list">
    ${items.map((item) => html`<li key=${item.name}><${MenuItem} ...${item} /></li>`)}
  </ul>
  ${!matchMedia("(pointer: coarse)").matches && html`<p class="note">${strings("room.menu.keys")}</p>`}
  <label class="menu-language">
    ${strings("foot.language")}
    <${LanguageSelect} change=${changeLanguage} />
  </label>
<//>`;

/** The menu closes first: what the item opens gets the focus, and gives it back to the menu's button. @param {Item} props */
const MenuItem = ({ name, act, danger, params }) => html`<button
  type="button"
  class=${danger ? "menu-item is-danger" : "menu-item"}
  onclick=${closing(act)}
>
  <span class="menu-name">${strings(name)}</span>
  <span class="note">${strings(`${name}.note`, params)}</span>
</button>`;
