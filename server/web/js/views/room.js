// The screen of a room. It puts the parts in `room/` together and holds what only this screen knows:
// the shown move of a finished game, the open dialog and the last text for the player.
// @ts-check

import { Component, createRef, html } from "../html.js";
import { Actions, Confirm, asksBack, menuActions } from "../room/actions.js";
import { SoundButton, alertChange, titleOf } from "../room/alerts.js";
import { later, loadPart } from "../later.js";
import { Link } from "../link.js";
import { CELEBRATION, CHAT, EXHIBITION, PARTY, PEOPLE, SHARE, VARIANTS } from "../parts.js";
import { focusBoard } from "../room/board.js";
import { WIDE, chatPlace } from "../room/chat-place.js";
import { Countdown } from "../room/countdown.js";
import { hintText } from "../room/hint-text.js";
import { Menu } from "../room/menu.js";
import { Moves } from "../room/moves.js";
import { Players, roomFacts } from "../room/players.js";
import { positionOf } from "../room/position.js";
import { tallyQuestion } from "../room/rewards.js";
import { RoomBar } from "../room/room-bar.js";
import { linkTo, roomLink } from "../room/room-link.js";
import { formatTime, isolated, playerName } from "../room/room-text.js";
import { absentSince, headline } from "../room/status-text.js";
import { Status } from "../room/status.js";
import { layoutOf, loadDrawings } from "../room/variant.js";
import { whyText } from "../room/why-text.js";
import { ZoomableBoard } from "../room/zoomable-board.js";
import { MARKS, columnName, hasTwoPeople, iOffer, inkFor, inksOf, isNumbered, isOver, isRunning, isSending, landing,
  mayPace, nextMark, opponent, other, reviewOf, turn, whyNot } from "../client/rules.js";
import { strings } from "../strings.js";

/** @typedef {import("../core/state.js").State} State */
/** @typedef {State & {room: import("../core/state.js").Room}} InRoom */
/** @typedef {import("../room/actions.js").Action} Action */
/** @typedef {{state: InRoom, page: import("../view.js").Page}} Props */

/** The board has the connection for itself for so long before the chat loads, in milliseconds. */
const CHAT_DELAY_MS = 500;

const Burst = later(CELEBRATION, "Burst");
const Paces = later(EXHIBITION, "Paces", () => html`<div class="actions-row"></div>`);
const Worth = later(EXHIBITION, "Worth", () => html`<div class="worth"></div>`);
const Share = later(SHARE, "Share");
const ShareDialog = later(SHARE, "ShareDialog");
const LookDialog = later(PEOPLE, "LookDialog");
const ShareGame = later(PEOPLE, "ShareGame");
const LinkDevice = later(PEOPLE, "LinkDevice");
const NewSeries = later(PEOPLE, "NewSeries");
const ReviewText = later(PEOPLE, "ReviewText");
const RoomLine = later(PARTY, "RoomLine");
const Steps = later(PEOPLE, "Steps");
const Inks = later(VARIANTS, "Inks");
const VariantNotes = later(VARIANTS, "VariantNotes");

/** Whether the worth of each position is told to those who watch. @param {import("../core/state.js").Room} room */
const showsWorth = ({ settings, you, game }) => settings.evaluation && you.length === 0 && game !== null;

/**
 * @typedef {object} Shown
 * @property {number} v the room's version
 * @property {number | undefined} game the number of its game
 * @property {number | null} ply the number of shown moves while the player steps through the game
 * @property {string} asks who asks the other for what
 * @property {string} note the last text for the player about this version and these requests
 * @property {Action | null} asked the action that waits for an answer to its question
 * @property {"menu" | "share" | "series" | "device" | "chat" | "game" | "notes" | "look" | null} open the open dialog
 * @property {import("../client/protocol.js").Mark | null} ink the mark that the player has chosen, where there is a choice
 */

/** The text that says no to what the viewer asks of the other player. @param {import("../core/state.js").Room} room */
const refusalTo = (room) => (asksBack(room, true) ? "room.back.refused" : iOffer(room) ? "room.rematch.refused" : "");

/** @extends {Component<Props, Shown>} */
export class Room extends Component {
  /** @type {Shown} */
  state = { v: 0, game: 0, asks: "", ply: null, note: "", asked: null, open: null, ink: null };
  #element = /** @type {{current: HTMLElement | null}} */ (createRef());
  #wide = matchMedia(WIDE);
  #draw = () => this.setState({});
  /** @type {number | undefined} */
  #timer;
  /** Whether the viewer's request waits for an answer. */
  #asks = false;

