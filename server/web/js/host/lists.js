// The lists of the page of hosts: what each asks the server, its columns, and what its filter looks at.
// @ts-check

import { html } from "../html.js";
import { seatName } from "../views/summary.js";
import { strings } from "../strings.js";
import { gameText } from "../variant-text.js";
import { deedText, moment, number, span, whoText } from "./text.js";

/** @typedef {import("./table.js").Column} Column */
/** @typedef {import("./table.js").Sort} Sort */
/** @typedef {import("./door.js").Answer} Answer */
/** @typedef {import("./door.js").HostRoom} HostRoom */
/** @typedef {import("./door.js").HostParty} HostParty */
/** @typedef {import("./door.js").HostPerson} HostPerson */
/** @typedef {import("./door.js").HostLimit} HostLimit */
/** @typedef {import("./door.js").Ban} Ban */
/** @typedef {import("./door.js").Act} Act */

/** Rows that a list shows at most. The filter finds the others. */
export const MOST = 200;

/**
 * @typedef {object} List
 * @property {(filter: string, sort: Sort) => import("./door.js").Question} question
 * @property {(answer: any) => any[] | undefined} rows none of an answer to another question
 * @property {(row: any) => string | number} id
 * @property {readonly Column[]} columns
 * @property {(row: any) => string} words what the filter looks at
 * @property {Sort} sort the first one
 */

/** @typedef {"rooms" | "parties" | "people" | "limits" | "bans" | "log"} ListName */

/** A text of people, which may be written from right to left. @param {string} text */
const own = (text) => html`<bdi>${text}</bdi>`;

/** @param {HostRoom} room */
const players = ({ seats }) => `${seatName(seats.x)} : ${seatName(seats.o)}`;

/** @param {HostRoom} room */
function stateOf({ game, seats }) {
  if (game) return strings("host.state.game", { game });
  return strings(seats.x.kind === "open" || seats.o.kind === "open" ? "host.state.waiting" : "host.state.between");
}

/** The names by which the server sorts rooms. @type {Record<string, string>} */
const ROOM_SORTS = { code: "code", watching: "watching", idle: "last_move", age: "age" };

/** @param {number | undefined} seconds */
const since = (seconds) => (seconds === undefined ? "" : span(seconds));

/** A connection with its number among those of the same person. @param {HostPerson} one @param {number} at @param {HostPerson[]} all */
const numbered = (one, at, all) => ({ ...one, at: all.slice(0, at).filter(({ player }) => player === one.player).length });

