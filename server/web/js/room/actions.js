// The actions of a player in a room beside placing marks, and the fixed places of their buttons:
// one wide place, below it a row. The buttons change when a game begins or ends, and at no other
// time, so that nothing else comes under a finger. Meanwhile a button that is not possible stays in
// its place.
// @ts-check

import { strengthName } from "../computer-text.js";
import { Ask } from "../dialog.js";
import { Component, html } from "../html.js";
import { MARKS, givesHints, hasTwoPeople, iOffer, isMyTurn, isOver, isRunning, markAt, mayPace, myChoice, opponent, theyOffer } from "../client/rules.js";
import { hasStrengths, playedAs, strengthsOf } from "../strengths.js";
import { strings } from "../strings.js";
import { playerName } from "./room-text.js";
import { seriesName } from "./status-text.js";

/** @typedef {import("../core/state.js").Room} Room */
/** @typedef {import("../client/protocol.js").Intent} Intent */

/**
 * A question before an action that cannot be undone, by the keys of its texts.
 * @typedef {{title: string, text: string, no: string}} Question
 */

/**
 * @typedef {object} Action
 * @property {string} key of its text
 * @property {(room: Room) => string} [label] its text, where the room changes it
 * @property {(room: Room) => Intent} [intent]
 * @property {"review" | "menu" | "series" | "party" | "game"} [shows] what it shows, for an action without an intent
 * @property {(room: Room) => Question | false} [question]
 */

/** @typedef {{action: Action, on: boolean}} Button a button, and whether it is possible now */
/** @typedef {(action: Action) => void} Act */

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
const iOffers = (/** @type {Room} */ room) => mayOffer(room) && opponent(room) && iOffer(room);

/** The opponent's seat, if the viewer has exactly one. @param {Room} room */
function opponentsSeat(room) {
  const mark = opponent(room);
  return mark && room.seats[mark];
}

/** @param {"win" | "draw"} result @returns {Action} */
const claim = (result) => ({ key: `room.claim.${result}`, intent: inGame({ type: "claim", result }) });

/** @param {import("../client/protocol.js").OpeningChoice} choice @returns {Action} */
const choose = (choice) => ({ key: `room.opening.${choice}`, intent: inGame({ type: "choose", choice }) });

/** @type {Action} */
const AGAIN = {
  key: "room.rematch",
  label: (room) => againText(room),
  intent: inGame({ type: "rematch", offer: true }),
};

/** A new series that the opponent asks for is named: a review has no other place for it. @param {Room} room */
function againText(room) {
  if (!theyOffer(room) || !isOver(room)) return strings("room.rematch");
  const { series } = room.presence;
  return series ? strings("room.rematch.accept.series", { series: seriesName(series.first_to ?? null) }) : strings("room.rematch.accept");
}

/** @type {Action} */
const DECLINE = { key: "room.rematch.decline", intent: inGame({ type: "rematch", offer: false }) };

/** @type {Action} */
const WITHDRAW = { key: "room.rematch.withdraw", intent: inGame({ type: "rematch", offer: false }) };

/** @type {Action} */
const SERIES = { key: "room.series", shows: "series" };

/** @type {Action} */
const TAKE_SEAT = {
  key: "room.seat.take",
  intent: ({ code }) => ({ type: "join", room: code, role: "player" }),
};

/** @type {Action} */
const STEP = {
  key: "room.step",
  label: (room) => strings(isOver(room) ? "room.step.game" : "room.step"),
  intent: (room) => inGame({ type: "step", ply: room.game?.moves.length })(room),
};

/** @type {Action} */
const HINT = { key: "room.hint", intent: inGame({ type: "hint" }) };

/** The viewer's request to take back a move, or the opponent's. @param {Room} room @param {boolean} mine */
export const asksBack = ({ presence: { takeBack }, you }, mine) => takeBack !== null && you.includes(takeBack) === mine;

/** @type {Action} */
const TAKE_BACK = {
  key: "room.back.move",
  label: (room) => strings(asksBack(room, false) ? "room.back.allow" : asksBack(room, true) ? "room.back.cancel" : "room.back.move"),
  intent: (room) => inGame({ type: "take_back", ply: room.game?.moves.length, offer: !asksBack(room, true) })(room),
};

/** @type {Action} */
const KEEP_MOVE = {
  key: "room.back.no",
  intent: (room) => inGame({ type: "take_back", ply: room.game?.moves.length, offer: false })(room),
};

