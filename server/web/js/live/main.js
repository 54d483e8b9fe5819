// The tile of a public game on the start page: its board moves as it is played. The moves come as server-sent events, as long
// as the tile can be seen and its people play. Loaded with the first public game.
// @ts-check

import { applyEvent, roomFromSnapshot } from "../client/room.js";
import { MARKS, isAway } from "../client/rules.js";
import { Component, html } from "../html.js";
import { Password } from "../password.js";
import { roomSeed } from "../room/pen.js";
import { BASE } from "../router.js";
import { TileBoard } from "../screen/board.js";
import { seatName } from "../views/summary.js";
import { Drawing, Tile } from "../views/tiles.js";
import { strings } from "../strings.js";

/** @typedef {import("../client/room.js").Room} Room */
/** @typedef {import("../client/protocol.js").RoomSummary} RoomSummary */
/** @typedef {{code: string, onend: () => void}} Props */

/** So long it waits for a move, in milliseconds: an open page holds no connection for a game that stands still. */
const PATIENCE_MS = 120_000;

/** @extends {Component<Props>} */
class LiveBoard extends Component {
  /** @type {Room | null} */
  #room = null;
  /** @type {EventSource | null} */
  #events = null;
  #timer = 0;

  componentDidMount() {
    document.addEventListener("visibilitychange", this.#look);
    this.#look();
  }

  componentWillUnmount() {
    document.removeEventListener("visibilitychange", this.#look);
    this.#close();
  }

  /** Follows while the page can be seen. A server with a password would have the browser ask for it. */
  #look = () => {
    this.#close();
    if (!document.hidden && !new Password().value) this.#follow();
  };

  #follow() {
    const events = new EventSource(new URL(`api/v1/rooms/${this.props.code}/events`, BASE));
    this.#events = events;
    const on = (/** @type {string} */ name, /** @type {(message: any) => Room | null} */ next) =>
      events.addEventListener(name, ({ data }) => this.#show(next(JSON.parse(data))));
    on("snapshot", (snapshot) => roomFromSnapshot(snapshot, 0, null));
    on("event", ({ v, event }) => (this.#room?.v === v - 1 && event.kind !== "closed" ? applyEvent(this.#room, event, 0, null) : null));
    // After a break of the network the browser asks again by itself.
    events.onerror = () => {
      if (events.readyState === EventSource.CLOSED) this.#end();
    };
  }

  /** @param {Room | null} room null where something is missing, and at its end */
  #show(room) {
    if (!room || MARKS.every((mark) => room.seats[mark].kind !== "human" || isAway(room, mark))) return this.#end();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#end, PATIENCE_MS);
    this.#room = room;
    this.setState({});
  }

  #close() {
    clearTimeout(this.#timer);
    this.#events?.close();
    this.#events = null;
  }

  #end = () => {
    this.#close();
    this.props.onend();
  };

  render() {
    const room = this.#room;
    if (!room) return html`<${Drawing} name="watch" />`;
    const { settings: { board, variant }, code, game } = room;
    return html`<${TileBoard} board=${board} variant=${variant} played=${game} seed=${roomSeed(code, game?.number ?? 0)} />`;
  }
}

/** So many games that stand still are looked at; then the tile stays calm. */
const TRIES = 3;

/**
 * The first public game that people play now, with its board; else the one that the list names first.
 *
 * @extends {Component<{playing: RoomSummary[], isOpen: boolean}>}
 */
export class LiveTile extends Component {
  /** The rooms in which nothing happens. @type {string[]} */
  #still = [];

  /** @param {string} room */
  #stop(room) {
    this.#still.push(room);
    this.setState({});
  }

  /** @param {RoomSummary} game */
  #mayLive = ({ room, seats }) => MARKS.some((mark) => seats[mark].kind === "human") && !this.#still.includes(room);

  /** @param {{playing: RoomSummary[], isOpen: boolean}} props */
  render({ playing, isOpen }) {
    const live = isOpen && this.#still.length < TRIES ? playing.find(this.#mayLive) : undefined;
    const { room, seats, score, settings } = live ?? playing[0];
    const note = html`
      ${live && html`<b class="tile-live">${strings("tile.live")}</b>`}
      <bdi class="mark-x">${seatName(seats.x, settings)}</bdi>
      <b>${score.x}\u00a0:\u00a0${score.o}</b>
      <bdi class="mark-o">${seatName(seats.o, settings)}</bdi>
    `;
    const picture = live && html`<${LiveBoard} key=${room} code=${room} onend=${() => this.#stop(room)} />`;
    return html`<${Tile} size="middle" name="watch" to=${{ screen: "room", code: room }} title="tile.watch" note=${note} picture=${picture} />`;
  }
}
