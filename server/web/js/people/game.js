// A kept game as a page, also for somebody who was not there: the board, the way through its moves by
// arrows, slider or by itself, the review, the link. The parts are those of a room.
// @ts-check

import { Timed, html } from "../html.js";
import { Link } from "../link.js";
import { Moves } from "../room/moves.js";
import { positionOf } from "../room/position.js";
import { linkTo } from "../room/room-link.js";
import { headline, howText } from "../room/status-text.js";
import { layoutOf, loadDrawings } from "../room/variant.js";
import { ZoomableBoard } from "../room/zoomable-board.js";
import { rules } from "../views/summary.js";
import { strings } from "../strings.js";
import { foeOf, isId, nameOf, roomOf } from "./kept.js";
import { KeptPlayers } from "./kept-players.js";
import { waitFor } from "./playback.js";
import { foundIn, isGone, questionOf, refusalText } from "./question.js";
import { ReviewText, Steps } from "./review.js";
import { ShareGame } from "./share-game.js";
import { StepText } from "./step-text.js";
import { longDate } from "./when.js";

/** @typedef {import("../view.js").Props} Props */
/** @typedef {import("../client/protocol.js").ArchivedGame} ArchivedGame */
/** @typedef {import("../core/state.js").Room} Room */

/**
 * @typedef {object} Shown
 * @property {number | null} ply the number of shown moves; null for all, with the result
 * @property {boolean} playing whether the game plays by itself
 * @property {boolean} reviewing
 * @property {boolean} sharing
 */

/** @extends {Timed<Props, Shown>} */
export class KeptGame extends Timed {
  /** @type {Shown} */
  state = { ply: null, playing: false, reviewing: false, sharing: false };

  /** Asks for the game once; it does not change. */
  componentDidMount() {
    const { state } = this.props;
    const { game } = this;
    const question = questionOf(state, { type: "game", game });
    if (isId(game) && (!question || question.refusal)) this.context.send({ type: "game", game });
    this.#load();
  }

  /** @param {Props} before */
  componentDidUpdate(before) {
    if (isGone(this.props.state, before.state, "game")) this.componentDidMount();
    this.#load();
  }

  /** Its variant is known with the game. */
  #load() {
    loadDrawings(this.#kept()?.settings.variant, () => this.setState({}));
  }

  /** The id of the game. */
  get game() {
    const { route } = this.props.state;
    return route.screen === "game" ? route.game : "";
  }

