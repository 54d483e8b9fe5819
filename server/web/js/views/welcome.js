// The start page: a board whose first tap begins a game, and the other ways to play.
// @ts-check

import { Component, html } from "../html.js";
import { later, loadPart } from "../later.js";
import { Link } from "../link.js";
import { FACES, FORMS, PEOPLE, ROOM } from "../parts.js";
import { MarkIcon } from "../room/board-svg.js";
import { BARE, Board } from "../room/board.js";
import { markSeed } from "../room/pen.js";
import { inOrder, without } from "../core/rooms.js";
import { hasGoneOn, isRunning } from "../client/rules.js";
import { ConnectionStatus } from "../shell.js";
import { strings } from "../strings.js";
import { CodeField } from "./code-field.js";
import { NameField } from "./name-field.js";
import { FirstTiles, MoreTiles, isOffline } from "./tiles.js";

/** @typedef {import("../core/state.js").State} State */
/** @typedef {import("../view.js").Props} Props */

const BOARD = Object.freeze({ width: 3, height: 3, line: 3 });

/** The cell with the faint cross that says where to tap. */
const CENTRE = 4;

/** The seed of the strokes. */
const SEED = "start";

/**
 * The game that the first tap begins, before anything is chosen: the default one against the
 * default computer of the forms, and the player is X. The server fills in the rest.
 *
 * @type {import("../client/protocol.js").Intent}
 */
export const FIRST_GAME = {
  type: "create", seats: { x: "you", o: { computer: { strategy: "minimax", strength: "weak" } } },
};

/** The entries for rarer visits, and the feature of the server that each needs. */
const MENU = /** @type {const} */ ({
  lobby: "listing",
  games: "history",
  leaders: "ratings",
  computers: "spectators",
  join: "spectators",
});

const Tour = later(PEOPLE, "Tour");
const HereNow = later(FACES, "HereNow");

/** So many ways back stand on the start page; of more, the first one alone. */
const MOST_SHOWN = 2;

/** Loads the forms before one of them is chosen. If that fails, the form says so. */
const prepare = () => loadPart(FORMS).catch(() => {});

