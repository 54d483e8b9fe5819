// A client for programs: it keeps a connection, runs the session on it, and gives what is asked for as promises.
// @ts-check

import { Connection } from "./connection.js";
import { MAX_RETRIES, PASSING_REFUSALS, RETRY_MS } from "./generated/retries.js";
import { checkIntent, checkOptions } from "./options.js";
import { hook, useParty } from "./party-hook.js";
import { Promises, RefusedError } from "./promises.js";
import { isMyTurn } from "./rules.js";
import { deadline, initialSession, update } from "./session.js";
import { sleepDetector } from "./sleep.js";
import { browserStore, memoryStore } from "./store.js";

/** @typedef {import("./protocol.js").Intent} Intent */
/** @typedef {import("./protocol.js").Mark} Mark */
/** @typedef {import("./room.js").Room} Room */
/** @typedef {import("./party.js").Party} Party */
/** @typedef {import("./session.js").Input} Input */
/** @typedef {import("./session.js").Session} Session */

/**
 * @typedef {object} ConnectOptions
 * @property {string} [name] that others see: "Guest" without it
 * @property {import("./protocol.js").Face} [face]
 * @property {string} [password] of the server
 * @property {import("./store.js").Store} [store] of the token: the browser's storage, or else the memory
 * @property {typeof globalThis.WebSocket} [WebSocket] where there is no global one
 */

/**
 * The events of a client: the session's, each message as it came, that the state is another one,
 * that it is our turn in a position, that a game is over.
 *
 * @typedef {import("./session.js").Output | {type: "change"}
 *   | {type: "message", message: import("./protocol.js").ServerMessage}
 *   | {type: "turn" | "over", room: Room}} ClientEvent
 */

/** Few programs follow a party, so that its core comes when it is asked for. */
const loadParty = () => import("./party.js").then(({ PARTY_CORE }) => useParty(PARTY_CORE));

export class Client {
  /** Ids count up from a random start and stay below 2^53. */
  #session = initialSession(Math.floor(Math.random() * 2 ** 52));
  #promises = new Promises();
  /** @type {Map<string, Set<(event: any) => void>>} */ #listeners = new Map();
  /** @type {ClientEvent[]} */ #events = [];
  #isTelling = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  /** @type {string | null} */ #token = null;
  /** @type {{player: string, name: string} | null} */ #me = null;
  #options;
  #store;
  #connection;

