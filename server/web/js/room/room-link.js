// The links for other people. A page opened as `localhost`, or on a server with a public address, uses the
// address that the server names.
// @ts-check

import { html } from "../html.js";
import { BASE, addressOf } from "../router.js";
import { strings } from "../strings.js";

const HERE_ONLY = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The address of a route that works on other devices too.
 *
 * @param {import("../core/state.js").Route} route
 * @param {import("../client/protocol.js").ServerInfo | null} server
 */
export function linkTo(route, server) {
  const told = server?.public || HERE_ONLY.includes(BASE.hostname) ? server?.url : null;
  return addressOf(route, told ? new URL(told.endsWith("/") ? told : `${told}/`) : BASE);
}

/** A warning if no other device can open a link: the server listens on its own machine alone. @param {string} link */
export function hereOnlyText(link) {
  const { hostname, port } = new URL(link);
  if (!HERE_ONLY.includes(hostname)) return null;
  const [before, after] = strings("share.hereOnly").split("{option}");
  return html`${before}<code>--bind 0.0.0.0:${port || 80}</code>${after}`;
}

/** @param {string} code @param {import("../client/protocol.js").ServerInfo | null} server */
export const roomLink = (code, server) => linkTo({ screen: "room", code }, server);