/** @param {Props} props */
export function Welcome({ page, state }) {
  const { server, features, connection } = state;
  const lead = server && server.name !== "Noughts" ? "welcome.at" : "welcome.lead";
  const items = /** @type {(keyof typeof MENU)[]} */ (Object.keys(MENU));
  return html`
    <div class="screen welcome">
      <${ReturnBanner} page=${page} state=${state} />
      <div class="welcome-head">
        <div class="brand">
          <div class="logo" aria-hidden="true"><${MarkIcon} mark="x" /><${MarkIcon} mark="o" /></div>
          <h1>Noughts</h1>
        </div>
        <${ConnectionStatus} phase=${connection.phase} />
      </div>
      <p class="lead">${strings(lead, { server: server?.name ?? "" })}</p>
      <${Hero} page=${page} state=${state} />
      <${NameField} player=${page.player} />
      <nav class="tiles" aria-label=${strings("menu.label")} onpointerover=${prepare} onfocusin=${prepare}>
        <${FirstTiles} state=${state} />
      </nav>
      <${HereNow} page=${page} state=${state} />
      <${CodeField} page=${page} state=${state} joins=${true} />
      <nav class="tiles" aria-label=${strings("menu.others")}><${MoreTiles} state=${state} /></nav>
      <nav class="menu" aria-label=${strings("menu.more")}>
        ${items
          .filter((way) => features[MENU[way]])
          .map((way) => html`<${Link} key=${way} to=${{ screen: way }}>${strings(`menu.${way}`)}<//>`)}
        <${TourButton} />
      </nav>
    </div>
  `;
}

/**
 * The ways back to the party and to the rooms where the player has a seat. A playing entrant is not
 * called to the party.
 *
 * @extends {Component<Props>}
 */
export class ReturnBanner extends Component {
  #draw = () => this.setState({});

  componentDidMount() {
    // The part of the room has the text about a game, and the part of the forms the names of variants.
    const { rooms } = this.props.state;
    if (rooms.length > 0) loadPart(ROOM).then(this.#draw, () => {});
    if (rooms.some(({ game }) => (game?.variant ?? "line") !== "line")) prepare().then(this.#draw);
  }

  /** @param {Props} props */
  render({ page, state: { room, rooms, prefs } }) {
    const here = room && !room.closed && room.you.length > 0 ? room : null;
    const { code, name } = prefs.forms.inParty ?? {};
    const party = !(here && isRunning(here)) && code;
    const seats = here && hasGoneOn(here) ? without(rooms, here.code) : rooms;
    const ways = [
      ...(party ? [{ screen: /** @type {const} */ ("party"), code: party, text: name ?? strings("return.party"), stands: "go" }] : []),
      ...inOrder(seats).map((one) => ({ screen: /** @type {const} */ ("room"), code: one.code, text: one.game ? (ROOM.module?.knownText(one) ?? "\u00a0") : "", stands: one.stands ?? "go" })),
    ];
    const buttons = ways.map(({ screen, code, text, stands }) => html`
      <button key=${code} type="button" class="button-quiet wide" onclick=${() => page.navigate({ screen, code })}>
        <span>${strings(`return.${stands}`, { room: code })}<span aria-hidden="true"> →</span></span>
        ${text && html`<b>${text}</b>`}
      </button>
    `);
    // One that is folded would take as much room as it gives.
    const folded = buttons.splice(buttons.length > MOST_SHOWN ? 1 : MOST_SHOWN);
    const turn = ways.find(({ stands }) => stands === "turn");
    return html`
      <p class="visually-hidden" role="status">${turn && strings("return.turn", { room: turn.code })}</p>
      <div class="return" hidden=${ways.length === 0}>
        ${buttons}
        ${folded.length > 0 && html`<details>
          <summary class="button-quiet wide">${strings("return.more", { count: folded.length })}</summary>
          ${folded}
        </details>`}
      </div>
    `;
  }
}

/** @extends {Component<{}, {open: boolean}>} */
class TourButton extends Component {
  state = { open: false };

  /** @param {{}} _props @param {{open: boolean}} state */
  render(_props, { open }) {
    return html`
      <button type="button" class="button-bare" onclick=${() => this.setState({ open: true })}>${strings("menu.tour")}</button>
      ${open && html`<${Tour} onclose=${() => this.setState({ open: false })} />`}
    `;
  }
}

/**
 * The board of a game that does not exist yet. Its first tap, also by a digit key, begins a game against
 * the default computer with that move.
 *
 * @extends {Component<Props>}
 */
class Hero extends Component {
  componentDidMount() {
    document.addEventListener("keydown", this.#digit);
  }

  componentWillUnmount() {
    document.removeEventListener("keydown", this.#digit);
  }

  #begin = (/** @type {number} */ cell) => {
    const { page, state } = this.props;
    if (isOffline(state)) page.navigate({ screen: "here", against: "computer", cell });
    else page.dispatch({ type: "begin", intent: FIRST_GAME, cell });
  };

  #digit = (/** @type {KeyboardEvent} */ event) => {
    const target = event.target instanceof Element ? event.target : document.body;
    const here = target === document.body || target.closest(".hero, h1") !== null;
    const modified = event.altKey || event.ctrlKey || event.metaKey;
    if (here && !modified && /^[1-9]$/.test(event.key)) this.#begin(Number(event.key) - 1);
  };

  render() {
    const { firstMove } = this.props.state;
    return html`
      <section class="hero" aria-label=${strings("hero.label")}>
        <${Board} board=${BOARD} position=${positionOf(firstMove)} selected=${null} choose=${this.#begin} />
        ${!firstMove && html`<div class="hero-ghost"><${MarkIcon} mark="x" seed=${markSeed(SEED, CENTRE)} /></div>`}
        <p class="hero-text">${strings("hero.text")}</p>
        <p class="visually-hidden" role="status">${firstMove ? strings("form.starting") : ""}</p>
      </section>
    `;
  }
}

/**
 * The empty board, with the move that waits for its game.
 *
 * @param {State["firstMove"]} firstMove
 * @returns {import("../room/position.js").Position}
 */
const positionOf = (firstMove) => ({
  ...BARE,
  marks: new Array(BOARD.width * BOARD.height).fill(null),
  sending: firstMove && { cell: firstMove.cell, mark: "x" },
  ghost: firstMove ? null : "x",
  seed: SEED,
});
