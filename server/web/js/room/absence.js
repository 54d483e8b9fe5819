// The opponent is away: the time until the player may claim the game, and the claim.
// @ts-check

import { html } from "../html.js";
import { claimAt, isRunning, opponent } from "../rules.js";
import { strings } from "../strings.js";
import { Buttons } from "./actions.js";
import { Countdown } from "./countdown.js";
import { formatTime, playerName } from "./room-text.js";

/** @param {{room: import("../core/state.js").Room, act: import("./actions.js").Act}} props */
export function Absence({ room, act }) {
  const mark = opponent(room);
  const from = mark && !room.closed ? claimAt(room, mark) : null;
  if (mark === null || from === null) return null;
  const [name, running] = [playerName(room, mark), isRunning(room)];
  /** @param {number} left */
  const absence = (left) => {
    const key = running ? (left > 0 ? "room.claim.wait" : "room.claim.now") : "room.absent";
    return html`<div class="absence">
      <p class="absence-text">${strings(key, { name, time: formatTime(left) })}</p>
      ${running &&
      left <= 0 &&
      html`<div class="buttons"><${Buttons} group="claim" room=${room} act=${act} /></div>`}
    </div>`;
  };
  return html`<${Countdown} to=${from}>${absence}<//>`;
}
