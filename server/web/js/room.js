// The screen of a room: it puts the parts in room/ together, holds what only this screen knows
// (the move that is stepped to, what the viewer was told) and turns what the viewer does into
// intents. What is true of the room comes from the store alone; the way in is other screens'.
// @ts-check

import { h, setText, toggle } from "./dom.js";
import * as rules from "./rules.js";
import { createAbsence } from "./room/absence.js";
import { createActions, leaveQuestion, resignQuestion } from "./room/actions.js";
import { createAlerts, titleOf } from "./room/alerts.js";
import { createCloseup } from "./room/closeup.js";
import { createConfirm } from "./room/confirm.js";
import { createHandover } from "./room/handover.js";
import { hintText } from "./room/hint.js";
import { roomLink } from "./room/link.js";
import { createOpening } from "./room/opening.js";
import { createPlayers } from "./room/players.js";
import { createReview, reviewOf } from "./room/review.js";
import { cellName, letter } from "./room/say.js";
import { createShare } from "./room/share.js";
import { createStatus } from "./room/status.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Room} Room */
/** @typedef {import("./protocol.js").Intent} Intent */

/** How often a countdown is looked at while one runs, in milliseconds. */
const TICK_MS = 250;

/**
 * @param {{store: import("./store.js").Store, send: (intent: Intent) => void,
 *   t: import("./room/say.js").T, navigate: (route: import("./state.js").Route) => void}} ctx
 */