/** Whether moves are taken back in a room, as the server says. @param {Room} room */
const takesBack = ({ settings, maker }) => settings.opening === "free" && !settings.party && maker !== null;

/** Whether the viewer has one of the last two moves, or lets the opponent take back theirs. @param {Room} room */
function mayTakeBack(room) {
  const { game, you } = room;
  const at = (/** @type {number} */ ply) => ply >= 0 && game !== null && you.includes(markAt(game.first, ply));
  const ply = game?.moves.length ?? 0;
  return canPlay(room) && (asksBack(room, false) || at(ply - 1) || at(ply - 2));
}

/** The link and the picture of a game that is over and kept. @type {Action} */
const SHARE = { key: "room.shareGame.short", shows: "game" };

/** @type {Action} */
const REVIEW = { key: "review.ask", shows: "review" };

/** @type {Action} */
const MENU = { key: "room.closed.menu", shows: "menu" };

/** @type {Action} */
const PARTY = { key: "room.party", shows: "party" };

/**
 * The strength of the computer that the viewer plays, one step weaker or stronger.
 *
 * @param {Room} room @param {-1 | 1} step
 * @returns {import("../client/protocol.js").Strength | null} null where there is none
 */
export function nextStrength(room, step) {
  const seat = opponentsSeat(room);
  const isFixed = room.closed || room.settings.party || seat?.kind !== "computer" || !hasStrengths(seat.strategy);
  if (isFixed) return null;
  const offered = strengthsOf(room.settings, seat.strategy);
  return offered[offered.indexOf(playedAs(offered, seat.strength)) + step] ?? null;
}

/** @param {-1 | 1} step @returns {Action} */
const stepOf = (step) => ({
  key: step < 0 ? "room.easier" : "room.harder",
  intent: (room) => /** @type {any} */ ({ type: "strength", room: room.code, strength: nextStrength(room, step) }),
});

/** Two taps are two steps. @type {Action} */
const EASIER = stepOf(-1);

/** @type {Action} */
const HARDER = stepOf(1);

/** Whether a series goes on after the viewer has lost this game. @param {Room} room */
const goesOn = (room) => (room.series?.first_to ?? 0) > 1 + room.score[opponent(room) ?? "x"];

/** @type {Action} */
export const RESIGN = {
  key: "room.resign",
  intent: inGame({ type: "resign" }),
  question: (room) => ({
    title: "room.resign.title",
    text: opponent(room) ? (goesOn(room) ? "room.resign.series" : "room.resign.text") : "room.resign.both",
    no: "room.resign.keep",
  }),
};

/** @type {Action} */
export const LEAVE = {
  key: "room.leave",
  intent: ({ code }) => ({ type: "leave", room: code }),
  question: (room) =>
    canPlay(room) && { title: "room.leave.title", text: "room.leave.text", no: "room.leave.stay" },
};

/** The menu's actions for the game. A spectator has no seat to give up. @param {Room} room @returns {Action[]} */
export const menuActions = (room) =>
  room.closed || !isSeated(room) ? [] : canPlay(room) ? [RESIGN, LEAVE] : [LEAVE];

/** Whether an action of the row says yes to what the opponent asks. @param {Action} action @param {Room} room */
const isAnswer = (action, room) =>
  (action === TAKE_BACK && asksBack(room, false)) || (action === AGAIN && theyOffer(room));

/** @param {Action} action @param {unknown} [on] @returns {Button} */
const button = (action, on = true) => ({ action, on: Boolean(on) });

/** @param {Room} room */
const reviewButton = (room) => (isOver(room) && room.game?.moves.length ? [button(REVIEW)] : []);

/** The buttons while the viewer plays. @param {Room} room */
function playButtons(room) {
  const hint = button(HINT, isMyTurn(room) && !room.game?.opening);
  // The answers to the other's request stand together. The menu still resigns.
  const last = button(asksBack(room, false) ? KEEP_MOVE : RESIGN);
  return [...(givesHints(room) ? [hint] : []), ...(takesBack(room) ? [button(TAKE_BACK, mayTakeBack(room))] : []), last];
}

/**
 * The wide place: what comes next. It is empty while the viewer plays, for what is said or the computer's
 * strength, and for a spectator who can do nothing.
 * @param {Room} room
 * @param {number | null} [left] milliseconds until the win can be claimed, if the opponent is away
 * @returns {Button[]} at most two
 */
