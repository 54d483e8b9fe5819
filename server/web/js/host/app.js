// The page of hosts as a whole: the token, what goes on now, the lists and their tabs, and what was done.
// @ts-check

import { Component, html } from "../html.js";
import { read, remove, text, write } from "../storage.js";
import { strings } from "../strings.js";
import { ActDialog } from "./acts.js";
import { Details, questionsOf } from "./details.js";
import { Watch, ask } from "./door.js";
import { Head } from "./head.js";
import { LISTS, LIST_NAMES, rowsOf } from "./lists.js";
import { Table } from "./table.js";
import { number } from "./text.js";
import { TokenForm } from "./token-form.js";

/** @typedef {import("./door.js").Answer} Answer */
/** @typedef {import("./door.js").Question} Question */
/** @typedef {import("./door.js").Trouble} Trouble */
/** @typedef {import("./lists.js").ListName} ListName */
/** @typedef {import("./table.js").Sort} Sort */
/** @typedef {import("./details.js").Detail} Detail */
/** @typedef {import("./acts.js").ActName} ActName */
/** @typedef {import("./acts.js").About} About */
/** @typedef {ActName | "open" | "switch.on" | "switch.off"} Deed what a sentence says that it is done */

/**
 * @typedef {object} State
 * @property {string | null} token
 * @property {Trouble | null} trouble why nothing new is shown
 * @property {import("./door.js").Status | null} status
 * @property {Answer | null} answer to the question of the list
 * @property {Answer[]} seen the answers to the questions of the detail
 * @property {ListName} tab
 * @property {string} filter
 * @property {Partial<Record<ListName, Sort>>} sorts
 * @property {Detail | null} detail
 * @property {{act: ActName, about: About} | null} doing
 * @property {{text: string, failed: boolean} | null} told
 */

/** How long it is said that something is done, in milliseconds. */
const TOLD_MS = 8_000;

/** Where the token is kept: until the tab is closed. */
const KEY = "noughts.host";
const storage = () => sessionStorage;

/** @returns {ListName} */
function tabOfAddress() {
  const name = location.hash.slice(1);
  return LIST_NAMES.find((one) => one === name) ?? "rooms";
}

/** @extends {Component<{}, State>} */
export class App extends Component {
  /** @type {State} */
  state = {
    token: text(read(storage, KEY)?.token),
    trouble: null,
    status: null,
    answer: null,
    seen: [],
    tab: tabOfAddress(),
    filter: "",
    sorts: {},
    detail: null,
    doing: null,
    told: null,
  };

  #watch = new Watch(() => this.#look(), (seen) => this.#saw(seen));

  /** @type {number | undefined} */
  #timer;

  componentDidMount() {
    document.title = `${strings("host.title")} – Noughts`;
    this.#watch.now();
  }

  componentWillUnmount() {
    this.#watch.stop();
  }

  #sort = () => this.state.sorts[this.state.tab] ?? LISTS[this.state.tab].sort;

  /** @returns {Promise<Answer[]>} */
  #look() {
    const { token, tab, filter, detail } = this.state;
    if (token === null) return Promise.resolve([]);
    const list = LISTS[tab].question(filter.trim(), this.#sort());
    const questions = [{ type: "status" }, list, ...(detail ? questionsOf(detail) : [])];
    return Promise.all(questions.map((question) => ask(token, question)));
  }