export function create({ store, send, t, navigate }) {
  /** @type {State} */
  let state = store.getState();
  /** @type {Room | null} */
  let shown = null;
  /** How many moves are on the board while the game is stepped through. @type {number | null} */
  let ply = null;
  /** What the viewer was told, at which version of the room. */
  let note = { text: "", v: 0 };
  /** @type {ReturnType<typeof createCloseup> | null} */
  let board = null;
  let boardKey = "";
  let timer = 0;

  const title = h("h1", { class: "room-title", tabIndex: -1 });
  const players = createPlayers({ t });
  const status = createStatus({ t });
  const absence = createAbsence({ t, claim: (result) => inGame({ type: "claim", result }) });
  const opening = createOpening({ t, choose: (choice) => inGame({ type: "choose", choice }) });
  const doings = { hint, resign, rematch, review, sit, leave };
  const actions = createActions({ t, doings });
  const stepper = createReview({ t, go: step, close: closeReview });
  const invite = createShare({ t, title: t("share.title"), text: t("share.text") });
  const share = createShare({ t, title: t("share.watch") });
  const alerts = createAlerts({ t, prefer: (prefs) => store.dispatch({ type: "prefs", prefs }) });
  const confirm = createConfirm();
  const handover = createHandover({ t, ask: () => send({ type: "pass" }) });
  const pass = h(
    "button",
    { type: "button", class: "button-quiet", onclick: handover.open },
    t("pass.open"),
  );
  const more = h("details", { class: "room-more", ontoggle: () => showMore() });
  more.append(h("summary", null, t("room.more")), alerts.element, pass, share.element);
  const place = h("div", { class: "room-board" });
  const side = h("div", { class: "room-side" }, status.message, absence.element, opening.element);
  // What steps through the game stands next to the board.
  side.append(stepper.element, actions.element, more);
  const table = h("div", { class: "room-table" }, players.element, status.element, place, side);
  const element = h("section", { class: "room" }, title, table, confirm.element, handover.element);
  document.addEventListener("keydown", digit);

  /**
   * Sends what is about the room's game as it is now.
   * @param {{type: "claim", result: "win" | "draw"} | {type: "choose", choice: "x" | "o" | "add"}
   *   | {type: "resign"} | {type: "rematch", offer: boolean} | {type: "hint"} | {type: "review"}
   *   | {type: "play", ply: number, cell: number}} about
   */
  function inGame(about) {
    const room = state.room;
    if (room?.game) send({ ...about, room: room.code, game: room.game.number });
  }

  function hint() {
    inGame({ type: "hint" });
  }

  function resign() {
    if (state.room)
      confirm.ask({ ...resignQuestion(t, state.room), act: () => inGame({ type: "resign" }) });
  }

  /** @param {boolean} offer */
  function rematch(offer) {
    inGame({ type: "rematch", offer });
  }

  function sit() {
    if (state.room) send({ type: "join", room: state.room.code, role: "player" });
  }

  function leave() {
    const room = state.room;
    if (!room || room.closed) return navigate({ screen: "welcome" });
    const act = () => send({ type: "leave", room: room.code });
    const costly = room.you.length > 0 && rules.isRunning(room);
    return costly ? confirm.ask({ ...leaveQuestion(t), act }) : act();
  }

  function review() {
    const room = state.room;
    if (!room?.game) return;
    if (!reviewOf(room)) inGame({ type: "review" });
    step(room.game.moves.length);
    stepper.focus(place);
  }

  /** @param {number} to */
  function step(to) {
    ply = to;
    render();
  }

  function closeReview() {
    ply = null;
    render();
    (actions.next() ?? title).focus();
  }

  /** @param {number} cell @returns {boolean} whether it may be played; if not, that was said */
  function mayPlay(cell) {
    const room = state.room;
    if (!room || ply !== null) return false;
    const why = rules.whyNot(room, cell);
    if (!why) return true;
    const spec = room.settings.board;
    const mark = rules.marksAfter(spec, room.game)[cell];
    const words = {
      cell: cellName(t, spec, cell),
      mark: mark ? letter(mark) : "",
      number: cell + 1,
      last: rules.cellCount(spec),
    };
    tell(t(`room.why.${why}`, words));
    return false;
  }

  /** @param {number} cell */
  function play(cell) {
    const game = state.room?.game;
    if (!game) return;
    tell("");
    inGame({ type: "play", ply: game.moves.length, cell });
  }

  /** @param {string} text */
  function tell(text) {
    note = { text: text.charAt(0).toUpperCase() + text.slice(1), v: state.room?.v ?? 0 };
    render();
  }

  /**
   * A digit plays the cell of that number, unless something else has the focus.
   * @param {KeyboardEvent} event
   */
  function digit(event) {
    const room = state.room;
    const target = event.target instanceof Element ? event.target : document.body;
    const elsewhere = target !== document.body && !element.contains(target);
    const typing = target.closest("input, textarea, select, dialog") !== null;
    if (elsewhere || typing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (!room?.game || !/^[0-9]$/.test(event.key)) return;
    if (!rules.isNumbered(room.settings.board)) return;
    const cell = Number(event.key) - 1;
    if (mayPlay(cell)) play(cell);
  }

  /** @param {Room} room */
  function showBoard(room) {
    const spec = room.settings.board;
    const key = `${spec.width} ${spec.height} ${spec.line}`;
    if (key !== boardKey) {
      board?.destroy();
      board = createCloseup(spec, { t, play, mayPlay });
      place.replaceChildren(board.element);
      boardKey = key;
    }
    const game = room.game;
    if (!game || !board) return;
    const plies = ply ?? game.moves.length;
    const next = rules.nextMark(game);
    const mayPlace =
      ply === null &&
      !room.closed &&
      rules.isMyTurn(room) &&
      !rules.myChoice(room) &&
      !rules.isSending(room);
    const whole = plies === game.moves.length;
    const position = {
      marks: rules.marksAfter(spec, game, plies),
      last: plies > 0 ? game.moves[plies - 1] : null,
      sending: room.sent && { cell: room.sent.cell, mark: next },
      hinted: room.hint?.cells ?? [],
      lines: whole ? rules.winningLines(game) : [],
      verdict: ply ? (reviewOf(room)?.moves[ply - 1]?.verdict ?? null) : null,
      ghost: mayPlace ? next : null,
    };
    board.update(position, game.moves.length);
  }

  /**
   * In place of the board before the first game; beside it when the opponent has left.
   * @param {Room} room
   */
  function showInvitation(room) {
    const first = room.game === null;
    const open = rules.MARKS.some((mark) => room.seats[mark].kind === "open");
    const left = room.you.length > 0 && rules.isOver(room);
    const wanted = open && (first || left) && !room.closed;
    // Only what is elsewhere is moved: moving an element takes its focus away.
    const [home, spot] = [first ? place : side, first ? null : more];
    if (wanted && invite.element.parentNode !== home) home.insertBefore(invite.element, spot);
    if (wanted) invite.update(room.code, roomLink(room.code, state.server));
    toggle(invite.element, wanted);
    toggle(place, !first || wanted);
    if (board) toggle(board.element, !first);
  }

  function showMore() {
    const room = state.room;
    if (room && more.open) share.update(room.code, roomLink(room.code, state.server));
  }

  function tick() {
    const [room, now] = [state.room, performance.now()];
    const runs = room ? [players.tick(room, now), absence.tick(room, now), handover.tick(now)] : [];
    const running = runs.includes(true);
    if (running && timer === 0) timer = setInterval(tick, TICK_MS);
    if (!running && timer !== 0) {
      clearInterval(timer);
      timer = 0;
    }
  }

  /** What is shown of the room that the viewer is in. @param {Room} room */
  function showRoom(room) {
    const another = shown?.code !== room.code;
    if (another || shown?.game?.number !== room.game?.number || rules.isRunning(room)) ply = null;
    if (another || note.v !== room.v) note = { text: "", v: room.v };
    if (another) more.open = false;
    if (another || !rules.isRunning(room) || room.closed) confirm.dismiss();
    if (room.you.length === 0) handover.dismiss();
    setText(title, t("room.title", { code: room.code }));
    document.title = titleOf(t, room);
    players.update(room);
    showBoard(room);
    status.update(
      room,
      note.text || (room.hint ? hintText(t, room.settings.board, room.hint) : ""),
    );
    showInvitation(room);
    opening.update(room);
    actions.update(room, ply !== null);
    stepper.update(room, ply);
    handover.update(state);
    toggle(pass, room.you.length > 0 && !room.closed);
    toggle(
      share.element,
      (room.settings.spectators || room.seats.o.kind === "open") && !room.closed,
    );
    toggle(more, !room.closed);
    showMore();
    alerts.update(state, shown);
    shown = room;
  }

  function render() {
    const focused = document.activeElement;
    const held = focused instanceof HTMLElement && element.contains(focused);
    const room = state.room;
    if (room) showRoom(room);
    tick();
    // What had the focus may be out of sight now: it goes to what is most likely next, and the
    // board stays where it is under the eyes.
    if (held && focused.offsetParent === null && document.activeElement !== title) {
      const next = actions.next();
      if (next) next.focus({ preventScroll: true });
      else if (room?.game && board) board.focus();
      else title.focus({ preventScroll: true });
    }
  }

  return {
    element,
    /** @param {State} now */
    update(now) {
      state = now;
      render();
    },
    destroy() {
      if (timer !== 0) clearInterval(timer);
      timer = 0;
      document.removeEventListener("keydown", digit);
      board?.destroy();
      alerts.destroy();
    },
  };
}
