// The screen of a room. It puts the parts in `room/` together and holds what only this screen knows:
// the shown move of a finished game, the open dialog and the last text for the player.
// @ts-check

import { Component, createRef, html } from "../html.js";
import { Absence } from "../room/absence.js";
import { Actions, Confirm, Opening } from "../room/actions.js";
import { alertTurn, titleOf } from "../room/alerts.js";
import { focusBoard } from "../room/board.js";
import { hintText } from "../room/hint-text.js";
import { LinkDevice } from "../room/link-device.js";
import { Players } from "../room/players.js";
import { positionOf } from "../room/position.js";
import { Review, reviewOf } from "../room/review.js";
import { roomLink } from "../room/room-link.js";
import { cellName, markLetter } from "../room/room-text.js";
import { Share } from "../room/share.js";
import { ShareAndSettings } from "../room/share-and-settings.js";
import { Status } from "../room/status.js";
import { ZoomableBoard } from "../room/zoomable-board.js";
import { MARKS, cellCount, isNumbered, isOver, isRunning, isSending, marksAfter, whyNot } from "../rules.js";
import { strings } from "../strings.js";

/** @typedef {import("../core/state.js").State} State */
/** @typedef {State & {room: import("../core/state.js").Room}} InRoom */
/** @typedef {import("../room/actions.js").Action} Action */

/**
 * @typedef {object} Shown
 * @property {number} v the room's version
 * @property {number | undefined} game the number of its game
 * @property {number | null} ply the number of shown moves while the player steps through the game
 * @property {string} note the last text for the player about this version
 * @property {Action | null} asked the action that waits for an answer to its question
 * @property {boolean} linking whether the dialog that links another device is open
 */

/** @extends {Component<{state: InRoom}, Shown>} */
export class Room extends Component {
  /** @type {Shown} */
  state = { v: 0, game: 0, ply: null, note: "", asked: null, linking: false };
  #element = /** @type {{current: HTMLElement | null}} */ (createRef());

  /** Clears what belongs to another version, game or seat. */
  static getDerivedStateFromProps(/** @type {{state: InRoom}} */ { state }, /** @type {Shown} */ shown) {
    const { v, game, you, closed } = state.room;
    return {
      v,
      game: game?.number,
      ply: game?.result && game.number === shown.game ? shown.ply : null,
      note: v === shown.v ? shown.note : "",
      asked: isRunning(state.room) && !closed ? shown.asked : null,
      linking: shown.linking && you.length > 0,
    };
  }

  componentDidMount() {
    document.addEventListener("keydown", this.#digit);
    this.#tell(null);
  }

  componentWillUnmount() {
    document.removeEventListener("keydown", this.#digit);
  }

  /** The focused element of this screen. */
  getSnapshotBeforeUpdate() {
    const focused = document.activeElement;
    return focused instanceof HTMLElement && this.#element.current?.contains(focused) ? focused : null;
  }

  /** @param {{state: InRoom}} before @param {Shown} _ @param {HTMLElement | null} focused */
  componentDidUpdate(before, _, focused) {
    this.#tell(before.state.room);
    const lost = [focused, document.body].includes(/** @type {HTMLElement} */ (document.activeElement));
    if (focused?.offsetParent === null && lost) this.#focusNext();
  }

  /** Tells the player outside of the page. @param {InRoom["room"] | null} before */
  #tell(before) {
    const { room, prefs } = this.props.state;
    document.title = titleOf(room);
    alertTurn(prefs, before, room);
  }

  /** Focuses the most likely next element after the focused one has disappeared, without scrolling. */
  #focusNext() {
    const [screen, { game }] = [this.#element.current, this.props.state.room];
    const action = /** @type {HTMLElement | null | undefined} */ (screen?.querySelector("[data-next]"));
    const title = /** @type {HTMLElement | null | undefined} */ (screen?.querySelector("h1"));
    if (!action && game) focusBoard(screen);
    else (action ?? title)?.focus({ preventScroll: true });
  }

  #act = (/** @type {Action} */ action) => {
    if (action.question?.(this.props.state.room)) this.setState({ asked: action });
    else this.#perform(action);
  };

