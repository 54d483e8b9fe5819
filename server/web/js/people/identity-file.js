// The file that keeps an identity: the terminal reads and writes the same. Whoever has it is the player.
// Pure.
// @ts-check

/** @typedef {{server: string, name: string, token: string}} Kept `server`: where it was saved, "" if unknown */

/** A longer file is none of ours. */
export const MAX_FILE_BYTES = 4_096;

/** The field that says what the file is. */
const FIELD = "noughts_identity";

/** The version of the format. */
const VERSION = 1;

/** @param {Kept} kept @returns {string} */
export const fileText = ({ server, name, token }) => `${JSON.stringify({ [FIELD]: VERSION, server, name, token })}\n`;

/** @param {string} text @returns {Kept | null} null for another file */
export function parseFile(text) {
  try {
    const { [FIELD]: version, server = "", name, token } = JSON.parse(text);
    const legal = version === VERSION && [server, name, token].every((one) => typeof one === "string") && token !== "";
    return legal ? { server, name, token } : null;
  } catch {
    return null;
  }
}

/** A file name that every system takes. @param {string} name of the player */
export const fileName = (name) => `noughts-${name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "me"}.json`;
