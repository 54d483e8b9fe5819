// The big screen of a party. It runs for an evening without anybody's hand: one clock turns its pages and
// moves its parts, the connection comes back by itself, a new version of the page is loaded.
//
// Rules of its design, besides those of `css/base.css`: all lengths are parts of the window (`--u` is a
// pixel of 1920 × 1080). No text is smaller than 28 of them, the important ones are 60 or more.
// @ts-check

import { PARTY_CORE } from "../client/party.js";
import { useParty } from "../client/party-hook.js";
import { isFull, partyOf } from "../client/party-view.js";
import { Component, html } from "../html.js";
import { keepAwake } from "../room/wake-lock.js";
import { endOf, textOf } from "../shell.js";
import { strings } from "../strings.js";
import { Bracket } from "./bracket-view.js";
import { columnsOf } from "./bracket.js";
import { isOpen, tablesOf } from "./followed.js";
import { People } from "./gathering.js";
import { Invitation } from "./invitation.js";
import { Alive, Queue, Standings, WidePairings, WideStandings } from "./lists.js";
import { EMPTY, remember } from "./memory.js";
import { Next, namesOf, nextOf } from "./next.js";
import { OtherPlaces, Podium } from "./podium.js";
import { Renewal, waitAfter } from "./renewal.js";
import { newsText, stageText } from "./texts.js";
import { Tables } from "./tile.js";
import { isOverviewTurn, placeAt } from "./timing.js";

/** @typedef {import("../core/state.js").State} State */
/** @typedef {import("./followed.js").Followed} Followed */
/** @typedef {import("./memory.js").Memory} Memory */
/** @typedef {{at: number, memory: Memory}} Clock */

/** So many tables are large enough for the names of those who are awaited. */
const MOST_NAMED = 9;

/** The pieces of news on the screen. */
const LINES = 2;

/** A piece of news of more letters stands alone. */
const LONG = 75;

/** The codes with which a server's host ends a connection. */
const BY_HOST = [4006, 4007];

/** @param {State} state */
const codeOf = ({ route }) => /** @type {{code: string}} */ (route).code;

/** @extends {Component<import("../view.js").Props, Clock>} */
export class BigScreen extends Component {
  state = { at: performance.now(), memory: EMPTY };
  #timer = 0;
  #release = () => {};
  #renewal = new Renewal();
  /** When the party may be asked for, and how often it was. */
  #asked = { next: 0, count: 0 };

  /** @param {import("../view.js").Props} props @param {Clock} clock */
  static getDerivedStateFromProps({ state }, { memory }) {
    const at = performance.now();
    const party = partyOf(state, codeOf(state));
    return { at, memory: party ? remember(memory, party, at) : memory };
  }

  componentDidMount() {
    useParty(PARTY_CORE);
    this.#release = keepAwake();
    this.#tick();
  }

  /** @param {import("../view.js").Props} before */
  componentDidUpdate(before) {
    const was = before.state.connection.phase;
    const now = this.props.state.connection.phase;
    if (now !== was && now === "open") this.#renewal.welcome();
    if (now === "ended" && !isByHost(this.props.state)) this.#renewal.ended();
    this.#follow();
  }

  componentWillUnmount() {
    clearTimeout(this.#timer);
    this.#release();
    this.#renewal.stop();
  }

  /** Asks for the party, after a refusal again and again with growing waits. After a break the core does. */
  #follow() {
    const { page, state } = this.props;
    const { party, following, connection, route } = state;
    const code = codeOf(state);
    if (party?.state.code === code && party.role === "screen") {
      this.#asked = { next: 0, count: 0 };
    } else if (connection.phase === "open" && route.screen === "screen" && !following && performance.now() >= this.#asked.next) {
      const count = this.#asked.count + 1;
      this.#asked = { next: performance.now() + waitAfter(count), count };
      page.send({ type: "join_party", party: code, role: "screen" });
    }
  }

