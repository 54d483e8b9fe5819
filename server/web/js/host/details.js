// One room, party or person, from close by: a dialog that goes on changing, with what a host can do there.
// @ts-check

import { emoteWords } from "../chat/emotes.js";
import { Close, Dialog } from "../dialog.js";
import { focusOn } from "../focus.js";
import { Component, createRef, html } from "../html.js";
import { roomSeed } from "../room/pen.js";
import { MARKS, nextMark } from "../client/rules.js";
import { TileBoard } from "../screen/board.js";
import { rules, seatName } from "../views/summary.js";
import { strings } from "../strings.js";
import { sharesMarks } from "../variant-text.js";
import { span } from "./text.js";

/** @typedef {import("./door.js").Answer} Answer */
/** @typedef {import("./door.js").HostPerson} HostPerson */
/** @typedef {import("./door.js").HostParty} HostParty */
/** @typedef {import("./door.js").RoomView} RoomView */
/** @typedef {import("./door.js").Question} Question */
/** @typedef {import("./acts.js").ActName} ActName */
/** @typedef {import("./acts.js").About} About */

/**
 * The thing that the host looks at.
 *
 * @typedef {{kind: "room", room: string} | {kind: "party", party: HostParty} | {kind: "person", person: HostPerson}} Detail
 */

/**
 * @typedef {object} Props
 * @property {Detail} detail
 * @property {Answer[]} seen the answers to its questions; empty until they come
 * @property {{text: string, failed: boolean} | null} told what the last act has done
 * @property {(act: ActName, about: About) => void} act
 * @property {(detail: Detail) => void} look
 * @property {() => void} onclose
 */

/** People in a room whom the page asks for. */
const MOST_PEOPLE = 200;

/** The questions for a detail. @param {Detail} detail @returns {Question[]} */
export function questionsOf(detail) {
  if (detail.kind === "person") return [{ type: "people", filter: detail.person.player, most: MOST_PEOPLE }];
  if (detail.kind === "party") return [{ type: "parties" }, { type: "people", filter: detail.party.party, most: MOST_PEOPLE }];
  return [{ type: "room", room: detail.room }, { type: "people", filter: detail.room, most: MOST_PEOPLE }];
}

/** @param {Answer[]} seen @returns {HostPerson[]} */
const peopleIn = (seen) => seen.flatMap((answer) => (answer.type === "connections" ? answer.connections : []));

/** One connection of each. @param {HostPerson[]} people */
const each = (people) => [...new Map(people.map((person) => [person.player, person])).values()];

/** The dialog stays where one detail leads to another, so that the focus comes back to the list in the end. @extends {Component<Props>} */
export class Details extends Component {
  /** @param {Props} before */
  componentDidUpdate({ detail }) {
    const title = document.getElementById("detail-title");
    if (detail === this.props.detail || !title) return;
    title.closest("dialog")?.scrollTo(0, 0);
    focusOn(title);
  }

  render() {
    const { detail, told, onclose } = this.props;
    const Body = { room: Room, party: Party, person: Person }[detail.kind];
    return html`<${Dialog} class="dialog host-detail" aria-labelledby="detail-title" onclose=${onclose}>
      <${Body} key=${JSON.stringify(detail)} ...${this.props} />
      <p class="host-told" role="status" data-failed=${told?.failed}>${told?.text}</p>
    <//>`;
  }
}

/** The head of a dialog, and the button that closes it. @param {{children: any}} props */
const Title = ({ children }) => html`<header class="menu-head">
  <h2 id="detail-title">${children}</h2>
  <${Close} name=${strings("host.shut")} autofocus />
</header>`;

/** @param {{act: (name: ActName) => void, names: readonly ActName[], harms?: readonly ActName[]}} props */
const Buttons = ({ act, names, harms = [] }) => html`<div class="buttons">
  ${names.map((name) => html`<button type="button" key=${name} class="button-quiet" aria-haspopup="dialog" onclick=${() => act(name)}>${strings(`host.act.${name}`)}</button>`)}
  ${harms.map((name) => html`<button type="button" key=${name} class="button-danger" aria-haspopup="dialog" onclick=${() => act(name)}>${strings(`host.act.${name}`)}</button>`)}
</div>`;

