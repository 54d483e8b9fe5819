// The links that lead into a room from elsewhere. A page opened as `localhost` names the address
// that the server says others reach it at, every page the one that its host made public; a pass
// stands behind `#`, which no server is sent.
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