export function nextButtons(room, left = null) {
  if (room.closed) return [button(room.settings.party ? PARTY : MENU)];
  if (!isSeated(room)) {
    // A table of a party takes nobody else.
    if (room.settings.party) return [button(PARTY)];
    if (freeSeat(room)) return [button(TAKE_SEAT)];
    return mayPace({ room }) ? [button(STEP, room.pace === "paused"), ...reviewButton(room)] : [];
  }
  if (canPlay(room)) return left !== null && left <= 0 ? [button(claim("win")), button(claim("draw"))] : [];
  if (room.settings.party) return isOver(room) ? [button(PARTY)] : [];
  if (iOffers(room)) return [button(WITHDRAW)];
  return mayOffer(room) && opponentsSeat(room)?.kind !== "open" ? [button(AGAIN)] : [];
}

/**
 * The row below it.
 * @param {Room} room
 * @returns {Button[]}
 */
export function rowButtons(room) {
  if (canPlay(room)) return playButtons(room);
  const review = reviewButton(room);
  if (!isSeated(room) || room.closed) return mayPace({ room }) && !room.closed ? [] : review;
  const share = isOver(room) && room.game?.id ? [button(SHARE)] : [];
  const mayAsk = mayOffer(room) && !room.settings.party && opponentsSeat(room)?.kind !== "open";
  const last = theyOffer(room) ? button(DECLINE) : button(SERIES, !iOffers(room));
  return [...review, ...share, ...(mayAsk ? [last] : [])];
}

/**
 * The row of three during a review, whose steps have the wide place: what stood there is in the place of the series,
 * or, beside the answer to an offer, of the share.
 * @param {Room} room @param {Button[]} next
 */
const reviewRow = (room, next) =>
  [...rowButtons(room).filter(({ action }) => action !== (theyOffer(room) ? SHARE : SERIES)), ...next];

/** Whether two people talk while they play: the emotes stand in the wide place. @param {Room} room */
const hasEmotes = (room) => canPlay(room) && hasTwoPeople(room) && room.settings.chat !== "off";

/** The choice of a side in a swap2 opening. @param {Room} room @returns {Button[]} */
export function openingButtons(room) {
  const mine = myChoice(room);
  if (!mine || room.closed) return [];
  return [choose("x"), choose("o"), ...(mine.mayAdd ? [choose("add")] : [])].map((action) => button(action));
}

/**
 * A step of the computer's strength, at one side of the wide place. At the end of the strengths it keeps the focus.
 * @param {{action: Action, step: -1 | 1, room: Room, act: Act, isOffline: boolean}} props
 */
function StrengthButton({ action, step, room, act, isOffline }) {
  const strength = nextStrength(room, step);
  const seat = opponentsSeat(room);
  const on = strength && !isOffline;
  return html`<div class="actions-strength">
    ${seat?.kind === "computer" && html`<button
      type="button"
      class="button-quiet"
      title=${strength && strengthName({ ...seat, strength }, room.settings)}
      aria-disabled=${on ? null : "true"}
      onclick=${() => on && act(action)}
    >
      ${strings(action.key)}
    </button>`}
  </div>`;
}

/**
 * A button that is not possible keeps the focus: it only says so. `isOffline`: nothing can be sent.
 * @param {Button & {room: Room, kind: string, act: Act, isOffline: boolean, next?: boolean, pressed?: boolean}} props
 */
function ActionButton({ action, on: isPossible, room, kind, act, isOffline, next, pressed }) {
  const on = isPossible && !(isOffline && action.intent);
  // The second click of a double click belongs to what the first one did.
  const press = (/** @type {MouseEvent} */ event) => on && event.detail < 2 && act(action);
  return html`<button
    type="button"
    class=${kind}
    name=${action.key}
    aria-disabled=${on ? null : "true"}
    aria-pressed=${pressed ?? null}
    data-next=${next && on ? "" : null}
    onclick=${press}
  >
    ${action.label?.(room) ?? strings(action.key)}
  </button>`;
}

/** @typedef {{room: Room, left: number | null, steps: any, sending: boolean, isOffline: boolean, act: Act, emotes?: any, children?: any}} Props */

/**
 * The buttons in their places. The cards of an opening stand for all of them. `steps` stand in the wide place during
 * a review, `emotes` while two people play; `children` stand above the row.
 * @extends {Component<Props>}
 */