  #kept() {
    return foundIn(questionOf(this.props.state, { type: "game", game: this.game }), "game")?.game ?? null;
  }

  /** Shows the game after a number of its moves. */
  #go = (/** @type {number} */ ply) => {
    this.stopTimer();
    this.setState({ ply, playing: false });
  };

  /** Plays on from the shown move, or stops. After the last move it begins again. */
  #play = () => {
    this.stopTimer();
    const plies = this.#kept()?.moves.length ?? 0;
    const { ply, playing } = this.state;
    if (playing) return this.setState({ playing: false });
    const from = ply === null || ply >= plies ? 0 : ply;
    this.setState({ ply: from, playing: true }, this.#wait);
  };

  #wait = () => {
    const kept = this.#kept();
    const ply = this.state.ply ?? 0;
    if (!kept || !this.state.playing) return;
    if (ply >= kept.moves.length) return this.setState({ playing: false, ply: this.state.reviewing ? ply : null });
    this.timer = setTimeout(() => this.setState({ ply: ply + 1 }, this.#wait), waitFor(kept.times_ms, ply));
  };

  #review = () => {
    const reviewing = !this.state.reviewing;
    const asked = this.#reviewed();
    if (reviewing && (!asked || asked.refusal)) this.context.send({ type: "review_game", game: this.game });
    const { ply } = this.state;
    this.setState({ reviewing, ply: reviewing ? (ply ?? this.#kept()?.moves.length ?? null) : ply });
  };

  #reviewed() {
    return questionOf(this.props.state, { type: "review_game", game: this.game });
  }

  #share = () => this.setState({ sharing: true });

  #closeShare = () => this.setState({ sharing: false });

  render() {
    const question = questionOf(this.props.state, { type: "game", game: this.game });
    const kept = this.#kept();
    if (kept) return this.#page(kept);
    const missing = !isId(this.game) || question?.refusal?.code === "no_such_game";
    const text = missing ? strings("game.missing.text") : (refusalText(question) || strings("lobby.loading"));
    return html`<div class="screen">
      <header>
        <h1>${strings(missing ? "game.missing" : "game.title")}</h1>
        <p class="lead" role="status" data-waits=${!missing && !question?.refusal}>${text}</p>
      </header>
      <div class="buttons">
        ${(missing || question?.refusal) && html`<${Link} class="button-primary" to=${{ screen: "welcome" }}>${strings("game.home")}<//>`}
      </div>
    </div>`;
  }

  /** @param {ArchivedGame} kept */
  #page(kept) {
    const { state } = this.props;
    const { ply, reviewing, sharing } = this.state;
    const { summary } = kept;
    const question = reviewing ? this.#reviewed() : null;
    const room = roomOf(kept, state.me?.player ?? null, foundIn(question, "review"));
    const { x, o } = summary.players;
    const { width, height } = layoutOf(room.settings);
    return html`<section class="room kept" style=${{ "--w": width, "--h": height }}>
      <h1 class="visually-hidden">${strings("game.of", { x: nameOf(x), o: nameOf(o) })}</h1>
      <div class="room-table">
        <${KeptPlayers} game=${summary} />
        <div class="room-board"><${KeptBoard} state=${state} room=${room} ply=${sharing ? null : ply} /></div>
        <div class="room-panel">
          ${this.#status(room, kept, question)}
          <${Steps} room=${room} ply=${ply ?? kept.moves.length} go=${this.#go} close=${null} />
          ${this.#buttons(kept)}
          <div class="room-moves"><${Moves} room=${room} ply=${ply ?? kept.moves.length} go=${this.#go} /></div>
          <p class="room-facts">${factsOf(kept)}</p>
        </div>
      </div>
      ${sharing && html`<${ShareGame} link=${linkTo(state.route, state.server)} game=${this.game} about=${{ names: `${nameOf(x)} – ${nameOf(o)}`, result: headline({ ...room, you: [] }) }} onclose=${this.#closeShare} />`}
    </section>`;
  }

  /**
   * The result, or the shown move with what the review says about it.
   *
   * @param {Room} room @param {ArchivedGame} kept @param {import("./question.js").Question | null} question
   */
  #status(room, kept, question) {
    const { ply, reviewing } = this.state;
    if (ply !== null && reviewing && !question?.refusal) return html`<${ReviewText} room=${room} ply=${ply} />`;
    if (ply !== null) return html`<${StepText} kept=${kept} ply=${ply} note=${refusalText(question)} />`;
    const title = headline(room);
    return html`<div class="room-status" role="status">
      <p class="status-title" style=${{ "--letters": title.length }}>${title}</p>
      <p class="status-detail">${howText(room)}</p>
    </div>`;
  }

  /** Asks the opponent of this game for another one like it. @param {ArchivedGame} kept */
  #again({ summary, settings }) {
    const foe = foeOf(summary, this.props.state.me?.player);
    if (!foe) return null;
    const { board, variant, opening, move_time_ms } = settings;
    const again = { board, variant, opening, move_time_ms };
    return html`<button type="button" class="button-quiet wide" onclick=${() =>
      this.context.dispatch({ type: "challenge", player: foe.player, name: foe.name, settings: again })}>${strings("challenge.again", { name: foe.name })}</button>`;
  }

  /** @param {ArchivedGame} kept */
  #buttons(kept) {
    const { moves } = kept;
    const { playing, reviewing } = this.state;
    return html`<div class="actions">
      <div class="actions-next">
        <button type="button" class="button-primary" onclick=${this.#play} disabled=${moves.length === 0}>
          ${strings(playing ? "game.pause" : "game.play")}
        </button>
      </div>
      <div class="actions-row">
        <button type="button" class="button-quiet" aria-pressed=${String(reviewing)} onclick=${this.#review}>
          ${strings("review.ask")}
        </button>
        <button type="button" class="button-quiet" onclick=${this.#share}>${strings("game.share")}</button>
      </div>
      ${this.#again(kept)}
    </div>`;
  }
}

/** Its strokes are those of the link's picture. @param {{state: Props["state"], room: Room, ply: number | null}} props */
const KeptBoard = ({ state, room, ply }) => room.game && html`<${ZoomableBoard}
  board=${room.settings.board}
  position=${{ ...positionOf({ ...state, room, unanswered: [] }, room, room.game, ply ?? room.game.moves.length), seed: room.code }}
  ply=${ply ?? -1}
  play=${() => {}}
  mayPlay=${() => false}
/>`;

/** @param {ArchivedGame} kept */
function factsOf({ summary, settings }) {
  const facts = [rules(settings)];
  if (summary.rated) facts.push(strings("games.rated"));
  return [...facts, longDate(summary.ended_at)].join(" · ");
}
