// Copies the text of a field. `navigator.clipboard` does not exist on plain http, so the fallback
// selects the field and uses `execCommand`.
// @ts-check

/**
 * Copies the text of `field`. Where that fails, the text stays selected for the player to copy.
 * @param {HTMLInputElement} field
 * @returns {Promise<boolean>} whether it worked
 */
export async function copyField(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // No clipboard on plain http, or no permission.
  }
  field.focus();
  field.select();
  field.setSelectionRange(0, field.value.length);
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  }
}
