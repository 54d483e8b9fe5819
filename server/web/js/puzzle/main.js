// The puzzle of the day: the board, the tries, and what is said about them. The days before are in `archive.js`,
// the end of a puzzle in `solved.js`.
// @ts-check

import { Timed, html } from "../html.js";
import { linesThrough } from "../here/lines.js";
import { BARE, focusBoard } from "../room/board.js";
import { ZoomableBoard } from "../room/zoomable-board.js";
import { cellName } from "../client/rules.js";
import { strings } from "../strings.js";
import { Archive } from "./archive.js";
import { dayText } from "./day.js";
import { isRefused, keep, load, results } from "./memory.js";
import { FRESH, STARS, dateOf, hasCome, isSolved, marksOf, solved, starsOf, startOf, tried } from "./model.js";
import { PuzzleNote, Solved } from "./solved.js";
import { Stars } from "./stars.js";

export { PuzzleNote };

/** @typedef {import("../view.js").Props} Props */
/** @typedef {import("./model.js").Puzzle} Puzzle */
/** @typedef {import("./model.js").Tries} Tries */

/** So long O thinks, in milliseconds. */
const REPLY_MS = 600;

/** So long each move of the solution that is shown stays the last one, in milliseconds. */
const SHOW_MS = 1_200;

/**
 * @typedef {object} Shown
 * @property {Puzzle | "loading" | "none" | "failed"} puzzle
 * @property {Tries} tries
 * @property {boolean} answered whether O has answered X's last move
 * @property {number | null} missed the cell of the last wrong try
 */

/** @extends {Timed<Props, Shown>} */
export class Puzzles extends Timed {
  /** @type {Shown} */
  state = { puzzle: "loading", tries: FRESH, answered: true, missed: null };

  componentDidMount() {
    this.#load();
  }

  /** The day that is shown: that of the address, or today. */
  get date() {
    const { route } = this.props.state;
    const named = route.screen === "puzzle" ? route.date : undefined;
    return named ?? dateOf(Date.now());
  }

