// The actions of a player in a room beside placing marks. Each action is declared once; the room draws
// its button where its group stands, asks its question, and sends its intent.
// @ts-check

import { closeDialog, Dialog } from "../dialog.js";
import { html } from "../html.js";
import { MARKS, iOffer, isMyTurn, isOver, isRunning, myChoice, opponent, theyOffer } from "../rules.js";
import { strings } from "../strings.js";
import { markLetter, playerName } from "./room-text.js";

/** @typedef {import("../core/state.js").Room} Room */
/** @typedef {import("../protocol.js").Intent} Intent */

/**
 * A question before an action that cannot be undone, by the keys of its texts.
 * @typedef {{title: string, text: string, no: string}} Question
 */

/**
 * @typedef {object} Action
 * @property {"claim" | "opening"} [group] where its button stands, if not below the board
 * @property {string} key of its text
 * @property {string} kind the class of its button
 * @property {(room: Room, reviewing: boolean) => unknown} when whether it is possible
 * @property {(room: Room) => string} [label] its text, where the room changes it
 * @property {(room: Room) => Intent} [intent]
 * @property {"review" | "menu"} [shows] what it shows, for an action without an intent
 * @property {(room: Room) => Question | false} [question]
 * @property {boolean} [next] whether its button takes the focus of one that has disappeared
 */

/** @typedef {(action: Action) => void} Act */

const [FIRST, QUIET, BARE] = ["button-primary", "button-quiet", "button-bare"];

/**
 * An intent about the room's current game.
 * @param {{type: string, [field: string]: unknown}} intent
 * @returns {(room: Room) => Intent}
 */
const inGame = (intent) => (room) =>
  /** @type {any} */ ({ ...intent, room: room.code, game: room.game?.number });

const isSeated = (/** @type {Room} */ { you }) => you.length > 0;
const canPlay = (/** @type {Room} */ room) => isSeated(room) && isRunning(room) && !room.closed;
const freeSeat = (/** @type {Room} */ { seats }) => MARKS.find((mark) => seats[mark].kind === "open");
const mayOffer = (/** @type {Room} */ room) => isSeated(room) && isOver(room) && !room.closed;

/** The opponent's seat, if the viewer has exactly one. @param {Room} room */
function opponentsSeat(room) {
  const mark = opponent(room);
  return mark && room.seats[mark];
}

/** @param {Room} room */
function rematchLabel(room) {
  const seat = opponentsSeat(room);
  if (!seat || seat.kind === "computer") return strings("room.rematch");
  return strings(theyOffer(room) ? "room.rematch.accept" : "room.rematch.offer");
}

/** @param {"win" | "draw"} result @param {string} kind @returns {Action} */
const claim = (result, kind) => ({
  group: "claim",
  key: `room.claim.${result}`,
  kind,
  when: canPlay,
  intent: inGame({ type: "claim", result }),
});

/** @param {import("../protocol.js").OpeningChoice} choice @returns {Action} */
const choose = (choice) => ({
  group: "opening",
  key: `room.opening.${choice}`,
  kind: FIRST,
  when: (room) => choice !== "add" || myChoice(room)?.mayAdd,
  intent: inGame({ type: "choose", choice }),
});

