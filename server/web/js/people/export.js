// The player's own games as a file. The server sends it in pieces; the page puts them together.
// @ts-check

import { Component, html } from "../html.js";
import { saveFile } from "../save-file.js";
import { strings } from "../strings.js";
import { foundIn, questionOf, refusalText } from "./question.js";
import { number } from "./when.js";

/** @typedef {import("../core/state.js").State} State */
/** @typedef {"json_lines" | "sgf"} Format */

/** @type {Record<Format, {name: string, type: string}>} */
const FILES = {
  json_lines: { name: "noughts.jsonl", type: "application/jsonl" },
  sgf: { name: "noughts.sgf", type: "application/x-go-sgf" },
};

/** @typedef {{format: Format | null, before: string | null, told: string, wrong: boolean}} Shown `format`: of the file that is on its way, `wrong`: `told` is an error */

/** @extends {Component<{state: State}, Shown>} */
export class Export extends Component {
  /** @type {Shown} */
  state = { format: null, before: null, told: "", wrong: false };
  /** @type {string[]} */
  #pieces = [];
  /** The question before this export asked its own. */
  #old = /** @type {unknown} */ (null);

  /** @param {Format} format @param {string | null} before */
  #ask(format, before) {
    this.#old = this.props.state.questions.export;
    this.setState({ format, before }, () => this.context.send(intentOf(format, before)));
  }

  /** Takes the next piece. */
  componentDidUpdate() {
    const { format, before } = this.state;
    if (!format) return;
    const question = questionOf(this.props.state, intentOf(format, before));
    if (question === this.#old || !question) return;
    const found = foundIn(question, "export");
    if (question.refusal) return this.setState({ format: null, told: refusalText(question), wrong: true });
    if (!found) return;
    this.#pieces.push(found.text);
    if (found.next) return this.#ask(format, found.next);
    this.#save(format);
  }

  /** @param {Format} format */
  #save(format) {
    const { name, type } = FILES[format];
    const empty = this.#pieces.every((piece) => piece === "");
    if (!empty) saveFile(name, new Blob(this.#pieces, { type }));
    const told = empty ? strings("games.export.none") : strings("games.export.done", { name });
    this.setState({ format: null, told, wrong: empty });
  }

  /** @param {Format} format */
  #start(format) {
    this.#pieces = [];
    this.setState({ told: "", wrong: false });
    this.#ask(format, null);
  }

  /** @param {unknown} _ @param {Shown} shown */
  render(_, { format, told, wrong }) {
    const bytes = this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
    const progress = format && strings("games.export.going", { size: number(Math.ceil(bytes / 1024)) });
    const button = (/** @type {Format} */ one) => html`<button
      type="button"
      class="button-quiet"
      aria-disabled=${format ? "true" : null}
      onclick=${() => format || this.#start(one)}
    >
      ${strings(`games.export.${one}`)}
    </button>`;
    return html`<section class="group">
      <h2>${strings("games.export")}</h2>
      <p class="note">${strings("games.export.note")}</p>
      <div class="buttons">${button("json_lines")} ${button("sgf")}</div>
      <p class="share-told" role="status" data-kind=${wrong ? "error" : null}>${progress || told}</p>
    </section>`;
  }
}

/** @param {Format} format @param {string | null} before @returns {import("../client/protocol.js").Intent & {type: "export"}} */
const intentOf = (format, before) => ({ type: "export", format, ...(before && { before }) });