  #load = async () => {
    const { date } = this;
    this.setState({ puzzle: "loading", tries: results()[date] ?? FRESH, answered: true, missed: null });
    /** @type {Shown["puzzle"]} */
    let puzzle = "none";
    try {
      if (hasCome(date, dateOf(Date.now()))) puzzle = (await load(date)) ?? "none";
    } catch {
      puzzle = "failed";
    }
    if (date === this.date) this.setState({ puzzle }, this.context.arrived);
  };

  /** @param {Puzzle} puzzle @param {number} cell */
  #try(puzzle, cell) {
    const before = this.state.tries;
    const tries = tried(puzzle, before, cell);
    const isRight = tries.right.length > before.right.length;
    if (isRight && isSolved(puzzle, tries)) tries.onTime = puzzle.date === dateOf(Date.now());
    keep(puzzle.date, tries);
    this.setState({ tries, missed: isRight ? null : cell, answered: !isRight || isSolved(puzzle, tries) });
    if (isRight) this.timer = setTimeout(() => this.setState({ answered: true }), REPLY_MS);
  }

  /** The focus of the button, which goes, is on the board then. @param {Puzzle} puzzle @param {Element} button */
  #show(puzzle, button) {
    const { tries } = this.state;
    focusBoard(button.closest(".puzzle"));
    keep(puzzle.date, solved(puzzle, tries));
    this.stopTimer();
    this.setState({ tries: { ...tries, shown: true }, missed: null, answered: true }, () => this.#showNext(puzzle));
  }

  /** Makes one more move of the solution, by X or by O. @param {Puzzle} puzzle */
  #showNext(puzzle) {
    const { tries, answered } = this.state;
    if (isSolved(puzzle, tries)) return;
    const right = answered ? solved(puzzle, tries).right.slice(0, tries.right.length + 1) : tries.right;
    this.setState({ tries: { ...tries, right }, answered: !answered || right.length === puzzle.answers.length });
    this.timer = setTimeout(() => this.#showNext(puzzle), SHOW_MS);
  }

  render() {
    const { puzzle } = this.state;
    return typeof puzzle === "string" ? this.#empty(puzzle) : this.#page(puzzle);
  }

  /** @param {"loading" | "none" | "failed"} why */
  #empty(why) {
    return html`<div class="screen puzzle-none">
      <header>
        <h1>${strings("puzzle.title")}</h1>
        <p class="lead" role="status" data-waits=${why === "loading"}>${strings(`puzzle.${why}`)}</p>
      </header>
      ${why === "failed" &&
      html`<div class="buttons"><button type="button" class="button-primary" onclick=${this.#load}>${strings("puzzle.again")}</button></div>`}
      ${why !== "loading" && html`<${Archive} date=${this.date} />`}
    </div>`;
  }

  /** @param {Puzzle} puzzle */
  #page(puzzle) {
    const { tries, missed } = this.state;
    const { board, date, number, answers } = puzzle;
    const ends = isSolved(puzzle, tries);
    return html`<section class="room puzzle" style=${{ "--w": board.width, "--h": board.height }}>
      <div class="room-table">
        <header class="puzzle-head">
          <h1>${strings("puzzle.task", { moves: answers.length })}</h1>
          <p>${strings("puzzle.of", { date: dayText(date), number })}</p>
        </header>
        <div class="room-board">
          <${ZoomableBoard}
            board=${board}
            position=${this.#position(puzzle)}
            ply=${2 * tries.right.length}
            confirms=${!ends && matchMedia("(pointer: coarse)").matches}
            play=${(/** @type {number} */ cell) => this.#try(puzzle, cell)}
            mayPlay=${(/** @type {number} */ cell) => this.#mayPlay(puzzle, cell)}
          />
        </div>
        <div class="room-panel">
          <div class="puzzle-state" data-missed=${missed !== null}>
            <${Stars} count=${starsOf(tries)} />
            <p class="puzzle-said" role="status">
              ${this.#said(puzzle)}${missed !== null && html`<span class="visually-hidden"> ${strings("puzzle.stars", { count: starsOf(tries) })}.</span>`}
            </p>
          </div>
          ${!ends && !tries.shown && tries.wrong.flat().length >= STARS &&
          html`<button type="button" class="button-quiet" onclick=${(/** @type {any} */ { currentTarget }) => this.#show(puzzle, currentTarget)}>${strings("puzzle.show")}</button>`}
          ${ends && html`<${Solved} puzzle=${puzzle} tries=${tries} />`}
          <p class="puzzle-rule">${strings("puzzle.rule", { line: board.line })}</p>
          ${isRefused() && html`<p class="puzzle-rule">${strings("puzzle.refused")}</p>`}
          <${Archive} date=${date} />
        </div>
      </div>
    </section>`;
  }

  /** @param {Puzzle} puzzle @param {number} cell */
  #mayPlay(puzzle, cell) {
    const { tries, answered } = this.state;
    return answered && !tries.shown && !isSolved(puzzle, tries) && marksOf(puzzle, tries.right, true)[cell] === null;
  }

  /** @param {Puzzle} puzzle @returns {import("../room/position.js").Position} */
  #position(puzzle) {
    const { tries: { right }, answered } = this.state;
    const { board, date, answers, replies } = puzzle;
    const ends = right.length === answers.length;
    const marks = marksOf(puzzle, right, answered);
    const mine = right.at(-1) ?? null;
    return {
      ...BARE,
      marks,
      last: answered && !ends ? (replies[right.length - 1] ?? null) : mine,
      lines: ends && mine !== null ? linesThrough(board, marks, mine) : [],
      winner: ends ? "x" : null,
      ghost: ends || !answered ? null : "x",
      seed: `puzzle ${date}`,
    };
  }

  /** The last event, or the task. @param {Puzzle} puzzle */
  #said(puzzle) {
    const { tries, answered, missed } = this.state;
    const { board, answers, replies } = puzzle;
    const move = tries.right.length;
    const left = answers.length - move;
    if (tries.shown) return strings("puzzle.shown", { moves: solutionOf(puzzle, tries) });
    if (left === 0) return strings("puzzle.solved");
    if (missed !== null) return strings("puzzle.wrong", { cell: cellName(board, missed), left });
    if (!answered) return strings("puzzle.right");
    return move === 0 ? strings("puzzle.begin") : strings("puzzle.reply", { cell: cellName(board, replies[move - 1]), left });
  }
}

/** All moves from the task to the win: "X e3, O e1, X e5". @param {Puzzle} puzzle @param {Tries} tries */
function solutionOf(puzzle, tries) {
  const name = (/** @type {number} */ cell) => cellName(puzzle.board, cell);
  const moves = solved(puzzle, tries).right.flatMap((cell, at) => {
    const reply = puzzle.replies[at];
    return [`X\u00a0${name(cell)}`, ...(reply === undefined ? [] : [`O\u00a0${name(reply)}`])];
  });
  return moves.join(", ");
}