  /** Clears what belongs to another version, game or seat. */
  static getDerivedStateFromProps(/** @type {{state: InRoom}} */ { state }, /** @type {Shown} */ shown) {
    const { v, game, you, closed, presence } = state.room;
    const asks = [presence.rematch, presence.takeBack].join();
    const gone = (shown.open === "device" && you.length === 0) || (shown.open === "series" && !isOver(state.room));
    return {
      v,
      game: game?.number,
      asks,
      ply: game?.result && game.number === shown.game ? shown.ply : null,
      note: v === shown.v && asks === shown.asks ? shown.note : "",
      asked: isRunning(state.room) && !closed ? shown.asked : null,
      open: gone ? null : shown.open,
    };
  }

  componentDidMount() {
    document.addEventListener("keydown", this.#key);
    this.#wide.addEventListener("change", this.#draw);
    this.#loadChat();
    loadDrawings(this.props.state.room.settings.variant, this.#draw);
    this.#tell(null);
  }

  componentWillUnmount() {
    document.removeEventListener("keydown", this.#key);
    this.#wide.removeEventListener("change", this.#draw);
    clearTimeout(this.#timer);
  }

  /** The focused element of this screen. */
  getSnapshotBeforeUpdate() {
    const focused = document.activeElement;
    return focused instanceof HTMLElement && this.#element.current?.contains(focused) ? focused : null;
  }

  /** @param {Props} before @param {Shown} _ @param {HTMLElement | null} focused */
  componentDidUpdate(before, _, focused) {
    const { room } = this.props.state;
    this.#loadChat();
    this.#tell(before.state);
    this.#hearNo(before.state.room);
    const lost = [focused, document.body].includes(/** @type {HTMLElement} */ (document.activeElement));
    const again = focused?.closest(".actions-next") && before.state.room.game?.number !== room.game?.number;
    if (again) focusBoard(this.#element.current);
    else if (focused?.offsetParent === null && lost) this.#focusNext(/** @type {Partial<HTMLButtonElement>} */ (focused).name);
  }

  /** Tells the player outside of the page, and asks for the tally after a game. @param {InRoom | null} before */
  #tell(before) {
    const { room } = this.props.state;
    const tally = isOver(room) && !(before && isOver(before.room)) && tallyQuestion(this.props.state);
    if (tally) this.context.send(tally);
    document.title = titleOf(room);
    alertChange(before, this.props.state);
  }

  /**
   * Says that the other player has said no. A move or a new game ends the request too, as do another offer, the
   * viewer, or their lost connection.
   * @param {import("../core/state.js").Room} before
   */
  #hearNo(before) {
    const { connection, room } = this.props.state;
    const asked = refusalTo(before);
    const asks = refusalTo(room);
    const foe = opponent(room);
    if (asks && !asked) {
      this.#asks = true;
      // The answer to the request before is not that to this one.
      this.setState({ note: "" });
    }
    if (this.#asks && !asks && foe && room.v === before.v && !room.presence.rematch) {
      this.setState({ note: strings(asked, { name: isolated(playerName(room, foe)) }) });
    }
    if (!asks || connection.phase !== "open") this.#asks = false;
  }

  /**
   * Focuses the button of a name, or else the most likely next element after the focused one has disappeared, without
   * scrolling. An action whose button has moved keeps the focus: the key that is pressed for it must not do another one.
   * @param {string} [name]
   */
  #focusNext(name) {
    const screen = this.#element.current;
    const find = (/** @type {string} */ selector) => /** @type {HTMLElement | null | undefined} */ (screen?.querySelector(selector));
    const action = find(`[name="${name}"]`) ?? find("[data-next]");
    if (!action && this.props.state.room.game) focusBoard(screen);
    else (action ?? find("h1"))?.focus({ preventScroll: true });
  }

  #act = (/** @type {Action} */ action) => {
    if (action.question?.(this.props.state.room)) this.setState({ asked: action });
    else this.#perform(action);
  };

  /** @param {Action} action */
  #perform({ intent, shows }) {
    const { room } = this.props.state;
    if (intent) {
      const message = intent(room);
      if ("offer" in message) this.#asks = false;
      this.context.send(message);
    } else if (shows === "menu" || shows === "party") this.#back();
    else if (shows === "series" || shows === "game") this.setState({ open: shows });
    else if (this.state.ply !== null) this.#closeReview();
    else if (room.game) this.#review(room.game.moves.length);
  }