  /** The only timer: each full second. */
  #tick = () => {
    this.setState({});
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#tick, 1000 - (performance.now() % 1000));
  };

  /** @param {import("../view.js").Props} props @param {Clock} clock */
  render({ state }, { at, memory }) {
    const code = codeOf(state);
    const party = partyOf(state, code);
    const { side, head, x, y } = placeAt(at);
    const phase = party?.state.phase ?? "none";
    return html`<div class="big" data-phase=${phase} data-lost=${isLost(state)} data-side=${side} data-head=${head} style=${{ "--drift-x": x, "--drift-y": y }}>
      ${party
        ? html`<${Evening} state=${state} party=${party} memory=${memory} at=${at} />`
        : html`<${Nothing} isUnknown=${this.#asked.count > 0 && !state.following && state.connection.phase === "open"} code=${code} />`}
      <${Foot} state=${state} party=${party} memory=${memory} />
    </div>`;
  }
}

/** The party is not there yet, or not at all. @param {{isUnknown: boolean, code: string}} props */
const Nothing = ({ isUnknown, code }) => html`<div class="big-nothing">
  <h1>${strings(isUnknown ? "big.unknown" : "big.opening", { code })}</h1>
</div>`;

/** @param {{state: State, party: Followed, memory: Memory, at: number}} props */
function Evening({ state, party, memory, at }) {
  const { code, phase, name } = party.state;
  const gathers = phase === "gathering";
  const stage = stageText(party.state);
  // A new part takes the place of the old as a whole: nothing is seen to move.
  return html`
    <div class="big-head">
      <h1 class="big-cut"><bdi>${name}</bdi></h1>
      <p class="big-stage" key=${stage}>${stage}</p>
    </div>
    <div class="big-main" key=${`main ${phase} ${party.state.round}`}><${Scene} party=${party} memory=${memory} at=${at} /></div>
    <div class="big-side" key=${`side ${phase} ${showsTables(party, memory, at)} ${nextOf(party, at).title}`}>
      ${!gathers && html`<${Beside} party=${party} memory=${memory} at=${at} />`}
      <${Invitation} state=${state} code=${code} large=${gathers} full=${isFull(party.state)} />
    </div>
  `;
}

/** Whether the tables are shown: there are games, and the overview has not its turn. @param {Followed} party @param {Memory} memory @param {number} at */
function showsTables({ state }, memory, at) {
  return hasFresh(memory, at) || (tablesOf(state).some(isOpen) && !isOverviewTurn(at));
}

/** Whether a result has just come. @param {Memory} memory @param {number} at */
const hasFresh = (memory, at) => Object.values(memory.moments).some(({ until }) => until > at);

/** The large part: people, tables, the bracket or the standings, the podium. @param {{party: Followed, memory: Memory, at: number}} props */
function Scene({ party, memory, at }) {
  const { state } = party;
  // The line that has won the final is seen before the podium.
  if (state.phase === "over" && !hasFresh(memory, at)) return html`<${Podium} state=${state} />`;
  // Before the first round there is nothing else to show.
  if (state.round === 0) return html`<${People} party=${party} memory=${memory} at=${at} />`;
  if (showsTables(party, memory, at)) {
    const tables = tablesOf(state).filter(({ table }) => memory.shown.tables.includes(table));
    return html`<${Tables} party=${party} tables=${tables} memory=${memory} at=${at} />`;
  }
  if (state.settings.format !== "knockout") return html`<${WideStandings} state=${state} at=${at} />`;
  const columns = columnsOf(state);
  return columns.length > 0
    ? html`<${Bracket} state=${state} columns=${columns} />`
    : html`<${WidePairings} state=${state} at=${at} />`;
}

/** The narrow part: what is next, and a list. @param {{party: Followed, memory: Memory, at: number}} props */
function Beside({ party, memory, at }) {
  const { state } = party;
  const { phase, queue, settings } = state;
  if (phase === "over") return !hasFresh(memory, at) && html`<${OtherPlaces} state=${state} at=${at} />`;
  if (state.round === 0) return html`<${Next} party=${party} at=${at} onTiles=${false} />`;
  const List = settings.format === "knockout" ? Alive : queue.length > 1 ? Queue : Standings;
  // A few tables say themselves whose hand is missing.
  const onTiles = showsTables(party, memory, at) && !hasFresh(memory, at) && party.presence.checks.length <= MOST_NAMED;
  const names = namesOf(party, at, onTiles);
  // The standings are not shown twice.
  const isTwice = List === Standings && !showsTables(party, memory, at);
  return html`
    <${Next} party=${party} at=${at} onTiles=${onTiles} />
    ${!isTwice && (names.length === 0 || (names.length === 1 && party.presence.checks.length === 0)) && html`<${List} state=${state} at=${at} isShort=${names.length > 0} />`}
  `;
}

/** Whether what is on the screen may have changed since. @param {State} state */
const isLost = ({ connection: { phase } }) => phase === "lost" || phase === "ended";

/** Whether the server's host has ended the connection: the screen does not come back by itself. @param {State} state */
const isByHost = ({ connection: { phase, code } }) => phase === "ended" && BY_HOST.includes(code ?? 0);

/** @param {State} state */
const lostText = (state) => (isByHost(state) ? textOf(endOf(state.connection)) : strings("big.lost"));

/** The last results, or that the connection is lost: then the boards stand still. @param {{state: State, party: Followed | null, memory: Memory}} props */
function Foot({ state, party, memory }) {
  const lost = isLost(state);
  // The podium has the last word.
  const news = party && !lost && party.state.phase !== "over" ? memory.news.slice(0, LINES) : [];
  const texts = party ? news.map((one) => newsText(party.state, one)) : [];
  // A long note has the whole line, and a second one.
  const isLong = texts.length > 0 && texts[0].length > LONG;
  return html`<div class="big-foot">
    <ol class="big-news" aria-live="polite" aria-label=${strings("big.news")}>
      ${news.slice(0, isLong ? 1 : LINES).map((one, at) => html`<li key=${`${at} ${one.key}`} class=${isLong ? "big-two" : "big-cut"}>${texts[at]}</li>`)}
    </ol>
    <p class="big-link" role="status">${lost ? lostText(state) : ""}</p>
  </div>`;
}
