// A game on this device alone, loaded when it is shown: it needs no server, and goes on where it was left.
// @ts-check

import { Ask } from "../dialog.js";
import { Timed, html } from "../html.js";
import { MarkIcon } from "../room/board-svg.js";
import { BARE, Board } from "../room/board.js";
import { Chips } from "../views/chips.js";
import { read as readStored, write } from "../storage.js";
import { strings } from "../strings.js";
import { BOARDS, again, answer, isThinking, outcomeOf, play, read, specOf, takeBack, turnOf, withRules } from "./game.js";
import { linesThrough } from "./lines.js";
import { marksOf } from "./rules.js";

/** @typedef {import("./game.js").Here} Game */
/** @typedef {import("../view.js").Props} Props */

const KEY = "noughts-here";

/** The small player waits as long as somebody who looks at the board, in milliseconds. */
const THINKING_MS = 500;

/** @extends {Timed<Props, {here: Game, asked: Game | null}>} `asked`: a game that would end the running one */
export class Here extends Timed {
  /** @param {Props} props */
  constructor(props) {
    super(props);
    const stored = read(readStored(() => localStorage, KEY));
    const next = begun(stored, props.state.route);
    // A game against the small player was one person's, who has chosen again.
    const ends = next !== stored && stored.against === "people" && isRunning(stored);
    this.state = ends ? { here: stored, asked: next } : { here: next, asked: null };
  }

  componentDidMount() {
    this.#settle();
  }

  /** @param {(here: Game) => Game} change */
  #change(change) {
    this.setState(({ here }) => ({ here: change(here) }), () => this.#settle());
  }

  /** Stores the game, and lets the small player move. */
  #settle() {
    const { here } = this.state;
    write(() => localStorage, KEY, here);
    this.stopTimer();
    if (isThinking(here)) this.timer = setTimeout(() => this.#change((now) => answer(now, Math.random)), THINKING_MS);
  }

  #choose = (/** @type {number} */ cell) => {
    if (!isThinking(this.state.here)) this.#change((here) => play(here, cell));
  };

  /** A running game goes with its rules: a question comes first. @param {Partial<Game>} rules */
  #rule(rules) {
    const { here } = this.state;
    if (isRunning(here)) this.setState({ asked: withRules(here, rules) });
    else this.#change((now) => withRules(now, rules));
  }

  #keep = () => this.setState({ asked: null });

  render() {
    const { here, asked } = this.state;
    const over = outcomeOf(here);
    const chips = (/** @type {readonly string[]} */ values, /** @type {string} */ key) =>
      values.map((value) => {
        const note = `${key}.${value}.note`;
        return { value, label: strings(`${key}.${value}`), note: strings.has(note) ? strings(note) : undefined };
      });
    return html`<div class="screen here">
      <header class="here-head">
        <h1>${strings(here.against === "computer" ? "menu.computer" : "here.title")}</h1>
        <p class="here-score">
          <span class="visually-hidden">${strings("here.score")} X ${here.score.x}, O ${here.score.o}</span>
          <span aria-hidden="true"><${MarkIcon} mark="x" /> ${here.score.x} : ${here.score.o} <${MarkIcon} mark="o" /></span>
        </p>
      </header>
      <div class="here-board">
        <${Board} board=${specOf(here)} position=${positionOf(here)} selected=${null} choose=${this.#choose} />
      </div>
      <div class="here-panel">
        <p class="here-status" role="status" data-won=${over}>${statusOf(here)}</p>
        <div class="buttons">
          <button type="button" class="button-quiet" disabled=${here.moves.length === 0 || over !== null} onclick=${() => this.#change(takeBack)}>
            ${strings("here.back")}
          </button>
          <button
            type="button"
            class=${over ? "button-primary" : "button-quiet"}
            disabled=${here.moves.length === 0}
            onclick=${() => this.#change(again)}
          >
            ${strings("here.again")}
          </button>
        </div>
        <${Chips}
          name="against"
          title=${strings("here.who")}
          chips=${chips(["people", "computer"], "here.who")}
          value=${here.against}
          choose=${(/** @type {Game["against"]} */ against) => this.#rule({ against })}
        />
        <${Chips}
          name="board"
          title=${strings("here.board")}
          chips=${chips(Object.keys(BOARDS), "here.board")}
          value=${here.board}
          choose=${(/** @type {Game["board"]} */ board) => this.#rule({ board })}
        />
        <p class="note">${strings("here.note")}</p>
      </div>
      ${asked && html`<${Ask}
        title=${strings("here.ask")} yes=${strings("here.again")} no=${strings("here.keep")}
        accept=${() => this.#change(() => asked)} onclose=${this.#keep}
      />`}
    </div>`;
  }
}

/** @param {Game} here */
const isRunning = (here) => here.moves.length > 0 && outcomeOf(here) === null;

/**
 * The stored game, unless the menu asks for the other second player. A tap on its board begins a game.
 *
 * @param {Game} stored @param {import("../core/state.js").Route} route
 */
function begun(stored, route) {
  const { cell, against = stored.against } = route.screen === "here" ? route : {};
  if (cell !== undefined) return play(withRules(stored, { against, board: "3x3" }), cell);
  return against === stored.against ? stored : withRules(stored, { against });
}

/** The shown position. @param {Game} here @returns {import("../room/position.js").Position} */
function positionOf(here) {
  const board = specOf(here);
  const marks = marksOf(board, here.moves);
  const last = here.moves.at(-1) ?? null;
  const over = outcomeOf(here);
  return {
    ...BARE,
    marks,
    last,
    lines: last !== null && over !== null ? linesThrough(board, marks, last) : [],
    winner: over === "draw" ? null : over,
    ghost: over === null && !isThinking(here) ? turnOf(here) : null,
    seed: `here ${here.score.x + here.score.o}`,
  };
}

/** @param {Game} here */
function statusOf(here) {
  const over = outcomeOf(here);
  if (over === "draw") return strings("here.draw");
  const alone = here.against === "computer";
  if (over) return strings(alone ? `here.won.${over}` : "here.won", { mark: over.toUpperCase() });
  if (alone) return strings(isThinking(here) ? "here.thinking" : "here.turn.you");
  return strings("here.turn", { mark: turnOf(here).toUpperCase() });
}
