// The bar of a room: the way back, the code or a party's table, how many watch, the sound, the menu, the connection.
// @ts-check

import { html } from "../html.js";
import { ConnectionStatus } from "../shell.js";
import { strings } from "../strings.js";
import { Icon, IconButton } from "./board-svg.js";

/** @typedef {import("../core/state.js").Room} Room */

/**
 * @typedef {{room: Room, phase: import("../core/state.js").State["connection"]["phase"],
 *   back: () => void, openMenu: () => void, children?: any}} Props `children` stand before the menu
 */

/** @param {Props} props */
export const RoomBar = ({ room, phase, back, openMenu, children }) => html`<div class="bar room-bar">
  <button type="button" class="button-bare" aria-label=${backText(room)} title=${backText(room)} onclick=${back}>
    <span aria-hidden="true">←</span>
  </button>
  <h1 class="room-title" tabindex="-1">
    ${titleOf(room)}
  </h1>
  <${Watchers} count=${watchers(room)} />
  <span class="bar-rest"></span>
  ${children}
  <${IconButton} d="M5 12h.01M12 12h.01M19 12h.01" name=${strings("room.menu")} aria-haspopup="dialog" onclick=${openMenu} />
  <${ConnectionStatus} phase=${phase} />
</div>`;

/** At a table of a party nobody needs the code. @param {Room} room */
const titleOf = ({ code, settings: { party } }) =>
  party ? strings("room.table", { table: party.table }) : html`<span class="room-word">${strings("room.title", { code: "" })}</span>${code}`;

/** @param {Room} room */
const backText = ({ you }) => strings(you.length > 0 ? "room.back" : "room.back.watch");

/**
 * How many others watch.
 * @param {Room} room
 */
export const watchers = ({ presence: { spectators }, you }) =>
  Math.max(you.length === 0 ? spectators - 1 : spectators, 0);

/** @param {{count: number}} props */
function Watchers({ count }) {
  if (count === 0) return null;
  const text = strings(count === 1 ? "room.spectators.one" : "room.spectators", { count });
  return html`<span class="watchers" title=${text}>
    <${Icon} d="M2.5 12C7 5 17 5 21.5 12 17 19 7 19 2.5 12ZM12 12h.01" />
    <span aria-hidden="true">${count}</span><span class="visually-hidden">${text}</span>
  </span>`;
}
