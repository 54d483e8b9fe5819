// My games: the newest first, with filters, a page at a time, and as a file.
// @ts-check

import { Component, createRef, html } from "../html.js";
import { Link } from "../link.js";
import { strings } from "../strings.js";
import { rulesText } from "../variant-text.js";
import { Export } from "./export.js";
import { GameList } from "./game-list.js";
import { nameOf } from "./kept.js";
import { foundIn, isGone, questionOf, refusalText } from "./question.js";

/** @typedef {import("../client/protocol.js").GameSummary} GameSummary */
/** @typedef {import("../client/protocol.js").Intent & {type: "history"}} Asked */
/** @typedef {{opponent: string, board: string, outcome: string}} Filters "" for all; a board is "7x6x4 gravity" */
/** @typedef {import("../view.js").Props} Props */

/** No filter. @type {Filters} */
const ALL = { opponent: "", board: "", outcome: "" };

/** The filters of this visit: they are there again on the way back from a game. */
const chosen = { ...ALL };

/** Shows only the games with one opponent. @param {string} player */
export const filterByOpponent = (player) => Object.assign(chosen, ALL, { opponent: player });

/** @param {Filters} filters @param {string | null} before @returns {Asked} */
export function historyIntent({ opponent, board, outcome }, before) {
  const [size, variant] = board.split(" ");
  const [width, height, line] = size.split("x").map(Number);
  return /** @type {Asked} */ ({
    type: "history",
    ...(opponent && { opponent: opponent === "human" || opponent === "computer" ? opponent : { player: opponent } }),
    ...(board && { board: { width, height, line } }),
    ...(variant && { variant }),
    ...(outcome && { outcome }),
    ...(before && { before }),
  });
}

/** @param {Pick<import("../client/protocol.js").RoomSettings, "board" | "variant">} played */
const boardKey = ({ board: { width, height, line }, variant = "line" }) => `${width}x${height}x${line} ${variant}`;

/**
 * @typedef {object} Shown
 * @property {Filters} filters
 * @property {GameSummary[]} games of the pages so far
 * @property {Asked} asked the page that comes next or was the last
 * @property {boolean} more
 * @property {unknown} seen the question whose answer is in `games`
 */

/** @extends {Component<Props, Shown>} */
export class Games extends Component {
  #list = /** @type {{current: HTMLElement | null}} */ (createRef());
  /** The number of rows before more of them were asked for. */
  #rows = 0;
  /** @type {Shown} */
  state = { ...firstPage(chosen), seen: this.props.state.questions.history };

  /** Takes over an answer. @param {Props} props @param {Shown} shown */
  static getDerivedStateFromProps({ state }, shown) {
    const question = questionOf(state, shown.asked);
    const found = foundIn(question, "history");
    if (!found || question === shown.seen) return null;
    const before = shown.asked.before ? shown.games : [];
    return { games: [...before, ...found.games], more: found.more, seen: question };
  }

  componentDidMount() {
    this.context.send(this.state.asked);
    this.context.send({ type: "profile" });
  }

  /** After "More" the first new game gets the focus. @param {Props} last @param {Shown} before */
  componentDidUpdate(last, before) {
    const { asked, games } = this.state;
    if (isGone(this.props.state, last.state, "history")) this.context.send(asked);
    if (games === before.games || this.#rows === 0) return;
    const row = /** @type {HTMLElement | null | undefined} */ (this.#list.current?.querySelectorAll("a.kept-row")[this.#rows]);
    this.#rows = 0;
    row?.focus();
  }

  /** @param {keyof Filters} name @param {string} value */
  #filter(name, value) {
    Object.assign(chosen, { [name]: value });
    this.#ask(firstPage(chosen));
  }

  #clear = () => {
    Object.assign(chosen, ALL);
    this.#ask(firstPage(chosen));
  };

  #more = () => {
    const { filters, games } = this.state;
    this.#rows = games.length;
    this.#ask({ asked: historyIntent(filters, games[games.length - 1]?.id ?? null), more: false });
  };

  /** @param {Partial<Shown>} change */
  #ask(change) {
    this.setState({ ...change, seen: this.props.state.questions.history }, () => this.context.send(this.state.asked));
  }

  /** @param {Props} props @param {Shown} shown */
  render({ state }, { filters, games, more, asked, seen }) {
    const question = questionOf(state, asked);
    const loading = !question || (!question.refusal && question !== seen);
    const filtered = Object.values(filters).some((value) => value !== "");
    return html`<div class="screen" ref=${this.#list}>
      <header>
        <h1>${strings("menu.games")}</h1>
        <p class="lead">${strings("games.lead")}</p>
      </header>
      ${(filtered || games.length > 0) && this.#filters(filters)}
      <${GameList} games=${games} me=${state.me?.player} label=${strings("menu.games")} />
      <p class="empty" role="status" data-waits=${loading && games.length === 0} hidden=${games.length > 0 && !question?.refusal}>
        ${question?.refusal ? refusalText(question) : loading ? strings("lobby.loading") : strings(filtered ? "games.none" : "games.empty")}
      </p>
      <div class="buttons">
        ${(more || (question?.refusal && games.length > 0)) && html`<button type="button" class="button-quiet" onclick=${this.#more}>${strings("games.more")}</button>`}
        ${filtered && html`<button type="button" class="button-quiet" onclick=${this.#clear}>${strings("games.all")}</button>`}
        ${!loading && !filtered && games.length === 0 &&
        html`<${Link} class="button-primary" to=${{ screen: "computer" }}>${strings("menu.computer")}<//>`}
      </div>
      ${games.length > 0 && html`<${Export} state=${state} />`}
    </div>`;
  }

  /** @param {Filters} filters */
  #filters(filters) {
    const profile = foundIn(questionOf(this.props.state, { type: "profile" }), "profile")?.profile;
    const opponents = (profile?.opponents ?? []).flatMap(({ opponent }) =>
      opponent.kind === "human" ? [[opponent.player, nameOf(opponent)]] : []);
    const boards = (profile?.boards ?? []).map((played) => [boardKey(played), rulesText(played)]);
    const outcomes = ["won", "lost", "drawn"].map((outcome) => [outcome, strings(`games.${outcome}`)]);
    const kinds = ["human", "computer"].map((kind) => [kind, strings(`games.against.${kind}`)]);
    return html`<div class="kept-filters">
      ${this.#select("opponent", filters, [...kinds, ...opponents])}
      ${this.#select("board", filters, boards)} ${this.#select("outcome", filters, outcomes)}
    </div>`;
  }

  /** @param {keyof Filters} name @param {Filters} filters @param {string[][]} options values and labels */
  #select(name, filters, options) {
    const value = filters[name];
    const known = value === "" || options.some(([one]) => one === value);
    const all = [["", strings(`games.${name}.all`)], ...options, ...(known ? [] : [[value, value.replace(/x/g, " × ")]])];
    const change = (/** @type {any} */ { currentTarget }) => this.#filter(name, currentTarget.value);
    return html`<label class="field">
      <span class="label">${strings(`games.${name}`)}</span>
      <select class="select" value=${value} onchange=${change}>
        ${all.map(([one, label]) => html`<option key=${one} value=${one} selected=${one === value}>${label}</option>`)}
      </select>
    </label>`;
  }
}

/** @param {Filters} filters @returns {Pick<Shown, "filters" | "games" | "asked" | "more">} */
const firstPage = (filters) => ({ filters: { ...filters }, games: [], asked: historyIntent(filters, null), more: false });