  /** @param {string} url @param {ConnectOptions} options */
  constructor(url, options) {
    checkOptions(options);
    this.#options = options;
    const hasSlept = sleepDetector();
    const base = baseOf(url);
    const inBrowser = typeof localStorage === "object" && typeof document === "object";
    this.#store = options.store ?? (inBrowser ? browserStore(`noughts-client ${base}`) : memoryStore());
    this.#connection = new Connection({
      base,
      greeting: () => this.#greeting(),
      report: (input) => {
        this.#take(input);
        if (hasSlept()) this.#take({ type: "wake" });
      },
      onHelloRefused: (refusal) => this.#helloRefused(refusal),
      WebSocket: options.WebSocket,
    });
    this.#open();
  }

  /** The whole state. It is never changed: after a change there is another one. */
  get session() {
    return this.#session;
  }

  /** The room that we are in. */
  get room() {
    return this.#session.room;
  }

  /** The party that we follow. */
  get party() {
    return this.#session.party;
  }

  /** The public games, after `watchLobby`. */
  get lobby() {
    return this.#session.lobby;
  }

  /** The player's id and name; null before the first welcome. */
  get me() {
    return this.#me;
  }

  /**
   * Calls a listener at each event of a type.
   *
   * @template {ClientEvent["type"]} T
   * @param {T} type @param {(event: ClientEvent & {type: T}) => void} listener
   * @returns {() => void} ends that
   */
  on(type, listener) {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /**
   * Asks for anything that the protocol has. Without a connection it is asked for when there is one.
   *
   * @param {Intent} intent
   * @returns {Promise<any>} what it leads to; rejected with a `RefusedError`, or a `TypeError` for an unknown option
   */
  async ask(intent) {
    checkIntent(intent);
    const isOfParty = "party" in intent || intent.type === "create_party";
    if (isOfParty && !hook.core) return loadParty().then(() => this.ask(intent));
    return this.#askAgain(intent, MAX_RETRIES);
  }

  /** @param {Intent} intent @param {number} times @returns {Promise<any>} */
  #askAgain(intent, times) {
    return this.#askOnce(intent).catch((error) => {
      if (error.code !== "rate_limited" || times === 0) throw error;
      return new Promise((go) => setTimeout(go, RETRY_MS)).then(() => this.#askAgain(intent, times - 1));
    });
  }

  /** @param {Intent} intent @returns {Promise<any>} */
  #askOnce(intent) {
    const { phase, nextId } = this.#session;
    if (phase === "ended") return Promise.reject(new RefusedError("closed", "the connection has ended"));
    const [, outputs] = update(this.#session, { type: "asked", intent }, performance.now());
    const refused = outputs.find(({ type }) => type === "blocked" || type === "busy");
    if (refused) {
      const code = refused.type === "blocked" ? refused.why : "busy";
      return Promise.reject(new RefusedError(code, `${intent.type} is not possible now: ${code}`));
    }
    const answered = this.#promises.add(nextId, intent.type);
    this.#take({ type: "asked", intent });
    return answered;
  }

  /** @param {Omit<Intent & {type: "create"}, "type">} [options] @returns {Promise<Room>} */
  create(options = {}) {
    return this.ask({ type: "create", seats: { x: "you", o: "open" }, ...options });
  }

  /** @param {string} room its code @param {"player" | "spectator"} [role] @returns {Promise<Room>} */
  join(room, role = "player") {
    return this.ask({ type: "join", room, role });
  }

  /**
   * Plays a stranger. Resolved when there is an opponent.
   *
   * @param {Omit<Intent & {type: "quick_match"}, "type">} [options] @returns {Promise<Room>}
   */
  quickMatch(options = {}) {
    return this.ask({ type: "quick_match", ...options });
  }

  /** Leaves the room; a running game is resigned. @returns {Promise<void>} */
  leave() {
    return this.#inRoom((room) => ({ type: "leave", room }));
  }

  /** @param {number} cell from 0, row by row @param {Mark} [placed] where there is a choice @returns {Promise<void>} */
  play(cell, placed) {
    return this.#inGame((room, game, ply) => ({ type: "play", room, game, ply, cell, ...(placed && { placed }) }));
  }

  /** Chooses a side in an opening. @param {import("./protocol.js").OpeningChoice} choice @returns {Promise<void>} */
  choose(choice) {
    return this.#inGame((room, game) => ({ type: "choose", room, game, choice }));
  }

  /** @returns {Promise<void>} */
  resign() {
    return this.#inGame((room, game) => ({ type: "resign", room, game }));
  }

  /**
   * Offers another game, or accepts the offer.
   *
   * @param {boolean} [offer] `false` takes the offer back, or declines the opponent's
   * @returns {Promise<void>}
   */
  rematch(offer = true) {
    return this.#inGame((room, game) => ({ type: "rematch", room, game, offer }));
  }

  /** @param {boolean} [offer] @returns {Promise<void>} */
  takeBack(offer = true) {
    return this.#inGame((room, game, ply) => ({ type: "take_back", room, game, ply, offer }));
  }

  /** Ends the game of an opponent who has gone. @param {"win" | "draw"} [result] @returns {Promise<void>} */
  claim(result = "win") {
    return this.#inGame((room, game) => ({ type: "claim", room, game, result }));
  }

  /** @returns {Promise<import("./protocol.js").Hint>} */
  hint() {
    return this.#inGame((room, game) => ({ type: "hint", room, game }));
  }

  /** Of a game that is over. @returns {Promise<import("./protocol.js").Review>} */
  review() {
    return this.#inGame((room, game) => ({ type: "review", room, game }));
  }

  /** @param {string | {emote: import("./protocol.js").Emote}} said @returns {Promise<void>} */
  say(said) {
    return this.#inRoom((room) => ({ type: "say", room, said: typeof said === "string" ? { text: said } : said }));
  }

  /** Follows the public games: `lobby`, and the event of that name. @returns {Promise<void>} */
  watchLobby() {
    return this.ask({ type: "watch_lobby" });
  }

  /**
   * @param {string} name @param {Omit<Intent & {type: "create_party"}, "type" | "name">} [options]
   * @returns {Promise<Party>}
   */
  createParty(name, options = {}) {
    return this.ask({ type: "create_party", name, ...options });
  }

  /** @param {string} party its code @param {import("./party.js").PartyRole} [role] @returns {Promise<Party>} */
  joinParty(party, role = "player") {
    return this.ask({ type: "join_party", party, role });
  }

  /** Ends the connection for good. Seats are kept, as in a break. */
  close() {
    this.#connection.close();
    this.#take({ type: "ended", code: null, reason: "" });
  }

  /** @param {(room: string) => Intent} intent */
  #inRoom(intent) {
    return this.ask(intent(this.room?.code ?? ""));
  }

  /** @param {(room: string, game: number, ply: number) => Intent} intent */
  #inGame(intent) {
    const game = this.room?.game;
    return this.#inRoom((room) => intent(room, game?.number ?? 0, game?.moves.length ?? 0));
  }

  async #open() {
    this.#token = (await this.#stored(() => this.#store.load())) || null;
    if (this.#session.phase !== "ended") this.#connection.open();
  }

  #greeting() {
    const { name = "Guest", face = null, password } = this.#options;
    return { name, face, password, token: this.#token, pass: null };
  }

  /** @param {string} token */
  #keep(token) {
    if (token === this.#token) return;
    this.#token = token || null;
    this.#stored(() => this.#store.save(token));
  }

  /** A store that fails ends the client, which would be somebody else the next time. @template T @param {() => T} act */
  async #stored(act) {
    try {
      return await act();
    } catch (error) {
      // The step that saves comes to its end first.
      await null;
      this.#end("store", `the store does not work: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** @param {string} code of the promises that wait @param {string} reason */
  #end(code, reason) {
    if (this.#session.phase === "ended") return;
    this.#connection.close();
    this.#promises.rejectAll(code, reason);
    this.#take({ type: "ended", code: null, reason });
  }

  /** @param {import("./session.js").Refusal} refusal @returns {"wait" | "tell"} */
  #helloRefused({ code, message }) {
    if (PASSING_REFUSALS.includes(code)) return "tell";
    this.#end(code, message);
    return "wait";
  }

  /** @param {Input} input */
  #take(input) {
    const before = this.#session;
    const [session, outputs] = update(before, input, performance.now());
    this.#session = session;
    this.#keepTime();
    if (input.type === "welcome") {
      const { player, name, token } = input.message;
      this.#me = { player, name };
      this.#keep(token);
    }
    for (const output of outputs) {
      if (output.type === "send") this.#connection.send(output.message);
      if (output.type === "forgotten") this.#keep("");
    }
    if (input.type === "told") this.#promises.answer(input.message, session);
    if (session.phase === "ended") this.#promises.rejectAll("closed", "the connection has ended");
    this.#promises.settle(outputs, session);
    this.#tell(input, outputs, before);
    // Both tell this client more, so they come last.
    if (outputs.some(({ type }) => type === "reconnect")) this.#connection.giveUp();
    if (outputs.some(({ type }) => type === "forgotten")) this.#connection.reconnect();
  }

  #keepTime() {
    clearTimeout(this.#timer);
    const due = deadline(this.#session);
    if (due !== null) this.#timer = setTimeout(() => this.#take({ type: "time" }), due - performance.now());
  }

  /** @param {Input} input @param {readonly import("./session.js").Output[]} outputs @param {Session} before */
  #tell(input, outputs, before) {
    const { room } = this.#session;
    if ("message" in input) this.#events.push({ type: "message", message: input.message });
    this.#events.push(...outputs.filter(({ type }) => type !== "send" && type !== "reconnect"));
    if (this.#session !== before) this.#events.push({ type: "change" });
    if (room && isMyTurn(room) && positionOf(room) !== positionOf(before.room)) this.#events.push({ type: "turn", room });
    if (room?.game?.result && before.room?.code === room.code && !before.room.game?.result) {
      this.#events.push({ type: "over", room });
    }
    this.#tellAll();
  }

  /** Tells all events. Those that a listener causes come last: all listeners see the same order. */
  #tellAll() {
    if (this.#isTelling) return;
    this.#isTelling = true;
    for (let event = this.#events.shift(); event; event = this.#events.shift()) {
      for (const listener of this.#listeners.get(event.type) ?? []) {
        try {
          listener(event);
        } catch (error) {
          // A listener's fault is its program's, as if nobody had called it.
          queueMicrotask(() => { throw error; });
        }
      }
    }
    this.#isTelling = false;
  }
}

/** The address below which `ws` is. @param {string} url @returns {string} */
function baseOf(url) {
  const base = new URL(url.includes("://") ? url : `http://${url}`);
  base.protocol = base.protocol.replace("ws", "http");
  base.pathname = base.pathname.replace(/\/(ws)?$/, "/").replace(/([^/])$/, "$1/");
  return base.href;
}

/** Another text for each position in which somebody may be to move. @param {Room | null} room */
const positionOf = (room) => {
  const { game } = room ?? {};
  return [room?.code, game?.number, game?.moves.length, game?.opening?.state, room && isMyTurn(room)].join();
};
