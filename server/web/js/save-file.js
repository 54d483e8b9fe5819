// Files for the browser's downloads.
// @ts-check

/**
 * Gives a file to the browser's downloads.
 *
 * @param {string} name @param {Blob} content
 */
export function saveFile(name, content) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(content), download: name });
  link.click();
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