/** @type {Record<ListName, List>} */
export const LISTS = {
  rooms: {
    question: (filter, { key }) => ({ type: "rooms", filter, sort: ROOM_SORTS[key] ?? "code", most: MOST }),
    rows: ({ rooms }) => rooms,
    id: ({ room }) => room,
    columns: [
      { key: "code", value: ({ room }) => room },
      { key: "players", value: players, cell: (/** @type {HostRoom} */ { seats }) => html`<bdi>${seatName(seats.x)}</bdi> : <bdi>${seatName(seats.o)}</bdi>` },
      { key: "state", value: ({ game }) => game ?? 0, cell: stateOf, most: true },
      { key: "board", value: ({ settings }) => settings.board.width * settings.board.height, cell: ({ settings }) => gameText(settings) },
      { key: "watching", value: ({ spectators }) => spectators, most: true, end: true },
      { key: "idle", value: ({ idle_s: idle }) => idle ?? 0, cell: ({ idle_s: idle }) => since(idle), end: true },
      { key: "age", value: ({ age_s: age }) => age ?? 0, cell: ({ age_s: age }) => since(age), most: true, end: true },
      { key: "listed", value: ({ settings }) => Number(settings.listed), cell: ({ settings }) => strings(settings.listed ? "host.listed" : settings.party ? "host.ofParty" : "host.byCode"), most: true },
    ],
    words: (/** @type {HostRoom} */ room) => `${room.room} ${players(room)} ${room.settings.party?.party ?? ""}`,
    sort: { key: "code", back: false },
  },
  parties: {
    question: () => ({ type: "parties" }),
    rows: ({ parties }) => parties,
    id: ({ party }) => party,
    columns: [
      { key: "code", value: ({ party }) => party },
      { key: "name", value: ({ name }) => name ?? "", cell: ({ name }) => own(name ?? "") },
      { key: "phase", value: ({ phase }) => phase ?? "", cell: ({ phase }) => (strings.has(`host.phase.${phase}`) ? strings(`host.phase.${phase}`) : phase) },
      { key: "entrants", value: ({ entrants }) => entrants, most: true, end: true },
      { key: "there", value: ({ empty }) => Number(!empty), cell: ({ empty }) => strings(empty ? "host.empty" : "host.there"), most: true },
    ],
    words: ({ party, name }) => `${party} ${name ?? ""}`,
    sort: { key: "code", back: false },
  },
  people: {
    question: (filter) => ({ type: "people", filter, most: MOST }),
    rows: ({ connections }) => connections?.map(numbered),
    id: ({ player, at }) => `${player} ${at}`,
    columns: [
      { key: "name", value: ({ name }) => name, cell: ({ name }) => own(name) },
      { key: "place", value: ({ room, party }) => room ?? party ?? "", cell: ({ room, party, waits_for: game }) => [room, party, game && strings("host.waits", { size: gameText(game) })].filter(Boolean).join(", ") },
      { key: "address", value: ({ address }) => address },
      { key: "since", value: ({ since_s: seconds }) => seconds, cell: ({ since_s: seconds }) => span(seconds), most: true, end: true },
      { key: "id", value: ({ player }) => player, cell: ({ player }) => html`<code>${player}</code>` },
    ],
    words: ({ player, name, address, room, party }) => [player, name, address, room, party].join(" "),
    sort: { key: "since", back: true },
  },
  limits: {
    question: () => ({ type: "limits" }),
    rows: ({ limited }) => limited,
    id: ({ what, who }) => `${what} ${who}`,
    columns: [
      { key: "who", value: ({ who }) => who, cell: ({ who }) => own(who) },
      { key: "what", value: ({ what }) => what, cell: ({ what }) => (strings.has(`host.limit.${what}`) ? strings(`host.limit.${what}`) : html`<span lang="en">${what}</span>`) },
      { key: "count", value: ({ count }) => count, cell: ({ count }) => number(count), most: true, end: true },
    ],
    words: ({ what, who }) => `${who} ${what}`,
    sort: { key: "count", back: false },
  },
  bans: {
    question: () => ({ type: "bans" }),
    rows: ({ bans }) => bans,
    id: ({ ban }) => ban,
    columns: [
      { key: "ban", value: ({ ban }) => ban, most: true },
      { key: "who", value: (/** @type {Ban} */ { who }) => whoText(who), cell: ({ who }) => html`<code>${whoText(who)}</code>` },
      { key: "until", value: ({ until }) => until ?? Infinity, cell: ({ until }) => (until === null ? strings("host.time.ever") : moment(until)) },
      { key: "reason", value: ({ reason }) => reason, cell: ({ reason }) => own(reason) },
    ],
    words: ({ who, reason }) => `${whoText(who)} ${reason}`,
    sort: { key: "ban", back: false },
  },
  log: {
    question: () => ({ type: "log" }),
    rows: ({ acts }) => acts,
    id: ({ act }) => act,
    columns: [
      { key: "at", value: ({ act }) => act, cell: ({ at }) => moment(at), most: true },
      { key: "by", value: ({ by }) => by, cell: ({ by }) => own(by) },
      { key: "deed", value: (/** @type {Act} */ { deed }) => deedText(deed), cell: ({ deed }) => own(deedText(deed)) },
    ],
    words: ({ by, deed }) => `${by} ${deedText(deed)}`,
    sort: { key: "at", back: false },
  },
};

/** The lists, in the order of their tabs. */
export const LIST_NAMES = /** @type {ListName[]} */ (Object.keys(LISTS));

/**
 * The rows of an answer that the filter lets through.
 *
 * @param {List} list
 * @param {Answer} answer
 * @param {string} filter
 * @returns {any[]}
 */
export function rowsOf(list, answer, filter) {
  const wanted = filter.trim().toLowerCase();
  return (list.rows(answer) ?? []).filter((row) => list.words(row).toLowerCase().includes(wanted));
}
