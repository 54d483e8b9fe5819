// A field with a link, and the copying of it. `navigator.clipboard` does not exist on plain http, so the
// fallback selects the field and uses `execCommand`.
// @ts-check

import { html } from "../html.js";
import { strings } from "../strings.js";

/** @param {{link: string, field: {current: HTMLInputElement | null}}} props */
export const LinkField = ({ link, field }) => html`<input
  ref=${field}
  class="input share-link"
  type="text"
  readOnly
  aria-label=${strings("share.link")}
  value=${link}
  onfocus=${() => field.current?.select()}
/>`;

/**
 * Copies the text of a field. Where that fails, the text stays selected for the player to copy.
 * @param {HTMLInputElement} field
 * @returns {Promise<string>} what to tell the player
 */
export async function copyField(field) {
  return strings((await copied(field)) ? "share.copied" : "share.copy.hand");
}

/** @param {HTMLInputElement} field */
async function copied(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // No clipboard on plain http, or no permission.
  }
  const focused = document.activeElement;
  field.focus();
  field.select();
  field.setSelectionRange(0, field.value.length);
  const done = document.execCommand("copy");
  if (done && focused instanceof HTMLElement) focused.focus();
  return done;
}
