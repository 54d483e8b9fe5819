// A profile: who somebody is on this server, from the games that were kept. Our own one also has the
// results against each opponent, and what can be done with the identity.
// @ts-check

import { computerName } from "../computer-text.js";
import { FaceOf } from "../face-of.js";
import { Component, html } from "../html.js";
import { Link } from "../link.js";
import { levelOf } from "../strengths.js";
import { strings } from "../strings.js";
import { rulesText } from "../variant-text.js";
import { ask } from "./ask.js";
import { GameList } from "./game-list.js";
import { filterByOpponent } from "./games.js";
import { IdentityPanel } from "./identity.js";
import { isId, nameOf } from "./kept.js";
import { Missing } from "./nowhere.js";
import { foundIn, isGone, questionOf, refusalText } from "./question.js";
import { Ratings } from "./ratings.js";
import { TallyTable, tallyText, tallyWords } from "./tallies.js";
import { dayOf, number } from "./when.js";

/** @typedef {import("../view.js").Props} Props */
/** @typedef {import("../client/protocol.js").Profile} ProfileOf */

/** @extends {Component<Props>} */
export class Profile extends Component {
  componentDidMount() {
    const intent = this.#intent();
    if (intent) this.context.send(intent);
  }

  /** Asks again after the player has become somebody new. @param {Props} before */
  componentDidUpdate(before) {
    this.context.arrived();
    if (isGone(this.props.state, before.state, "profile")) this.componentDidMount();
  }

  /** @returns {(import("../client/protocol.js").Intent & {type: "profile"}) | null} null where the address has no id */
  #intent() {
    const { route } = this.props.state;
    const player = route.screen === "profile" ? route.player : null;
    if (!player) return { type: "profile" };
    return isId(player) ? { type: "profile", player } : null;
  }

  /** @param {Props} props */
  render({ page, state }) {
    const intent = this.#intent();
    const question = intent && questionOf(state, intent);
    const profile = foundIn(question, "profile")?.profile;
    if (profile) return html`<${Known} page=${page} state=${state} profile=${profile} />`;
    const missing = !intent || question?.refusal?.code === "no_such_player";
    if (missing) return html`<${Missing} title=${strings("profile.missing")} text=${strings("profile.missing.text")} />`;
    return html`<div class="screen">
      <header>
        <h1>${strings("menu.profile")}</h1>
        <p class="lead" role="status" data-waits=${!question?.refusal}>${refusalText(question) || strings("lobby.loading")}</p>
      </header>
    </div>`;
  }
}

/** @param {Props & {profile: ProfileOf}} props */
function Known({ page, state, profile }) {
  const { player, name, face, tally, you, recent } = profile;
  const me = state.me?.player;
  const own = player === me;
  const games = tally.wins + tally.losses + tally.draws;
  return html`<div class="screen profile">
    <header class="profile-head">
      <${FaceOf} player=${player} face=${own ? page.player.face() : face} />
      <div>
        <h1><bdi>${own ? page.player.name() : name}</bdi></h1>
        <p class="note">${factsOf(profile).join(" · ")}</p>
      </div>
    </header>
    ${you && !own && html`<${Between} page=${page} state=${state} profile=${profile} />`}
    ${games === 0 && recent.length === 0
      ? html`<p class="empty">${strings(own ? "profile.none.you" : "profile.none")}</p>`
      : html`<${Results} state=${state} profile=${profile} own=${own} />`}
    ${own && html`<${IdentityPanel} page=${page} state=${state} />`}
  </div>`;
}

/** The weakest computer first. The results are those of all boards: a strength with a name needs no number. @param {ProfileOf["computers"]} computers */
export function computerRows(computers) {
  const level = (/** @type {any} */ { opponent }) => levelOf(opponent.strength);
  const sorted = [...computers].sort((one, other) => level(one) - level(other));
  return sorted.map(({ opponent, tally }) => ({ head: computerName(/** @type {any} */ (opponent)), tally }));
}

/** @param {ProfileOf} profile @returns {string[]} */
function factsOf({ tally, first_at: first, best_streak: best, streak }) {
  const games = tally.wins + tally.losses + tally.draws;
  const facts = games > 0 ? [strings("profile.games", { count: number(games) }), tallyWords(tally)] : [];
  if (best > 1) facts.push(strings("profile.best", { count: best }));
  if (streak > 1) facts.push(strings("profile.streak", { count: streak }));
  if (first) facts.push(strings("profile.since", { date: dayOf(first) }));
  return facts;
}

/** The viewer and the player: "You and Bob: 12–9–4". @param {Props & {profile: ProfileOf}} props */
function Between({ page, state, profile: { player, name, you } }) {
  if (!you) return null;
  return html`<p class="between">
    <span>${strings("profile.between", { name })}</span>
    <b aria-hidden="true">${tallyText(you)}</b><span class="visually-hidden">${tallyWords(you)}</span>
    <${Link} to=${{ screen: "games" }} onclickcapture=${() => filterByOpponent(player)}>${strings("profile.between.games")}<//>
    <button type="button" class="button-quiet" onclick=${() => ask(page.dispatch, state, { player, name })}>${strings("challenge.again", { name })}</button>
  </p>`;
}

/** @param {{state: Props["state"], profile: ProfileOf, own: boolean}} props */
function Results({ state, profile, own }) {
  const { boards, opponents, computers, ratings, recent } = profile;
  const person = (/** @type {import("../client/protocol.js").Participant} */ one) =>
    one.kind === "human"
      ? html`<${Link} class="person" to=${{ screen: "profile", player: one.player }}><${FaceOf} ...${one} /><bdi>${one.name}</bdi><//>`
      : nameOf(one);
  return html`
    <${Ratings} ratings=${ratings} />
    <${TallyTable} title=${strings("profile.people")} rows=${opponents.map(({ opponent, tally }) => ({ head: person(opponent), tally }))} />
    <${TallyTable} title=${strings("profile.boards")} rows=${boards.map((played) => ({ head: rulesText(played), tally: played.tally }))} />
    <${TallyTable} title=${strings("profile.computers")} rows=${computerRows(computers)} />
    ${recent.length > 0 &&
    html`<section class="group">
      <h2>${strings("profile.recent")}</h2>
      <${GameList} games=${recent} me=${state.me?.player} side=${profile.player} label=${strings("profile.recent")} />
      ${own && html`<p><${Link} to=${{ screen: "games" }}>${strings("profile.all")}<//></p>`}
    </section>`}
  `;
}
