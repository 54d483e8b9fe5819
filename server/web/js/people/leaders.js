// The strongest players of a class of boards: tonight, this week, ever.
// @ts-check

import { FaceOf } from "../face-of.js";
import { Component, html } from "../html.js";
import { Link } from "../link.js";
import { Chips } from "../views/chips.js";
import { strings } from "../strings.js";
import { foundIn, questionOf, refusalText } from "./question.js";
import { number } from "./when.js";

/** @typedef {import("../client/protocol.js").BoardClass} BoardClass */
/** @typedef {import("../client/protocol.js").Period} Period */
/** @typedef {{class: BoardClass, period: Period}} Choice */
/** @typedef {import("../view.js").Props} Props */

/** @type {readonly BoardClass[]} */
const CLASSES = ["three", "four", "five", "ultimate", "gravity", "other"];
/** @type {readonly Period[]} */
const PERIODS = ["tonight", "week", "ever"];

/** The choice of this visit. @type {Choice} */
const chosen = { class: "three", period: "week" };

/** @param {Choice} choice @returns {import("../client/protocol.js").Intent & {type: "leaderboard"}} */
const intentOf = (choice) => ({ type: "leaderboard", ...choice });

/** @extends {Component<Props, Choice>} */
export class Leaders extends Component {
  /** @type {Choice} */
  state = { ...chosen };

  componentDidMount() {
    this.context.send(intentOf(this.state));
  }

  /** @param {Partial<Choice>} change */
  #choose(change) {
    Object.assign(chosen, change);
    this.setState(change, () => this.context.send(intentOf(this.state)));
  }

  /** @param {Props} props @param {Choice} choice */
  render({ state }, choice) {
    const question = questionOf(state, intentOf(choice));
    const board = foundIn(question, "leaderboard")?.leaderboard;
    const waits = !board && !question?.refusal;
    const text = refusalText(question) || (board ? strings("leaders.none") : strings("lobby.loading"));
    const chips = (/** @type {readonly string[]} */ values, /** @type {string} */ key) =>
      values.map((value) => ({ value, label: strings(`${key}.${value}`) }));
    return html`<div class="screen">
      <header>
        <h1>${strings("menu.leaders")}</h1>
        <p class="lead">${strings("leaders.lead")}</p>
      </header>
      <${Chips}
        name="class"
        title=${strings("leaders.class")}
        chips=${chips(CLASSES, "class")}
        value=${choice.class}
        choose=${(/** @type {BoardClass} */ value) => this.#choose({ class: value })}
      />
      <${Chips}
        name="period"
        title=${strings("leaders.period")}
        chips=${chips(PERIODS, "period")}
        value=${choice.period}
        choose=${(/** @type {Period} */ value) => this.#choose({ period: value })}
      />
      <div aria-live="polite">
        ${board && board.rows.length > 0
          ? html`<${Table} board=${board} me=${state.me?.player} />`
          : html`<p class="empty" data-waits=${waits}>${text}</p>`}
        ${board && html`<p class="note">${strings("leaders.least", { count: board.least_games })} ${strings("leaders.order")}</p>`}
      </div>
      ${!waits && state.features.quick_match &&
      html`<div class="buttons"><${Link} class="button-primary" to=${{ screen: "quick" }}>${strings("menu.quick")}<//></div>`}
    </div>`;
  }
}

/** @param {{board: import("../client/protocol.js").Leaderboard, me: string | undefined}} props */
const Table = ({ board: { rows }, me }) => html`
  <table class="tallies leaders">
    <thead>
      <tr>
        <th scope="col"><span class="visually-hidden">${strings("leaders.rank")}</span></th>
        <th scope="col">${strings("leaders.player")}</th>
        <th scope="col">${strings("ratings.title")}</th>
        <th scope="col">${strings("leaders.games")}</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(({ player, name, face, rating, games_in_period: games }, at) => html`
        <tr key=${player} class=${player === me ? "is-me" : null}>
          <td>${at + 1}</td>
          <th scope="row">
            <${Link} class="person" to=${{ screen: "profile", player }}><${FaceOf} player=${player} face=${face} /><bdi>${name}</bdi><//>
          </th>
          <td><b>${rating.rating}</b> <small>± ${rating.deviation}</small></td>
          <td>${number(games)}</td>
        </tr>
      `)}
    </tbody>
  </table>
`;
