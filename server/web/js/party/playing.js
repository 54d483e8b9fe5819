// A party that is being played: what I do next, the boards of now, how everybody stands.
// @ts-check

import { awaited, isFull, isGame } from "../client/party-view.js";
import { html } from "../html.js";
import { Link } from "../link.js";
import { Countdown } from "../room/countdown.js";
import { strings } from "../strings.js";
import { EntrantName } from "./entrant-menu.js";
import { Files } from "./files.js";
import { ComeIn, Entrants, Head, Invitation, PlayToo, Withdraw } from "./head.js";
import { Host } from "./host.js";
import { awaitedTables, foeOf, rounds, situationOf } from "./model.js";
import { Rounds, Row } from "./rounds.js";
import { Standings } from "./standings.js";
import { hasLostPlace, hasMissedBefore, hasMissedLast } from "./own.js";
import { beginsText, fullText, leaderName, leftText, name, ownResult, pairText, waitText } from "./text.js";

/** @typedef {import("./head.js").Props} Props */
/** @typedef {import("./model.js").Party} Party */
/** @typedef {import("./model.js").Pairing} Pairing */
/** @typedef {import("./model.js").Met} Met */

/** @param {Props} props */
export function Playing(props) {
  const { party } = props;
  const { me, isHost } = party;
  const knockout = party.state.settings.format === "knockout";
  const isFirst = knockout && rounds(party.state).length === 0;
  const who = strings("party.who", { count: party.state.entrants.filter(({ left }) => !left).length });
  // Other games take the place of the old ones as a whole: nothing is seen to move.
  const scene = [party.state.round, awaited(party.state).length > 0, party.presence.checks.length > 0];
  return html`<div class="screen form party">
    <${Head} ...${props} />
    <div class="two-columns">
      <div>
        <${Card} ...${props} />
        ${isHost && html`<${Host} ...${props} />`}
      </div>
      <div class="party-games" key=${scene.join(" ")}>
        <${Tables} ...${props} />
        <${Queue} party=${party} />
        ${!knockout && html`<${Standings} party=${party} />`}
        ${isFirst && html`<section class="group">
          <h2>${who}</h2>
          <${Entrants} party=${party} state=${props.state} />
        </section>`}
        <${Rounds} party=${party} />
      </div>
      <div>
        <div class="party-more">${isHost && !me && mayCome(party) && html`<${PlayToo} ...${props} />`}${!isFirst && html`<details class="more">
          <summary>${who}</summary>
          <div><${Entrants} party=${party} state=${props.state} /></div>
        </details>`}
        <details class="more party-bring">
          <summary>${strings("party.bring")}</summary>
          <div><${Invitation} ...${props} title=${strings("party.bring")} /></div>
        </details>
        <${Files} party=${party} /></div>
        ${me && !me.left && html`<div><${Withdraw} party=${party} /></div>`}
      </div>
    </div>
  </div>`;
}