  /** @param {Answer[] | Trouble} seen */
  #saw(seen) {
    if (seen === "token") {
      this.#leave(seen);
    } else if (typeof seen === "string") {
      this.setState({ trouble: seen });
    } else {
      const [status, answer, ...others] = seen;
      if (status?.type === "status") this.setState({ status, answer, seen: others, trouble: null });
    }
  }

  /** Looks at something else, at once. @param {Partial<State>} change */
  #change = (change) => this.setState(change, this.#watch.now);

  /** @param {string} token */
  #enter = (token) => {
    write(storage, KEY, { token });
    this.#change({ token, trouble: null });
  };

  /** Forgets the token. @param {Trouble | null} trouble */
  #leave = (trouble) => {
    remove(storage, KEY);
    this.setState({ token: null, trouble, status: null, answer: null, seen: [], detail: null, doing: null, told: null });
  };

  /** @param {ListName} tab */
  #show = (tab) => {
    history.replaceState(history.state, "", `#${tab}`);
    this.#change({ tab, filter: "", answer: null });
  };

  /** @param {ActName} act @param {About} [about] */
  #begin = (act, about = {}) => this.setState({ doing: { act, about } });

  /**
   * Does something, and says what came of it.
   *
   * @param {Deed} deed
   * @param {import("../strings.js").Params} params
   * @param {Question} order
   */
  #do = async (deed, params, order) => {
    const answer = await ask(this.state.token ?? "", order).catch((error) => /** @type {const} */ ({ type: "refused", message: strings(`host.trouble.${error.trouble}`) }));
    const failed = answer.type !== "done";
    const why = answer.type === "refused" ? answer.message : "";
    const told = { failed, text: failed ? strings("host.refused", { why }) : strings(`host.done.${deed}`, params) };
    const ended = !failed && (deed === "end_room" || deed === "end_party");
    this.#change({ told, ...(ended ? { detail: null } : {}) });
    clearTimeout(this.#timer);
    if (!failed) this.#timer = setTimeout(() => this.setState({ told: null }), TOLD_MS);
  };

  /** @param {Question} order */
  #accept = (order) => {
    const { doing } = this.state;
    if (!doing) return;
    const params = Object.fromEntries(Object.entries({ ...doing.about, ...order }).map(([key, value]) => [key, String(value)]));
    void this.#do(doing.act, params, order);
  };

  /** @param {{}} _ @param {State} state */
  render(_, { token, trouble, status, answer, seen, tab, filter, detail, doing, told }) {
    if (token === null) return html`<div class="shell"><${TokenForm} trouble=${trouble} accept=${this.#enter} /></div>`;
    const list = LISTS[tab];
    const order = (/** @type {Deed} */ deed, /** @type {Question} */ question, params = {}) => void this.#do(deed, params, question);
    return html`<div class="shell host">
      <header class="host-bar">
        <h1 tabindex="-1">${strings("host.title")}${status?.name && html` · <bdi>${status.name}</bdi>`}</h1>
        <p class="connection-status" role="status" data-phase=${trouble ? "lost" : status ? "open" : "connecting"}>
          ${strings(trouble ? `host.trouble.${trouble}` : status ? "host.live" : "connection.connecting")}
        </p>
        <button type="button" class="button-bare" onclick=${() => this.#leave(null)}>${strings("host.leave")}</button>
      </header>
      ${status && html`<${Head}
        status=${status}
        flip=${(/** @type {import("./head.js").Switch} */ feature, /** @type {boolean} */ on) =>
          order(on ? "switch.on" : "switch.off", { type: "switch", feature, on }, { feature: strings(`host.feature.${feature}`) })}
        say=${() => this.#begin("say")}
        close=${() => this.#begin("close")}
        open=${() => order("open", { type: "open" })}
      />`}
      <${Tabs} tab=${tab} show=${this.#show} />
      <section class="host-list" role="tabpanel" id="host-list" aria-labelledby="tab-${tab}">
        <div class="host-tools">
          <input
            class="input" type="search" autocomplete="off" value=${filter} maxlength="64"
            aria-label=${strings("host.filter")} placeholder=${strings("host.filter")}
            oninput=${(/** @type {any} */ { currentTarget }) => this.setState({ filter: currentTarget.value })}
          />
          ${tab === "bans" && html`<button type="button" class="button-quiet" aria-haspopup="dialog" onclick=${() => this.#begin("ban")}>${strings("host.ban.new")}</button>`}
        </div>
        ${answer && this.#rows(list, answer, filter, tab)}
      </section>
      <div class="host-notice" role="status">
        ${told && !detail && html`<div class="notice" data-kind=${told.failed ? "error" : "info"}>
          <p>${told.text}</p>
          <button type="button" class="button-bare" aria-label=${strings("notice.dismiss")} onclick=${() => this.setState({ told: null })}><span aria-hidden="true">✕</span></button>
        </div>`}
      </div>
      ${detail && html`<${Details}
        detail=${detail} seen=${seen} told=${told} act=${this.#begin}
        look=${this.#lookAt} onclose=${() => this.setState({ detail: null, seen: [] })}
      />`}
      ${doing && html`<${ActDialog} act=${doing.act} about=${doing.about} accept=${this.#accept} onclose=${() => this.setState({ doing: null })} />`}
    </div>`;
  }

  /** @param {Detail} detail */
  #lookAt = (detail) => this.#change({ detail, seen: [], told: null });

  /**
   * @param {import("./lists.js").List} list
   * @param {Answer} answer
   * @param {string} filter
   * @param {ListName} tab
   */
  #rows(list, answer, filter, tab) {
    if (answer.type === "refused") return html`<p class="host-none" lang="en">${answer.message}</p>`;
    const rows = rowsOf(list, answer, filter);
    const total = "total" in answer ? answer.total ?? 0 : 0;
    const asleep = answer.type === "rooms" ? answer.asleep : 0;
    const open = { rooms: this.#openRoom, parties: this.#openParty, people: this.#openPerson }[/** @type {string} */ (tab)];
    const lift = (/** @type {import("./door.js").Ban} */ { ban }) => html`<button type="button" class="button-quiet" aria-haspopup="dialog" onclick=${() => this.#begin("unban", { ban })}>
      ${strings("host.act.unban")}
    </button>`;
    return html`
      <${Table}
        label=${strings(`host.tab.${tab}`)} columns=${list.columns} rows=${rows} id=${list.id} sort=${this.#sort()}
        onsort=${(/** @type {Sort} */ sort) => this.#change({ sorts: { ...this.state.sorts, [tab]: sort } })}
        none=${strings(filter ? "host.none.filtered" : `host.none.${tab}`)} open=${open} end=${tab === "bans" ? lift : null}
      />
      ${total > rows.length && html`<p class="note">${strings("host.shown", { shown: number(rows.length), total: number(total) })}</p>`}
      ${asleep > 0 && html`<p class="note">${strings("host.asleep", { count: number(asleep) })}</p>`}`;
  }

  #openRoom = (/** @type {import("./door.js").HostRoom} */ { room }) => this.#lookAt({ kind: "room", room });
  #openParty = (/** @type {import("./door.js").HostParty} */ party) => this.#lookAt({ kind: "party", party });
  #openPerson = (/** @type {import("./door.js").HostPerson} */ person) => this.#lookAt({ kind: "person", person });
}

/** The tabs, through which the arrow keys lead. @param {{tab: ListName, show: (tab: ListName) => void}} props */
function Tabs({ tab, show }) {
  /** @param {KeyboardEvent & {currentTarget: HTMLElement}} event */
  const move = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = (LIST_NAMES.indexOf(tab) + step + LIST_NAMES.length) % LIST_NAMES.length;
    show(LIST_NAMES[next]);
    /** @type {HTMLElement} */ (event.currentTarget.children[next]).focus();
  };
  return html`<div class="host-tabs" role="tablist" aria-label=${strings("host.lists")} onkeydown=${move}>
    ${LIST_NAMES.map((name) => html`<button
      type="button" role="tab" id="tab-${name}" key=${name} aria-selected=${name === tab} aria-controls="host-list"
      tabindex=${name === tab ? 0 : -1} onclick=${() => show(name)}
    >${strings(`host.tab.${name}`)}</button>`)}
  </div>`;
}