/** @param {{people: HostPerson[], look: (detail: Detail) => void}} props */
const People = ({ people, look }) => html`<section>
  <h3>${strings("host.people.here", { count: people.length })}</h3>
  <ul class="host-people">
    ${people.map((person) => html`<li key=${person.player}>
      <button type="button" class="host-open" onclick=${() => look({ kind: "person", person })}><bdi>${person.name}</bdi></button>
    </li>`)}
  </ul>
</section>`;

/** @param {Props & {detail: {kind: "room", room: string}}} props */
function Room({ detail: { room }, seen, act, look }) {
  const [view] = seen;
  const people = each(peopleIn(seen).filter((person) => person.room === room));
  const end = /** @type {const} */ ({ room, from: room });
  if (view?.type === "refused") return html`
    <${Title}>${strings("host.room", { room })}<//>
    <p><span lang="en">${view.message}</span></p>`;
  return html`
    <${Title}>${strings("host.room", { room })}<//>
    ${view?.type === "room" && html`<${RoomNow} view=${view} />`}
    <${People} people=${people} look=${look} />
    <${Buttons} act=${(/** @type {ActName} */ name) => act(name, end)} names=${["say"]} harms=${["end_room"]} />`;
}

/** The board and the talk of a room. @param {{view: RoomView}} props */
function RoomNow({ view: { snapshot, chat } }) {
  const { room, settings, seats, score, game, presence } = snapshot;
  const turn = game && !game.result ? game.opening?.by ?? nextMark(/** @type {any} */ (game)) : null;
  return html`<div class="host-now">
    <div>
      <p class="note">${rules(settings)}</p>
      ${MARKS.map((mark) => html`<p key=${mark} class="host-seat mark-${mark}">
        ${!sharesMarks(settings.variant) && html`<b>${mark.toUpperCase()}</b>`} <bdi>${seatName(seats[mark])}</bdi> <b>${score[mark]}</b>
        ${turn === mark && html`<span class="note">${strings("host.turn")}</span>`}
        ${presence[mark] && presence[mark].state !== "connected" && html`<span class="note">${strings("host.away")}</span>`}
      </p>`)}
      <div class="host-board" role="img" aria-label=${strings("host.board", { count: game?.moves.length ?? 0 })}>
        <${TileBoard} board=${settings.board} variant=${settings.variant} played=${game} seed=${roomSeed(room, game?.number ?? 0)} />
      </div>
      <p class="note">${strings("host.watching", { count: presence.spectators })}</p>
    </div>
    <section>
      <h3>${strings("host.talk")}</h3>
      <${Talk} chat=${chat} />
    </section>
  </div>`;
}

/** A room's talk, with the last line in sight. @extends {Component<{chat: RoomView["chat"]}>} */
class Talk extends Component {
  #lines = /** @type {{current: HTMLElement | null}} */ (createRef());
  #last = "";

  componentDidMount() {
    this.componentDidUpdate();
  }