  /** @param {Action} action */
  #perform({ intent, shows }) {
    const { room } = this.props.state;
    if (intent) this.context.send(intent(room));
    else if (shows === "menu") this.context.navigate({ screen: "welcome" });
    else if (room.game) {
      const { code, game } = room;
      if (!reviewOf(room)) this.context.send({ type: "review", room: code, game: game.number });
      this.setState({ ply: game.moves.length, note: "" });
    }
  }

  #step = (/** @type {number} */ ply) => this.setState({ ply });

  /** Closes the review. The focus goes back to the button that has opened it. */
  #closeReview = () => {
    const opener = () => /** @type {HTMLElement | null | undefined} */ (
      this.#element.current?.querySelector("[data-review]"));
    this.setState({ ply: null }, () => opener()?.focus({ preventScroll: true }));
  };

  /** Whether a cell can be played. If not, it shows the reason. */
  #mayPlay = (/** @type {number} */ cell) => {
    const { state } = this.props;
    const { game, settings } = state.room;
    if (this.state.ply !== null) return false;
    const why = whyNot(state, cell);
    if (!why) return true;
    const name = cellName(settings.board, cell);
    const mark = markLetter(marksAfter(settings.board, game)[cell] ?? "x");
    const numbers = { number: cell + 1, last: cellCount(settings.board) };
    const text = strings(`room.why.${why}`, { cell: name, mark, ...numbers });
    this.setState({ note: text.charAt(0).toUpperCase() + text.slice(1) });
    return false;
  };

  #play = (/** @type {number} */ cell) => {
    const { code, game } = this.props.state.room;
    if (!game) return;
    this.setState({ note: "" });
    this.context.send({ type: "play", room: code, game: game.number, ply: game.moves.length, cell });
  };

  /** A digit key plays the cell with that number, unless the focus is outside this screen. */
  #digit = (/** @type {KeyboardEvent} */ event) => {
    const { game, settings } = this.props.state.room;
    const target = event.target instanceof Element ? event.target : document.body;
    const elsewhere = target !== document.body && !this.#element.current?.contains(target);
    const typing = target.closest("input, textarea, select, dialog") !== null;
    if (elsewhere || typing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (!game || !/^[0-9]$/.test(event.key) || !isNumbered(settings.board)) return;
    const cell = Number(event.key) - 1;
    if (this.#mayPlay(cell)) this.#play(cell);
  };

  /** @param {{state: InRoom}} props @param {Shown} shown */
  render({ state }, { ply, note, asked, linking }) {
    const { room } = state;
    const board = this.#board() ?? this.#invitation();
    const text = note || (room.hint ? hintText(room.settings.board, room.hint) : "");
    const act = this.#act;
    return html`<section class="room" ref=${this.#element}>
      <h1 class="room-title" tabindex="-1">${strings("room.title", { code: room.code })}</h1>
      <div class="room-table">
        <${Players} room=${room} />
        <${Status} state=${state} room=${room} note=${text} />
        ${board && html`<div class="room-board">${board}</div>`}
        <div class="room-side">
          ${text && html`<p class="status-message">${text}</p>`}
          <${Absence} room=${room} act=${act} />
          <${Opening} room=${room} disabled=${isSending(state)} act=${act} />
          ${ply !== null &&
          html`<${Review} room=${room} ply=${ply} go=${this.#step} close=${this.#closeReview} />`}
          <${Actions} room=${room} reviewing=${ply !== null} act=${act} />
          ${room.game && this.#invitation()}
          ${!room.closed &&
          html`<${ShareAndSettings}
            state=${state}
            room=${room}
            linkDevice=${() => this.setState({ linking: true })}
          />`}
        </div>
      </div>
      ${asked &&
      html`<${Confirm}
        room=${room}
        action=${asked}
        confirm=${() => this.#perform(asked)}
        onclose=${() => this.setState({ asked: null })}
      />`}
      ${linking &&
      html`<${LinkDevice} state=${state} room=${room} onclose=${() => this.setState({ linking: false })} />`}
    </section>`;
  }

  #board() {
    const { state } = this.props;
    const { game, settings } = state.room;
    return (
      game &&
      html`<${ZoomableBoard}
        key=${Object.values(settings.board).join()}
        board=${settings.board}
        position=${positionOf(state, state.room, game, this.state.ply)}
        ply=${game.moves.length}
        play=${this.#play}
        mayPlay=${this.#mayPlay}
      />`
    );
  }

  /** It stands for the board before the first game, and beside it after the opponent has left. */
  #invitation() {
    const { room, server } = this.props.state;
    const open = MARKS.some((mark) => room.seats[mark].kind === "open");
    const wanted = !room.game || (room.you.length > 0 && isOver(room));
    if (!open || !wanted || room.closed) return null;
    const [title, text] = [strings("share.title"), strings("share.text")];
    return html`<${Share} title=${title} text=${text} code=${room.code} link=${roomLink(room.code, server)} />`;
  }
}