export class Actions extends Component {
  /** The buttons in the places when the finger came down. */
  #pressed = "";

  #now = () => {
    const { room, steps } = this.props;
    return `${room.game?.number} ${isOver(room)} ${Boolean(steps)} ${room.presence.takeBack} ${room.presence.rematch}`;
  };

  #down = () => {
    this.#pressed = this.#now();
  };

  /** A game that begins or ends under a finger, or a request that comes: the press was for what stood there before. */
  #click = (/** @type {MouseEvent} */ event) => {
    if (event.detail > 0 && this.#pressed !== this.#now()) event.stopPropagation();
  };

  /** @param {Props} props */
  render({ room, left, steps, sending, isOffline, act, emotes, children }) {
    const cards = openingButtons(room);
    if (cards.length > 0) return html`<${Opening} room=${room} cards=${cards} off=${sending || isOffline} act=${act} />`;
    const ahead = nextButtons(room, left);
    const next = steps ? [] : ahead;
    const varies = !steps && (nextStrength(room, -1) ?? nextStrength(room, 1));
    const seat = opponentsSeat(room);
    // Where nothing else stands in the wide place, the row does: it is reserved below.
    const row = steps ? reviewRow(room, ahead) : rowButtons(room);
    const isLone = canPlay(room) && !varies && next.length === 0 && !(emotes && hasEmotes(room));
    const rowed = (/** @type {Button} */ one) => html`<${ActionButton}
      key=${one.action.key} ...${one} room=${room} act=${act} isOffline=${isOffline}
      kind=${isAnswer(one.action, room) ? "button-primary" : "button-quiet"}
      pressed=${one.action === REVIEW ? Boolean(steps) : null}
    />`;
    return html`<div class="actions" role="group" aria-label=${strings("room.actions")} onpointerdown=${this.#down} onclickCapture=${this.#click}>
      <div class=${varies ? "actions-next varies" : "actions-next"}>
        ${varies && html`<${StrengthButton} action=${EASIER} step=${-1} room=${room} act=${act} isOffline=${isOffline} />`}
        ${next.map(
          (one, at) => html`<${ActionButton}
            key=${at} ...${one} room=${room} act=${act} isOffline=${isOffline} next=${at === 0}
            kind=${at === 0 && one.action !== WITHDRAW ? "button-primary" : "button-quiet"}
            pressed=${one.action === REVIEW ? false : null}
          />`,
        )}
        ${varies && next.length === 0 && seat?.kind === "computer" && html`<p class="actions-level">${strengthName(seat, room.settings)}</p>`}
        ${varies && html`<${StrengthButton} action=${HARDER} step=${1} room=${room} act=${act} isOffline=${isOffline} />`}
        ${isLone && row.map(rowed)}
        ${steps || (next.length === 0 && (hasEmotes(room) ? emotes : !isSeated(room) && html`<p class="actions-watching">${strings("room.watching")}</p>`))}
      </div>
      ${children}
      <div class="actions-row">
        ${isLone ? null : row.map(rowed)}
      </div>
    </div>`;
  }
}

/**
 * The choice of a side, each with half a sentence.
 * @param {{room: Room, cards: Button[], off: boolean, act: Act}} props
 */
const Opening = ({ room, cards, off, act }) => html`<div
  class="opening"
  role="group"
  aria-label=${strings("room.opening.choosing.you")}
>
  ${cards.map(
    ({ action }) => html`<button
      key=${action.key}
      type="button"
      class="button-quiet opening-card"
      aria-label=${strings(action.key)}
      aria-description=${strings(`${action.key}.note`)}
      aria-disabled=${off ? "true" : null}
      onclick=${() => !off && !room.closed && act(action)}
    >
      <span>${strings(action.key)}</span>
      <span class="opening-note">${strings(`${action.key}.note`)}</span>
    </button>`,
  )}
</div>`;

/**
 * The question of an action.
 * @param {{room: Room, action: Action, confirm: () => void, onclose: () => void}} props
 */
export function Confirm({ room, action, confirm, onclose }) {
  const asked = action.question?.(room);
  if (!asked) return null;
  const foe = opponent(room);
  return html`<${Ask}
    title=${strings(asked.title)}
    text=${strings(asked.text, { name: foe ? playerName(room, foe) : "" })}
    yes=${strings(action.key)}
    no=${strings(asked.no)}
    accept=${confirm}
    onclose=${onclose}
  />`;
}
