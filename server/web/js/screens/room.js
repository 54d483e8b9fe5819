// The screen of a room. It puts the parts in `room/` together and holds what only this screen knows:
// the shown move of a finished game and the last text for the player. The room's state is in the store.
// @ts-check

import { h, setText } from "../dom.js";
import { isRunning, sentMove } from "../rules.js";
import { createAbsence } from "../room/absence.js";
import { createActions } from "../room/actions.js";
import { titleOf } from "../room/alerts.js";
import { createConfirm } from "../room/confirm.js";
import { createHandlers } from "../room/handlers.js";
import { createLinkDevice } from "../room/link-device.js";
import { hintText } from "../room/hint-text.js";
import { createInvitation } from "../room/invitation.js";
import { createShareAndSettings } from "../room/share-and-settings.js";
import { createOpening } from "../room/opening.js";
import { createBoardPanel } from "../room/board-panel.js";
import { createMoveInput } from "../room/move-input.js";
import { createPlayers } from "../room/players.js";
import { createReview, reviewOf } from "../room/review.js";
import { createStatus } from "../room/status.js";

/** @typedef {import("../strings.js").Strings} Strings */
/** @typedef {import("../state.js").State} State */
/** @typedef {import("../state.js").Room} Room */

/**
 * @typedef {{store: import("../view.js").Page["store"], strings: Strings,
 *   send: (intent: import("../protocol.js").Intent) => void,
 *   navigate: (route: import("../state.js").Route) => void}} Context
 */

/** The interval of countdowns, in milliseconds. */
const TICK_MS = 250;

/** @param {Context} ctx */
export function createRoomScreen(ctx) {
  return new RoomScreen(ctx);
}

/**
 * @param {Context} ctx
 * @param {{state: () => State, ply: () => number | null, step: (ply: number) => void,
 *   closeReview: () => void, review: () => void, tell: (text: string) => void}} screen
 */
function createParts({ store, send, strings, navigate }, screen) {
  const { state, step: go, closeReview: close, review, tell } = screen;
  const room = () => state().room;
  const confirm = createConfirm();
  const handlers = createHandlers({ strings, room, send, navigate, confirm });
  const { inGame, claim, choose } = handlers;
  const stepping = () => screen.ply() !== null;
  const moveInput = createMoveInput({ strings, state, stepping, tell, inGame });
  const linkDevice = createLinkDevice({ strings, ask: () => send({ type: "pass" }) });
  const parts = {
    confirm,
    linkDevice,
    inGame,
    digit: moveInput.digit,
    title: h("h1", { class: "room-title", tabIndex: -1 }),
    players: createPlayers({ strings }),
    status: createStatus({ strings }),
    absence: createAbsence({ strings, claim }),
    opening: createOpening({ strings, choose }),
    actions: createActions({ strings, handlers: { ...handlers, review } }),
    stepper: createReview({ strings, go, close }),
    more: createShareAndSettings({
      strings,
      openLinkDevice: linkDevice.open,
      prefer: (prefs) => store.dispatch({ type: "prefs", prefs }),
    }),
    place: createBoardPanel({ strings, ...moveInput }),
  };
  const { title, players, status, absence, opening, actions, stepper, more, place } = parts;
  const side = h("div", { class: "room-side" }, status.message, absence.element, opening.element);
  // The step buttons are next to the board.
  side.append(stepper.element, actions.element, more.element);
  const table = h("div", { class: "room-table" }, players.element, status.element);
  table.append(place.element, side);
  const invitation = createInvitation(strings, { place: place.element, side, more: more.element });
  const element = h("section", { class: "room" }, title, table, confirm.element, linkDevice.element);
  return { ...parts, invitation, element };
}

class RoomScreen {
  /** @type {State} */ #state;
  /** @type {Room | null} */ #shown = null;
  /** The number of shown moves while the player steps through the game. @type {number | null} */
  #ply = null;
  /** The last text for the player, and the room's version at that time. */
  #note = { text: "", v: 0 };
  #timer = 0;
  #strings;
  #parts;
  #digit;
  element;

