// The head of the page: the figures of the server, its switches, and what a host says to everybody.
// @ts-check

import { html } from "../html.js";
import { strings } from "../strings.js";
import { number, size, span } from "./text.js";

/** @typedef {import("./door.js").Status} Status */

/** The features that a host can switch. */
const SWITCHES = /** @type {const} */ (["chat", "listing", "quick_match", "ratings"]);

/** @typedef {typeof SWITCHES[number]} Switch */

/** How many servers are one, in a cluster. @param {Status} status @returns {[string, string][]} */
const nodes = ({ cluster }) => (cluster ? [["nodes", number(1 + cluster.others.length)]] : []);

/** The figures, in their order. @param {Status} status @returns {[string, string][]} */
const figures = (status) => [
  ["people", number(status.connections)],
  ["rooms", number(status.rooms)],
  ["playing", number(status.playing)],
  ["parties", number(status.parties)],
  ["waiting", number(status.waiting)],
  ["bans", number(status.bans)],
  ["memory", status.memory_bytes ? size(status.memory_bytes) : "–"],
  ["store", status.store_bytes ? size(status.store_bytes) : "–"],
  ["up", span(status.up_s)],
  ...nodes(status),
  ["version", status.version],
];

/**
 * @param {{status: Status, flip: (feature: Switch, on: boolean) => void, say: () => void, close: () => void,
 *   open: () => void}} props
 */
export const Head = ({ status, flip, say, close, open }) => html`<section class="host-head" aria-label=${strings("host.server")}>
  <dl class="host-figures">
    ${figures(status).map(([key, text]) => html`<div key=${key}><dt>${strings(`host.figure.${key}`)}</dt><dd>${text}</dd></div>`)}
  </dl>
  <div class="host-hands">
    <fieldset class="host-switches" hidden=${!status.features}>
      <legend class="visually-hidden">${strings("host.switches")}</legend>
      ${SWITCHES.map((feature) => {
        const on = status.features?.[feature] ?? false;
        // The box shows what the server says, not what was pressed.
        const press = (/** @type {Event} */ event) => {
          event.preventDefault();
          flip(feature, !on);
        };
        return html`<label class="switch" key=${feature}>
          <input type="checkbox" role="switch" checked=${on} onclick=${press} /><span>${strings(`host.feature.${feature}`)}</span>
        </label>`;
      })}
    </fieldset>
    <div class="buttons">
      <button type="button" class="button-quiet" aria-haspopup="dialog" onclick=${say}>${strings("host.say.all")}</button>
      ${status.closed
        ? html`<button type="button" class="button-quiet" onclick=${open}>${strings("host.open")}</button>`
        : html`<button type="button" class="button-quiet" aria-haspopup="dialog" onclick=${close}>${strings("host.close")}</button>`}
    </div>
  </div>
  <p class="host-closed" hidden=${!status.store_fails}>${strings("host.failing")}</p>
  <p class="host-closed" hidden=${!status.closed}>${strings("host.closed")}</p>
</section>`;
