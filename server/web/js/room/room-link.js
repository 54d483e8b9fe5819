// The links into a room. A page opened as `localhost`, or on a server with a public address, uses the
// address that the server names. A pass stands behind `#`, which browsers do not send.
// @ts-check

import { BASE, addressOf } from "../router.js";

const HERE_ONLY = ["localhost", "127.0.0.1", "[::1]"];

/**
 * @param {string} code
 * @param {import("../protocol.js").ServerInfo | null} server
 * @param {string | null} [pass]
 */
export function roomLink(code, server, pass = null) {
  const told = server?.public || HERE_ONLY.includes(BASE.hostname) ? server?.url : null;
  const base = told ? new URL(told.endsWith("/") ? told : `${told}/`) : BASE;
  const link = addressOf({ screen: "room", code }, base);
  return pass ? `${link}#pass=${encodeURIComponent(pass)}` : link;
}