  /** The seat is kept: the menu leads back, or the party. */
  #back = () => {
    const { party } = this.props.state.room.settings;
    this.context.navigate(party ? { screen: "party", code: party.party } : { screen: "welcome" });
  };

  /** Shows the game after a number of its moves, once the part of the page for it is there. */
  #review = (/** @type {number} */ ply) => {
    const { room } = this.props.state;
    if (!room.game?.result) return;
    if (!reviewOf(room)) this.context.send({ type: "review", room: room.code, game: room.game.number });
    const show = () => this.setState({ ply, note: "" });
    loadPart(PEOPLE).then(show, show);
  };

  #step = (/** @type {number} */ ply) => this.setState({ ply });

  /** Closes the review. The focus goes back to the button that has opened it. */
  #closeReview = () => this.setState({ ply: null }, () => this.#focusNext("review.ask"));

  /** Whether a cell can be played. If not, it shows the reason, unless the headline says it. */
  #mayPlay = (/** @type {number} */ cell) => {
    const { state } = this.props;
    if (this.state.ply !== null) return false;
    const why = whyNot(state, cell);
    if (why && why !== "game_over") this.setState({ note: whyText(state.room, why, cell) });
    return !why;
  };

  #play = (/** @type {number} */ cell) => {
    const { code, game } = this.props.state.room;
    if (!game) return;
    this.setState({ note: "" });
    const placed = inksOf(game).length > 1 ? { placed: inkFor(game, this.state.ink) } : {};
    this.context.send({ type: "play", room: code, game: game.number, ply: game.moves.length, cell, ...placed });
  };

  /** The cell that a tap plays. */
  #target = (/** @type {number} */ cell) => landing(this.props.state.room, cell);

  #dip = (/** @type {import("../client/protocol.js").Mark} */ ink) => this.setState({ ink });

  /**
   * An arrow key leads to the board, where no list and no step of a review uses it. A digit key plays the cell with that
   * number, a column's letter plays it where marks fall, X and O choose the mark where there is a choice, and Enter leads
   * from the title or the board of a finished game to what comes next, unless the focus is outside this screen.
   */
  #key = (/** @type {KeyboardEvent} */ event) => {
    const { game, settings } = this.props.state.room;
    const target = event.target instanceof Element ? event.target : document.body;
    const elsewhere = target !== document.body && !this.#element.current?.contains(target);
    const typing = target.closest("input, textarea, select, dialog") !== null;
    if (elsewhere || typing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" && isOver(this.props.state.room) && (target === document.body || target.closest(".grid, h1"))) {
      event.preventDefault();
      this.#focusNext();
    }
    if (!game) return;
    const isUsed = event.defaultPrevented || this.state.ply !== null || target.closest("ol, [role=log]");
    if (event.key.startsWith("Arrow") && !isUsed) {
      event.preventDefault();
      return focusBoard(this.#element.current);
    }
    const ink = MARKS.find((mark) => mark === event.key.toLowerCase());
    if (ink && inksOf(game).includes(ink)) return this.#dip(ink);
    const cell = cellOfKey(settings, event.key);
    if (cell === null) return;
    const landed = this.#target(cell);
    if (this.#mayPlay(landed)) this.#play(landed);
  };

  /** @param {Props} props */
  render({ state, page }) {
    const { room } = state;
    const { width, height } = layoutOf(room.settings);
    const since = absentSince(room);
    const panel = (/** @type {number} */ left) => this.#panel(since === null ? null : left);
    const chat = this.#chat("button");
    return html`<section class="room" style=${{ "--w": width, "--h": height }} ref=${this.#element}>
      <${RoomBar}
        room=${room}
        phase=${state.connection.phase}
        back=${this.#back}
        openMenu=${() => this.setState({ open: "menu" })}
      >
        ${chat && html`<${chat.ChatButton} state=${state} isOpen=${this.state.open === "chat"} open=${() => this.setState({ open: "chat" })} />`}
        <${SoundButton} prefs=${state.prefs} />
      <//>
      ${room.settings.party && html`<${RoomLine} state=${state} page=${page} />`}
      <div class="room-table">
        <${Players} room=${room} linked=${state.features.history} />
        <div class="room-board">${this.#board() ?? this.#invitation()}${this.#inks()}<${Burst} room=${room} />${chatPlace(state, this.#wide.matches) && CHAT.module && html`<${CHAT.module.Flight} state=${state} />`}</div>
        <${Countdown} to=${since ?? 0}>${panel}<//>
      </div>
      ${this.#dialog()}
    </section>`;
  }

  /** Loads the chat once somebody may talk. Without it the game goes on, and the next connection asks again. */
  #loadChat() {
    const { state } = this.props;
    if (CHAT.module) return;
    if (state.connection.phase !== "open") {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    } else if (chatPlace(state, this.#wide.matches)) {
      this.#timer ??= setTimeout(() => loadPart(CHAT).then(this.#draw, () => {}), CHAT_DELAY_MS);
    }
  }

  /** The chat, if it has this place and is loaded. @param {"panel" | "button"} place */
  #chat(place) {
    return chatPlace(this.props.state, this.#wide.matches) === place ? CHAT.module : null;
  }

  /** The panel beside the board, below it on a phone. @param {number | null} left */
  #panel(left) {
    const { state } = this.props;
    const { ply, note } = this.state;
    const { room } = state;
    const { game, hint, settings } = room;
    // Where there is a choice, the mark is said, also the own one.
    const placed = game && inksOf(game).length > 1 ? nextMark(game) : null;
    const foe = opponent(room);
    const told = foe && hasTwoPeople(room) ? ` ${strings("room.hint.told", { name: isolated(playerName(room, foe)) })}` : "";
    const text = note || (hint ? hintText(settings, { placed, ...hint }) + told : "");
    const reviewing = ply !== null;
    const chat = this.#chat("button");
    const panel = chatPlace(state, this.#wide.matches) === "panel";
    const moves = (room.game && this.#invitation()) || html`<${Moves} room=${room} ply=${ply} go=${isOver(room) ? this.#review : null} />`;
    const steps = ply !== null && html`<${Steps} room=${room} ply=${ply} go=${this.#step} close=${this.#closeReview} />`;
    return html`<div class="room-panel">
      <${Status} state=${state} room=${room} note=${text} left=${left} silent=${reviewing} />
      ${chat && html`<${chat.Bubble} state=${state} silent=${this.state.open === "chat" || room.presence.takeBack !== null} />`}
      ${showsWorth(room) && html`<${Worth} room=${room} />`}
      ${reviewing && html`<${ReviewText} room=${room} ply=${ply} />`}
      ${(room.game || room.you.length === 0) &&
      html`<${Actions} room=${room} left=${left} steps=${steps} sending=${isSending(state)} isOffline=${state.connection.phase === "lost"} act=${this.#act}
        emotes=${state.features.chat && !panel && html`<div class="actions-emotes">${CHAT.module && html`<${CHAT.module.EmoteBar} state=${state} />`}</div>`}>
        ${mayPace(state) && html`<${Paces} room=${room} send=${this.context.send} />`}
      <//>`}
      <div class="room-moves">${moves}</div>
      ${panel &&
      html`<div class="room-chat">${CHAT.module && html`<${CHAT.module.ChatPanel} state=${state} />`}</div>`}
      <p class="room-facts">${this.#facts()}</p>
    </div>`;
  }

  /** Once the game is kept, its number leads to it. */
  #facts() {
    const { room } = this.props.state;
    const [game, ...facts] = roomFacts(room);
    const kept = keptGame(room);
    const first = kept ? html`<${Link} to=${kept} title=${strings("room.look")}>${game}<//>` : game;
    return [first, ...facts.map((fact) => ` · ${fact}`)];
  }

  #board() {
    const { state } = this.props;
    const { game, settings } = state.room;
    return (
      game &&
      html`<${ZoomableBoard}
        key=${Object.values(settings.board).join()}
        board=${settings.board}
        position=${positionOf(state, state.room, game, this.state.open === "game" ? null : this.state.ply, this.state.ink)}
        ply=${game.moves.length}
        target=${this.#target}
        play=${this.#play}
        mayPlay=${this.#mayPlay}
      />`
    );
  }

  /** Where the viewer chooses the mark of each move. It stays while the others move. */
  #inks() {
    const { room } = this.props.state;
    const { game, you, closed } = room;
    if (!game || game.result || closed || you.length === 0 || inksOf(game).length < 2) return null;
    const wanted = this.state.ink ?? (you.length === 1 ? you[0] : null);
    return html`<${Inks} ink=${inkFor(game, wanted)} choose=${this.#dip} />`;
  }

  /** It stands for the board before the first game, and for the moves after the opponent has left. */
  #invitation() {
    const { room, server, asked } = this.props.state;
    const open = MARKS.some((mark) => room.seats[mark].kind === "open");
    const wanted = !room.game || (room.you.length > 0 && isOver(room));
    if (!open || !wanted || room.closed) return null;
    const title = strings("share.title");
    const text = strings("share.text");
    const heading = asked && html`<${Countdown} to=${asked.until}>${(/** @type {number} */ left) =>
      left > 0 ? strings("share.asked", { name: isolated(asked.name), time: formatTime(left) }) : title}<//>`;
    return html`<${Share} title=${title} heading=${heading ?? title} text=${text} code=${room.code} link=${roomLink(room.code, server)} />`;
  }

  /** The open dialog. */
  #dialog() {
    const { state, page } = this.props;
    const { asked, open } = this.state;
    const { room } = state;
    if (asked) {
      const confirm = () => this.#perform(asked);
      const onclose = () => this.setState({ asked: null });
      return html`<${Confirm} room=${room} action=${asked} confirm=${confirm} onclose=${onclose} />`;
    }
    // A dialog that has already given way to another one tells late that it is closed.
    const close = () => this.setState((now) => (now.open === open ? { open: null } : null));
    switch (open) {
      case "menu":
        return html`<${Menu} items=${this.#menuItems()} changeLanguage=${page.changeLanguage} onclose=${close} />`;
      case "look":
        return html`<${LookDialog} page=${page} prefs=${state.prefs} onclose=${close} />`;
      case "share":
        return html`<${ShareDialog} code=${room.code} link=${roomLink(room.code, state.server)} onclose=${close} />`;
      case "device":
        return html`<${LinkDevice} state=${state} room=${room} onclose=${close} />`;
      case "chat": {
        const chat = this.#chat("button");
        return chat && html`<${chat.ChatSheet} state=${state} onclose=${close} />`;
      }
      case "game": {
        const kept = keptGame(room);
        const names = MARKS.map((mark) => playerName(room, mark));
        const about = { names: names.join(" – "), result: [headline({ ...room, you: [] }), scoreOf(room)].join("  ") };
        return kept && html`<${ShareGame} link=${linkTo(kept, state.server)} game=${kept.game} about=${about} onclose=${close} />`;
      }
      case "series":
        return html`<${NewSeries} room=${room} ask=${this.#askSeries} onclose=${close} />`;
      default:
        return room.game && room.settings.variant && html`<${VariantNotes} prefs=${state.prefs} settings=${room.settings} again=${open === "notes"} onclose=${close} />`;
    }
  }

  /** @returns {import("../room/menu.js").Item[]} */
  #menuItems() {
    const { room } = this.props.state;
    const foe = opponent(room);
    const open = (/** @type {Shown["open"]} */ dialog) => () => this.setState({ open: dialog });
    const others = room.settings.spectators || MARKS.some((mark) => room.seats[mark].kind === "open");
    const items = [];
    if (others && !room.closed) items.push({ name: "room.share", act: open("share") });
    if (room.you.length > 0 && !room.closed) items.push({ name: "pass.open", act: open("device") });
    const kept = keptGame(room);
    if (kept) items.push({ name: "room.look", act: () => this.context.navigate(kept) }, { name: "room.shareGame", act: open("game") });
    if (room.game && VARIANTS.module?.hasNotes(room.settings)) items.push({ name: "notes.title", act: open("notes") });
    items.push({ name: "foot.look", act: open("look") });
    const winner = foe ?? other(turn(room) ?? "x");
    const params = { name: playerName(room, winner) };
    const game = menuActions(room).map((action) => ({
      name: action.key,
      act: () => this.#act(action),
      danger: true,
      params,
    }));
    return [...items, ...game];
  }

  #askSeries = (/** @type {number | null} */ first_to) => {
    const { room } = this.props.state;
    const series = { first_to };
    const rematch = { type: "rematch", room: room.code, game: room.game?.number, offer: true, series };
    this.context.send(/** @type {any} */ (rematch));
  };
}

/**
 * The cell that a key plays: its number, or a column's letter or number where marks fall.
 * @param {import("../client/protocol.js").RoomSettings} settings @param {string} key
 */
function cellOfKey({ board, variant }, key) {
  const number = /^[0-9]$/.test(key) ? Number(key) - 1 : null;
  if (variant !== "gravity") return isNumbered(board) ? number : null;
  const columns = Array.from({ length: board.width }, (_, at) => columnName(at + 1));
  const column = number ?? columns.indexOf(key.toLowerCase());
  return column >= 0 && column < board.width ? column : null;
}

/** The score of the two sides, in their order. @param {import("../core/state.js").Room} room */
const scoreOf = ({ score }) => MARKS.map((mark) => score[mark]).join(" : ");

/** The way to the last game, once it is kept. @param {import("../core/state.js").Room} room */
const keptGame = ({ game }) => (game?.id ? { screen: /** @type {const} */ ("game"), game: game.id } : null);