/** In the order of their buttons. @type {readonly Action[]} */
const ACTIONS = [
  claim("win", FIRST),
  claim("draw", QUIET),
  choose("x"),
  choose("o"),
  choose("add"),
  {
    key: "room.rematch",
    kind: FIRST,
    when: (room) => mayOffer(room) && !iOffer(room) && opponentsSeat(room)?.kind !== "open",
    label: rematchLabel,
    intent: inGame({ type: "rematch", offer: true }),
    next: true,
  },
  {
    key: "room.rematch.withdraw",
    kind: QUIET,
    when: (room) => mayOffer(room) && iOffer(room),
    intent: inGame({ type: "rematch", offer: false }),
    next: true,
  },
  {
    key: "room.seat.take",
    kind: FIRST,
    when: (room) => !isSeated(room) && freeSeat(room) && !room.closed,
    label: (room) => strings("room.seat.take", { mark: markLetter(freeSeat(room) ?? "o") }),
    intent: ({ code }) => ({ type: "join", room: code, role: "player" }),
    next: true,
  },
  {
    key: "room.hint",
    kind: QUIET,
    when: (room) => canPlay(room) && room.settings.hints && isMyTurn(room) && !room.game?.opening,
    intent: inGame({ type: "hint" }),
  },
  {
    key: "review.ask",
    kind: QUIET,
    when: (room, reviewing) => isOver(room) && !reviewing && room.game?.moves.length,
    shows: "review",
  },
  {
    key: "room.resign",
    kind: QUIET,
    when: canPlay,
    intent: inGame({ type: "resign" }),
    question: (room) => ({
      title: "room.resign.title",
      text: opponent(room) ? "room.resign.text" : "room.resign.both",
      no: "room.resign.keep",
    }),
  },
  {
    key: "room.leave",
    kind: BARE,
    when: (room) => !room.closed,
    intent: ({ code }) => ({ type: "leave", room: code }),
    question: (room) =>
      canPlay(room) && { title: "room.leave.title", text: "room.leave.text", no: "room.leave.stay" },
  },
  { key: "room.closed.menu", kind: BARE, when: (room) => room.closed, shows: "menu" },
];

/**
 * The possible actions of a group, or those below the board.
 * @param {Room} room
 * @param {Action["group"]} [group]
 * @param {boolean} [reviewing] whether the player steps through the game
 */
export const actionsOf = (room, group, reviewing = false) =>
  ACTIONS.filter((action) => action.group === group && action.when(room, reviewing));

/**
 * The buttons of a group.
 * @param {{group?: Action["group"], room: Room, reviewing?: boolean, disabled?: boolean, act: Act}} props
 */
export const Buttons = ({ group, room, reviewing, disabled = false, act }) =>
  actionsOf(room, group, reviewing).map(
    (action) => html`<button
      key=${action.key}
      type="button"
      class=${action.kind}
      data-next=${action.next}
      data-review=${action.shows === "review" || null}
      disabled=${disabled}
      onclick=${() => act(action)}
    >
      ${action.label?.(room) ?? strings(action.key)}
    </button>`,
  );

/**
 * The buttons below the board. Above them, what a rematch waits for.
 * @param {{room: Room, reviewing: boolean, act: Act}} props
 */
export function Actions({ room, reviewing, act }) {
  const foe = opponent(room);
  const key = theyOffer(room) ? "room.rematch.offered" : iOffer(room) ? "room.rematch.waiting" : null;
  const offer = key && mayOffer(room) && strings(key, { name: foe ? playerName(room, foe) : "" });
  return html`<div class="actions" role="group" aria-label=${strings("room.actions")}>
    ${offer && html`<p class="offer">${offer}</p>`}
    <div class="buttons"><${Buttons} room=${room} reviewing=${reviewing} act=${act} /></div>
  </div>`;
}

/**
 * The choice of a side in a swap2 opening.
 * @param {{room: Room, disabled: boolean, act: Act}} props
 */
export function Opening({ room, disabled, act }) {
  if (!myChoice(room)) return null;
  return html`<div class="opening" role="group" aria-label=${strings("room.opening.choose.you")}>
    <${Buttons} group="opening" room=${room} disabled=${disabled} act=${act} />
  </div>`;
}

/**
 * The question of an action.
 * @param {{room: Room, action: Action, confirm: () => void, onclose: () => void}} props
 */
export function Confirm({ room, action, confirm, onclose }) {
  const asked = action.question?.(room);
  if (!asked) return null;
  const foe = opponent(room);
  const accept = (/** @type {Event} */ event) => {
    closeDialog(event);
    confirm();
  };
  return html`<${Dialog} aria-labelledby="confirm-title" aria-describedby="confirm-text" onclose=${onclose}>
    <h2 id="confirm-title">${strings(asked.title)}</h2>
    <p id="confirm-text">${strings(asked.text, { name: foe ? playerName(room, foe) : "" })}</p>
    <div class="buttons">
      <button type="button" class=${QUIET} autofocus onclick=${closeDialog}>${strings(asked.no)}</button>
      <button type="button" class="button-danger" onclick=${accept}>${strings(action.key)}</button>
    </div>
  <//>`;
}