  /** @param {Context} ctx */
  constructor(ctx) {
    this.#state = ctx.store.getState();
    this.#strings = ctx.strings;
    this.#parts = createParts(ctx, {
      state: () => this.#state,
      ply: () => this.#ply,
      step: (ply) => this.#step(ply),
      closeReview: () => this.#closeReview(),
      review: () => this.#review(),
      tell: (text) => this.#tell(text),
    });
    this.element = this.#parts.element;
    this.#digit = (/** @type {KeyboardEvent} */ event) => this.#parts.digit(event, this.element);
    document.addEventListener("keydown", this.#digit);
  }

  /** @param {State} now */
  update(now) {
    this.#state = now;
    this.#render();
  }

  destroy() {
    clearInterval(this.#timer);
    this.#timer = 0;
    document.removeEventListener("keydown", this.#digit);
    this.#parts.place.destroy();
    this.#parts.more.destroy();
  }

  #review() {
    const { room } = this.#state;
    const { inGame, stepper, place } = this.#parts;
    if (!room?.game) return;
    if (!reviewOf(room)) inGame({ type: "review" });
    this.#step(room.game.moves.length);
    stepper.focus(place.element);
  }

  /** @param {number} to */
  #step(to) {
    this.#ply = to;
    this.#render();
  }

  #closeReview() {
    this.#ply = null;
    this.#render();
    (this.#parts.actions.next() ?? this.#parts.title).focus();
  }

  /** @param {string} text */
  #tell(text) {
    const sentence = text.charAt(0).toUpperCase() + text.slice(1);
    this.#note = { text: sentence, v: this.#state.room?.v ?? 0 };
    this.#render();
  }

  #tick() {
    const [{ room }, now] = [this.#state, performance.now()];
    const { players, absence, linkDevice } = this.#parts;
    const runs = room ? [players.tick(room, now), absence.tick(room, now), linkDevice.tick(now)] : [];
    const running = runs.includes(true);
    if (running && this.#timer === 0) this.#timer = setInterval(() => this.#tick(), TICK_MS);
    if (!running && this.#timer !== 0) {
      clearInterval(this.#timer);
      this.#timer = 0;
    }
  }

  /** Clears what belongs to another room or game. @param {Room} room */
  #reset(room) {
    const { confirm, linkDevice } = this.#parts;
    const another = this.#shown?.code !== room.code;
    const over = !isRunning(room);
    if (another || this.#shown?.game?.number !== room.game?.number || !over) this.#ply = null;
    if (another || this.#note.v !== room.v) this.#note = { text: "", v: room.v };
    if (another || over || room.closed) confirm.dismiss();
    if (room.you.length === 0) linkDevice.dismiss();
  }

  /** @param {Room} room */
  #showRoom(room) {
    const [strings, state, parts] = [this.#strings, this.#state, this.#parts];
    this.#reset(room);
    setText(parts.title, strings("room.title", { code: room.code }));
    document.title = titleOf(strings, room);
    parts.players.update(room);
    const sent = sentMove(state);
    parts.place.update(room, this.#ply, sent);
    const hint = room.hint ? hintText(strings, room.settings.board, room.hint) : "";
    parts.status.update(room, this.#note.text || hint, sent !== null);
    parts.invitation.update(room, state.server);
    parts.opening.update(room, sent !== null);
    parts.actions.update(room, this.#ply !== null);
    parts.stepper.update(room, this.#ply);
    parts.linkDevice.update(state);
    parts.more.update(state, room, this.#shown);
    this.#shown = room;
  }

  #render() {
    const { element } = this;
    const { title, actions, place } = this.#parts;
    const focused = document.activeElement;
    const held = focused instanceof HTMLElement && element.contains(focused);
    const { room } = this.#state;
    if (room) this.#showRoom(room);
    this.#tick();
    // If the focused element is hidden now, the focus moves to the most likely next one without
    // scrolling.
    if (held && focused.offsetParent === null && document.activeElement !== title) {
      const next = actions.next();
      if (next) next.focus({ preventScroll: true });
      else if (room?.game) place.focus();
      else title.focus({ preventScroll: true });
    }
  }
}
