// Emotes while people play: a row of them that one tap says, and their flight over the board.
// @ts-check

import { Component, Timed, html } from "../html.js";
import { MARKS } from "../client/rules.js";
import { info } from "../core/happenings.js";
import { EmoteDrawing, Emotes } from "./emotes.js";
import { lastNumber, shownLines, waitToSay } from "./lines.js";
import { memoryOf, noteSaid } from "./memory.js";

/** @typedef {import("./lines.js").InRoom} InRoom */
/** @typedef {import("./lines.js").ShownLine} ShownLine */

/** Those that fit a phone's width, and a game that runs. @type {readonly import("../client/protocol.js").Emote[]} */
const WHILE_PLAYING = ["hello", "well_played", "thanks", "wow", "oops", "thinking"];

/** How long a flight takes, in milliseconds; the same in `css/chat.css`. */
const FLIGHT_MS = 2_200;

/** More emotes at once are a crowd: the oldest gives way. */
const MAX_FLIGHTS = 6;

const TOO_MUCH = info("refused.rate_limited.say");

/**
 * The row. A player who says too much waits a moment.
 * @extends {Timed<{state: InRoom}, {off: boolean}>}
 */
export class EmoteBar extends Timed {
  state = { off: false };

  #say = (/** @type {import("../client/protocol.js").Emote} */ emote) => {
    const { room: { code }, connection } = this.props.state;
    if (connection.phase === "lost") return;
    const now = performance.now();
    const { said } = memoryOf(code);
    if (waitToSay(said, now) > 0) return this.context.dispatch({ type: "notice", notice: TOO_MUCH });
    noteSaid(code, now);
    this.context.send({ type: "say", room: code, said: { emote } });
    const wait = waitToSay(memoryOf(code).said, now);
    if (wait === 0) return;
    this.setState({ off: true });
    this.timer = setTimeout(() => this.setState({ off: false }), wait);
  };

  /** Without a connection it would be said too late. @param {{state: InRoom}} props @param {{off: boolean}} state */
  render({ state: { connection } }, { off }) {
    return html`<${Emotes} say=${this.#say} off=${off || connection.phase === "lost"} of=${WHILE_PLAYING} />`;
  }
}

/** @typedef {{n: number, emote: string, by: string}} Flying `by`: `me`, `other` or `watch` */

/**
 * The emotes that fly now. Their meaning is said elsewhere too.
 * @extends {Component<{state: InRoom}, {flying: Flying[]}>}
 */
export class Flight extends Component {
  /** @type {{flying: Flying[]}} */
  state = { flying: [] };
  #seen = lastNumber(this.props.state.room.chat.lines);
  /** @type {Set<number>} */
  #timers = new Set();

  componentWillUnmount() {
    this.#timers.forEach(clearTimeout);
  }

  componentDidUpdate() {
    const lines = shownLines(this.props.state).filter(({ n }) => n > this.#seen);
    if (lines.length === 0) return;
    this.#seen = lastNumber(lines);
    const fresh = lines.flatMap((line) => ("emote" in line.said ? [{ n: line.n, emote: line.said.emote, by: sideOf(line) }] : []));
    if (fresh.length === 0) return;
    this.setState(({ flying }) => ({ flying: [...flying, ...fresh].slice(-MAX_FLIGHTS) }));
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const gone = new Set(fresh.map(({ n }) => n));
      this.setState(({ flying }) => ({ flying: flying.filter(({ n }) => !gone.has(n)) }));
    }, FLIGHT_MS);
    this.#timers.add(timer);
  }

  /** @param {{state: InRoom}} _ @param {{flying: Flying[]}} state */
  render(_, { flying }) {
    return html`<div class="flights" aria-hidden="true">
      ${flying.map(({ n, emote, by }) => html`<i key=${n} class="flight" data-by=${by} style=${{ "--at": (n * 7) % 5 }}><${EmoteDrawing} emote=${emote} /></i>`)}
    </div>`;
  }
}

/** From where it flies. @param {ShownLine} line */
const sideOf = ({ mine, seat }) => (mine ? "me" : seat && MARKS.includes(seat) ? "other" : "watch");
