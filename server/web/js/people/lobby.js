// The public rooms: those with an open seat and those to watch.
// @ts-check

import { focusOn } from "../focus.js";
import { Component, createRef, html } from "../html.js";
import { MarkIcon } from "../room/board-svg.js";
import { MARKS } from "../client/rules.js";
import { strings } from "../strings.js";
import { rules, seatName } from "../views/summary.js";

/** @typedef {import("../client/protocol.js").RoomSummary} RoomSummary */
/** @typedef {import("../view.js").Props} Props */

/** @param {Props} props */
export function Lobby({ page, state: { lobby, features } }) {
  const { spectators, listing, quick_match } = features;
  /** @param {"friend" | "quick" | "join"} screen @param {string} label @param {boolean} shown */
  const button = (screen, label, shown) => html`
    <button
      type="button"
      class="button-quiet"
      hidden=${!shown}
      onclick=${() => page.navigate({ screen })}
    >
      ${strings(label)}
    </button>
  `;
  return html`
    <div class="screen">
      <header>
        <h1>${strings("menu.lobby")}</h1>
        <p class="lead">${strings(listing ? "lobby.lead" : "lobby.off")}</p>
      </header>
      ${listing && html`<${List} page=${page} name="waiting" role="player" rooms=${lobby?.waiting} />`}
      ${listing &&
      spectators &&
      html`<${List} page=${page} name="playing" role="spectator" rooms=${lobby?.playing} />`}
      <p class="note" hidden=${!lobby?.more}>${strings("lobby.more", { count: lobby?.more ?? 0 })}</p>
      <div class="buttons">
        ${button("friend", "lobby.make", listing)} ${button("quick", "menu.quick", quick_match)}
        ${button("join", spectators ? "menu.join" : "join.title", !listing)}
      </div>
    </div>
  `;
}

/** @typedef {{page: Props["page"], role: "player" | "spectator"}} ListProps */

/** @param {ListProps & {name: "waiting" | "playing", rooms?: RoomSummary[]}} props */
function List({ page, name, role, rooms }) {
  return html`
    <section class="group">
      <h2>${strings(`lobby.${name}`)}</h2>
      <ul class="rooms">
        ${rooms?.map((room) => html`<${Row} key=${room.room} page=${page} role=${role} room=${room} />`)}
      </ul>
      <p class="empty" data-waits=${!rooms} hidden=${rooms?.length}>
        ${strings(rooms ? `lobby.${name}.none` : "lobby.loading")}
      </p>
    </section>
  `;
}

/** @extends {Component<ListProps & {room: RoomSummary}>} */
class Row extends Component {
  #row = createRef();

  /** The heading gets the focus of a removed row. */
  componentWillUnmount() {
    const row = this.#row.current;
    if (row.contains(document.activeElement)) focusOn(row.closest(".screen").querySelector("h1"));
  }

  render() {
    const { page, role, room } = this.props;
    const names = { x: seatName(room.seats.x, room.settings), o: seatName(room.seats.o, room.settings) };
    const { x, o, draws } = room.score;
    const played = x + o + draws > 0;
    const verb = role === "player" ? "play" : "watch";
    return html`
      <li class="room-row" ref=${this.#row}>
        <div>
          <div class="room-pair">
            ${MARKS.map(
              (mark) => html`
                <${MarkIcon} mark=${mark} seed=${room.room + mark} />
                <span class=${room.seats[mark].kind === "open" ? "is-open" : null}>${names[mark]}</span>
                <b hidden=${!played}>${room.score[mark]}</b>
              `,
            )}
          </div>
          <p class="note">${facts(room).join(" · ")}</p>
        </div>
        <button
          type="button"
          class="button-quiet"
          aria-label=${strings(`lobby.${verb}.name`, names)}
          onclick=${() => page.send({ type: "join", room: room.room, role })}
        >
          ${strings(`lobby.${verb}`)}
        </button>
      </li>
    `;
  }
}

/** @param {RoomSummary} room @returns {string[]} */
function facts({ room, settings, score, spectators }) {
  const parts = [room, rules(settings)];
  if (score.draws > 0) parts.push(strings("lobby.draws", { count: score.draws }));
  if (spectators > 0) parts.push(strings("lobby.watching", { count: spectators }));
  return parts;
}
