// The screen behind the link to a room with an open seat: who invites, the board, and the button Play. A
// room that admits no spectators also shows it; then only the room's code is known.
// @ts-check

import { FaceOf } from "../face-of.js";
import { html } from "../html.js";
import { later } from "../later.js";
import { VARIANTS } from "../parts.js";
import { variantPicture } from "../room/variant-picture.js";
import { strings } from "../strings.js";
import { BoardPicture } from "./board-picture.js";
import { failureText } from "./code-field.js";
import { NameField } from "./name-field.js";
import { rules, seatName } from "./summary.js";

/** @typedef {import("../view.js").Props} Props */
/** @typedef {import("../client/protocol.js").RoomSettings} RoomSettings */

const PlainRules = (/** @type {{settings: RoomSettings}} */ { settings }) => rules(settings);
const VariantRules = later(VARIANTS, "VariantRules", PlainRules);

/** @param {Props} props */
export function Invite({ page, state }) {
  const { route, room, failed } = state;
  const code = route.screen === "room" ? route.code : "";
  const here = room?.code === code ? room : null;
  const why = failed ? failureText(failed) : "";
  const joining = state.unanswered.some(({ type }) => type === "join");
  const watch = () => page.dispatch({ type: "watch", room: code });
  /** @param {Event & {currentTarget: HTMLElement}} event */
  const play = ({ currentTarget }) => {
    // A typed name is saved when its field loses the focus. A tap does not always take it.
    currentTarget.focus();
    page.player.keep();
    page.send({ type: "join", room: code, role: "player" });
  };
  return html`
    <div class="screen invite">
      <h1><${FaceOf} ...${hostOf(here) ?? {}} />${titleOf(code, here)}</h1>
      ${here && (here.settings.variant ? variantPicture(here.settings.variant) : html`<${BoardPicture} board=${here.settings.board} />`)}
      <p class="lead">${here ? html`<${here.settings.variant ? VariantRules : PlainRules} settings=${here.settings} />` : why}</p>
      <${NameField} player=${page.player} />
      <div class="invite-ways">
        <button type="button" class="button-primary wide" aria-disabled=${joining} onclick=${play}>
          ${strings("invite.play")}
        </button>
        <button type="button" class="button-bare" hidden=${!here} onclick=${watch}>
          ${strings("invite.watch")}
        </button>
      </div>
    </div>
  `;
}

/** The inviter's seat. @param {import("../core/state.js").Room | null} room @returns {any} */
const hostOf = (room) => room && (room.seats.x.kind === "open" ? room.seats.o : room.seats.x);

/** @param {string} code @param {import("../core/state.js").Room | null} room */
function titleOf(code, room) {
  const host = hostOf(room);
  const isNamed = host && host.kind !== "open";
  return isNamed
    ? strings("invite.title", { name: seatName(host) })
    : strings("invite.room", { room: code });
}
