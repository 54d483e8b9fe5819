// Copying a text that stands in a field, also on plain http, where `navigator.clipboard` is
// missing: then the field is selected and the browser asked the old way.
// @ts-check

/**
 * Copies what stands in `field`, which is left selected where that fails, to be copied by hand.
 * @param {HTMLInputElement} field
 * @returns {Promise<boolean>} whether it was copied
 */
export async function copyField(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // There is no clipboard on plain http, or it is not allowed here.
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