/** The viewer's next step. @param {Props} props */
function Card(props) {
  const { party } = props;
  const { me, state, presence } = party;
  const situation = situationOf(state, me);
  const paused = state.paused && html`<p class="party-paused">${strings(`party.paused${state.clocksStopped ? ".clocks" : ""}${party.isHost ? ".host" : ""}`)}</p>`;
  if (situation.kind === "ready") return html`<${ReadyCard} ...${props} pairing=${situation.pairing}>${paused}<//>`;
  const [head, text] = cardText(party, situation);
  const room = situation.kind === "playing" ? situation.pairing.room : null;
  const next = presence.nextAt;
  return html`<div class="party-card is-next">
    <div role="status">
      <h2>${head}</h2>
      ${text && html`<p>${text}</p>`}
      ${paused}
    </div>
    <p class="party-next">${next !== null && !state.paused && html`<${Countdown} to=${next}>${(/** @type {number} */ left) => left > 0 &&
      html`<b class="party-count" aria-hidden="true">${seconds(left)}</b> ${strings(state.round === 0 ? "party.next.first" : "party.next", { count: whole(left) })}`}<//>`}</p>
    ${room && html`<${Link} class="button-primary wide party-big" to=${{ screen: "room", code: room }}>${strings("party.toGame")}<//>`}
    ${hasNobody(party, situation) && html`<div class="buttons">
      ${mayCome(party) && html`<button type="button" class="button-quiet" onclick=${bring}>${strings("party.bring")}</button>`}
      <${Link} class="button-quiet" to=${{ screen: "computer" }}>${strings("menu.computer")}<//>
    </div>`}
    ${situation.kind === "visitor" && !party.isHost && mayCome(party) && html`<${ComeIn} ...${props} />`}
    ${situation.kind === "left" && !me?.set_aside && html`<${ComeIn} ...${props} back=${true} />`}
  </div>`;
}

/** Whether a late comer plays. In a knockout a bye of the first round may be free. @param {Pick<Party, "state">} party */
const mayCome = ({ state }) => !isFull(state) && (state.settings.format !== "knockout" || state.round === 0 ||
  (state.round === 1 && state.pairings.some((one) => !isGame(one) && !one.outcome)));

/** Whether there is nobody whom an entrant plays next. @param {Party} party @param {import("./model.js").Situation} situation */
const hasNobody = ({ state }, { kind }) =>
  kind === "bye" || (kind === "queue" && state.entrants.filter(({ left }) => !left).length === 1);

/** Shows how others come in. @param {{currentTarget: HTMLElement}} event */
function bring({ currentTarget }) {
  const details = /** @type {HTMLDetailsElement} */ (currentTarget.closest(".party")?.querySelector(".party-bring"));
  details.open = true;
  details.scrollIntoView();
}

/**
 * @param {Party} party
 * @param {import("./model.js").Situation} situation
 * @returns {[string, string]} a headline and a sentence
 */
function cardText(party, situation) {
  const { state, me, presence } = party;
  const number = me?.number ?? 0;
  const wait = () => waitText(state, presence.nextAt === null ? awaitedTables(state) : []);
  switch (situation.kind) {
    case "playing":
      return [strings("party.play.headline", { name: name(state, foeOf(situation.pairing, number)), table: situation.pairing.table }), ""];
    case "bye":
      return [strings("party.bye.headline"), [leftText(state), strings(`party.bye.${state.settings.format}`), wait()].filter(Boolean).join(" ")];
    case "decided": {
      const [head, why] = ownResult(state, situation.pairing, number);
      return [head, [why, wait()].filter(Boolean).join(" ")];
    }
    case "queue": {
      if (hasNobody(party, situation)) return [strings("party.queue.alone"), [leftText(state), strings("party.queue.alone.text")].filter(Boolean).join(" ")];
      const at = state.queue.indexOf(number);
      return [strings(at === 0 ? "party.queue.next" : "party.queue.headline", { place: at + 1 }), [hasMissedLast(state, number) && strings("party.you.forfeit.lost"), strings("party.queue.text")].filter(Boolean).join(" ")];
    }
    case "out":
      return [strings("party.out.headline"), strings(hasMissedLast(state, number) ? "party.out.missed" : "party.out")];
    case "late":
      return [strings("party.late.headline"), strings(state.settings.format === "knockout" ? "party.late.knockout" : "party.late", { round: state.round + 1 })];
    case "left":
      return [strings("party.gone.headline"), me?.set_aside ? strings("party.aside", { name: leaderName(state) }) : strings("party.gone")];
    case "visitor":
      if (party.isHost && state.paused) return [strings("party.host.paused"), ""];
      if (party.isHost) return [strings("party.host.headline"), state.settings.format === "winner_stays" ? "" : wait()];
      return [strings("party.visitor.headline"), [hasLostPlace(party) && strings("party.visitor.place"), fullText(state) || strings(mayCome(party) ? "party.visitor.join" : "party.visitor")].filter(Boolean).join(" ")];
    default:
      return [strings("party.you.in.headline"), wait()];
  }
}

/** @param {number} ms */
const whole = (ms) => Math.max(0, Math.ceil(ms / 1_000));

/** @param {number} ms */
const seconds = (ms) => String(whole(ms));

/**
 * "You play Bob, table 3", the button and the seconds that are left.
 *
 * @param {Props & {pairing: Pairing, children?: any}} props
 */
function ReadyCard({ party, state: page, pairing, page: { send }, children }) {
  const { state, presence, me } = party;
  const number = me?.number ?? 0;
  const foe = foeOf(pairing, number);
  const sent = page.unanswered.some((one) => one.type === "ready" && one.pairing === pairing.number);
  const ready = sent || presence.ready.includes(number);
  const check = presence.checks.find((one) => one.pairing === pairing.number);
  const foeReady = presence.ready.includes(foe ?? 0) ? strings("party.ready.foe", { name: name(state, foe) }) : "";
  const news = ready ? strings("party.ready.wait", { name: name(state, foe) }) : foeReady;
  const press = () => !ready && !state.paused && send({ type: "ready", party: state.code, pairing: pairing.number });
  return html`<div class="party-card is-next">
    <div role="status">
      <h2>${strings("party.play.headline", { name: name(state, foe), table: pairing.table })}</h2>
      ${hasMissedBefore(state, number) && html`<p>${strings("party.missed.before")}</p>`}
      ${pairing.stage && html`<p>${strings(`party.you.${pairing.stage}`)}</p>`}
      <p>${[beginsText(state, pairing, pairing.game + 1, number), !state.paused && news].filter(Boolean).join(" ")}</p>
      ${children}
    </div>
    <button type="button" class="button-primary wide party-big" data-next="" aria-disabled=${ready || state.paused} onclick=${press}>
      ${strings(state.paused ? "party.ready.paused" : ready ? "party.ready.done" : "party.ready")}
    </button>
    <p class="party-left">${check && !state.paused && html`<${Countdown} to=${check.until}>${(/** @type {number} */ left) => html`
      <b class="party-count" aria-hidden="true">${seconds(left)}</b> ${strings(ready ? "party.ready.left.foe" : "party.ready.left", { count: whole(left) })}`}<//>`}</p>
  </div>`;
}

/** The games of the round. One that is over keeps its row: what is below does not move. @param {Props} props */
function Tables({ party, state: page, page: { send } }) {
  const { state, me } = party;
  if (awaited(state).length === 0) return null;
  const stays = state.settings.format === "winner_stays";
  const games = rounds(state)[0].met.filter(({ second, points }) => second && !(stays && points));
  const table = (/** @type {Met} */ { pairing }) => pairing?.table ?? 0;
  return html`<section class="group">
    <h2>${strings("party.now")}</h2>
    <ul class="party-rows party-now" role="list">
      ${games.sort((one, other) => table(one) - table(other)).map((met) => met.points || !met.pairing
        ? html`<${Row} key=${met.number} state=${state} met=${met} me=${me?.number ?? 0} table=${table(met)} />`
        : html`<${Table} key=${met.number} party=${party} state=${page} pairing=${met.pairing} send=${send} />`)}
    </ul>
  </section>`;
}

/** The time that a tap gives, in milliseconds. */
const ADDED_MS = 60_000;

/** @param {{party: Party, state: Props["state"], pairing: Pairing, send: Props["page"]["send"]}} props */
function Table({ party, state: page, pairing, send }) {
  const { state, presence, me, isHost } = party;
  const { room, table, first, second, game } = pairing;
  const mine = first === me?.number || second === me?.number;
  const [missing, there] = [false, true].map((is) => [first, second ?? 0].filter((one) => presence.ready.includes(one) === is));
  // The host waits for somebody, or gives the place to somebody else.
  const calls = isHost && !room && there.length < 2;
  const check = calls ? "" : strings(there.length > 0 ? "party.check.one" : "party.check");
  const text = room ? (game > 1 ? strings("party.game", { game }) : "") : check;
  return html`<li class=${mine ? "party-row is-me" : "party-row"}>
    <b class="party-table">${table}</b>
    <span class="party-pair"><span>${pairText(state, pairing)}</span>${text && html`<small>${text}</small>`}
      ${calls && html`<span class="party-missing">${strings("party.missing.who")} ${missing.map((number) => html`<${EntrantName} key=${number} party=${party} state=${page} number=${number} />`)}</span>`}</span>
    ${isHost && (room || !state.paused) && html`<button
      type="button" class="button-quiet" aria-label=${strings(room ? "party.time.table" : "party.time.wait.table", { table })}
      onclick=${() => send({ type: "add_time", party: state.code, pairing: pairing.number, ms: ADDED_MS })}
    >${strings(room ? "party.time" : "party.time.wait")}</button>`}
    ${room && html`<${Link}
      class="button-quiet"
      to=${{ screen: "room", code: room }}
      aria-label=${mine ? null : strings("party.watch.name", { pair: pairText(state, pairing) })}
    >${strings(mine ? "party.toGame" : "party.watch")}<//>`}
  </li>`;
}

/** "Winner stays on": who plays next. @param {{party: Party}} props */
function Queue({ party: { state, presence, me } }) {
  if (state.queue.length === 0) return null;
  return html`<section class="group">
    <h2>${strings("party.queue")}</h2>
    <ol class="party-queue">
      ${state.queue.map((number) => html`<li key=${number} class=${number === me?.number ? "is-me" : null}>
        <bdi>${name(state, number)}</bdi>${presence.away.includes(number) && html` <small>(${strings("party.away")})</small>`}
      </li>`)}
    </ol>
  </section>`;
}