  componentDidUpdate() {
    const { chat } = this.props;
    const last = `${chat.length} ${chat.at(-1)?.n}`;
    const lines = this.#lines.current;
    if (lines && last !== this.#last) lines.scrollTop = lines.scrollHeight;
    this.#last = last;
  }

  /** @param {any} props */
  render({ chat }) {
    return html`<div class="host-talk" role="log" tabindex="0" aria-label=${strings("host.talk")} ref=${this.#lines}>
      ${chat.length === 0 && html`<p class="note">${strings("host.talk.none")}</p>`}
      ${chat.map((/** @type {RoomView["chat"][number]} */ { n, name, seat, said }) => html`<p key=${`${seat ? "seat" : "watch"} ${n}`}>
        <b class=${seat ? `mark-${seat}` : null}><bdi>${name}</bdi>:</b> ${"text" in said ? html`<bdi>${said.text}</bdi>` : emoteWords(said.emote)}
      </p>`)}
    </div>`;
  }
}

/** @param {Props & {detail: {kind: "party", party: HostParty}}} props */
function Party({ detail, seen, act, look }) {
  const { party: code } = detail.party;
  const answer = seen.find((one) => one.type === "parties");
  const party = answer?.type === "parties" ? answer.parties.find((one) => one.party === code) : detail.party;
  const people = each(peopleIn(seen).filter((person) => person.party === code));
  if (!party) return html`<${Title}>${strings("host.party", { party: code })}<//><p>${strings("host.party.over")}</p>`;
  return html`
    <${Title}>${strings("host.party", { party: code })}<//>
    <p><bdi>${party.name}</bdi> ${strings.has(`host.phase.${party.phase}`) && strings(`host.phase.${party.phase}`)}</p>
    <p class="note">${strings("host.entrants", { count: party.entrants })}</p>
    <${People} people=${people} look=${look} />
    <${Buttons} act=${(/** @type {ActName} */ name) => act(name, { party: code, from: code })} names=${["say"]} harms=${["end_party"]} />`;
}

/** @extends {Component<Props & {detail: {kind: "person", person: HostPerson}}>} */
class Person extends Component {
  /** As they were seen last: those who leave are still there to be banned. */
  #last = this.props.detail.person;

  render() {
    const { player } = this.#last;
    // Until the first answer they are where they were: what appears then would push a button from under the pointer.
    const there = this.props.seen.length > 0 ? peopleIn(this.props.seen).filter((person) => person.player === player) : [this.#last];
    this.#last = there[0] ?? this.#last;
    return html`<${PersonNow} ...${this.props} last=${this.#last} there=${there} />`;
  }
}

/** @param {Props & {last: HostPerson, there: HostPerson[]}} props `there`: their connections */
function PersonNow({ last, there, act, look }) {
  const { player, name, address } = last;
  const rooms = [...new Set(there.flatMap((one) => one.room ?? []))];
  const parties = [...new Set(there.flatMap((one) => one.party ?? []))];
  const places = [...rooms, ...parties];
  const about = { player, name, address };
  const isGone = there.length === 0;
  return html`
    <${Title}><bdi>${name}</bdi><//>
    <dl class="host-facts">
      <dt>${strings("host.column.id")}</dt><dd><code>${player}</code></dd>
      ${(there.length > 0 ? there : [last]).map((one) => html`
        <dt>${strings("host.column.address")}</dt>
        <dd>${one.address}${isGone ? "" : `, ${strings("host.since", { time: span(one.since_s) })}`}</dd>`)}
      ${rooms.length > 0 && html`<dt>${strings("host.column.room")}</dt><dd>${rooms.map((room) => html`
        <button type="button" class="host-open" key=${room} onclick=${() => look({ kind: "room", room })}>${room}</button>`)}</dd>`}
      ${parties.length > 0 && html`<dt>${strings("host.column.party")}</dt><dd>${parties.join(", ")}</dd>`}
    </dl>
    ${isGone && html`<p>${strings("host.gone")}</p>`}
    <${Buttons} act=${(/** @type {ActName} */ one) => act(one, about)} names=${["rename", "rename_back"]} />
    ${places.length > 0 && html`<div class="buttons">
      ${places.map((from) => html`<button type="button" key=${from} class="button-danger" aria-haspopup="dialog" onclick=${() => act("remove", { ...about, from })}>
        ${strings("host.act.remove", { from })}
      </button>`)}
    </div>`}
    <${Buttons} act=${(/** @type {ActName} */ one) => act(one, about)} names=${[]} harms=${[...(isGone ? [] : [/** @type {const} */ ("disconnect")]), "ban", "forget"]} />`;
}
