// The connection: says hello, reconnects after a break, and detects a dead connection. No other
// file uses a WebSocket. The meaning of messages is in `session.js`.
// @ts-check

import {
  FINAL_CLOSE_CODES, FIRST_DELAY_MS, LONGEST_DELAY_AT_FIRST_MS, LONGEST_DELAY_MS, PING_ID,
  PROTOCOL_VERSION,
} from "./generated/constants.js";

/** @typedef {import("./protocol.js").ServerMessage} ServerMessage */
/** @typedef {import("./protocol.js").ClientMessage} ClientMessage */

/** The code of a break where a proxy passes everything but a WebSocket. */
export const NO_WEBSOCKET = 0;

/** So many attempts with the short delays take about 15 s. */
const FIRST_ATTEMPTS = 20;

/** An attempt fails after this time. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * The pause before a ping, and how long a pong may take before the connection counts as dead. A
 * player who only waits sees a lost network within 15 s. A room of a cluster is silent while its log
 * elects a leader, for up to 9 s. After a wake-up the pong may take less.
 */
const PING_MS = 5_000;
const PONG_MS = 10_000;
const WAKE_PONG_MS = 4_000;

/** `WebSocket.OPEN`. */
const OPEN = 1;

/** A connection that ends sooner than this counts as a failed attempt: the delays keep growing. */
const SHORT_LIVED_MS = 1_000;

/**
 * @typedef {{name: string, face: import("./protocol.js").Face | null, token: string | null, pass: string | null, password?: string}} Greeting
 */

/**
 * @typedef {object} Options
 * @property {string} base the server's address
 * @property {() => Greeting} greeting called for each attempt
 * @property {(input: import("./session.js").Input) => void} report
 * @property {(refusal: {code: string, message: string}) => "again" | "wait" | "tell"} onHelloRefused `"again"`
 *   says hello at once with the new greeting, `"wait"` waits for `open`, `"tell"` reports the refusal
 * @property {() => WebSocket | null} [early] a socket that is open already, for the first attempt
 * @property {typeof globalThis.WebSocket} [WebSocket] where there is no global one
 */

/**
 * The delay before an attempt. It doubles each time, and it is random so that the clients of a
 * restarted server do not all reconnect at the same time.
 *
 * @param {number} attempt 0 for the first after a break
 * @param {number} random 0 to 1
 * @returns {number} milliseconds
 */
export function delay(attempt, random) {
  const longest = attempt < FIRST_ATTEMPTS ? LONGEST_DELAY_AT_FIRST_MS : LONGEST_DELAY_MS;
  const full = Math.min(longest, FIRST_DELAY_MS * 2 ** Math.min(attempt, 10));
  return full * (0.5 + random / 2);
}

/** A connection that reconnects by itself, to another node if its server is a cluster. */
export class Connection {
  /** @type {Options} */ #options;
  /** The addresses to try, the next one first. @type {string[]} */ #bases;
  /** @type {WebSocket | null} */ #socket = null;
  /** Whether the server forbids to reconnect. */
  #ended = false;
  /** Whether the next hello waits for `open`. */
  #waits = false;
  #attempt = 0;
  /** When the server welcomed us. @type {number | null} */
  #welcomedAt = null;
  /** @type {number | undefined} for the next attempt, ping or pong */
  #timer;
  /** Whether no message came since the last ping. */
  #pinged = false;
  /** Whether there ever was a WebSocket. */
  #opened = false;
  /** Whether the server answers everything but that. */
  #blocked = false;

  /** @param {Options} options */
  constructor(options) {
    this.#options = options;
    this.#bases = [options.base];
  }

  /** Opens a new connection and drops the old one. */
  open() {
    this.#drop();
    this.#waits = false;
    const socket = this.#options.early?.() ?? this.#newSocket();
    this.#socket = socket;
    this.#later(CONNECT_TIMEOUT_MS, () => this.giveUp());
    if (socket.readyState === OPEN) this.#hello();
    socket.onopen = () => this.#hello();
    socket.onmessage = ({ data }) => this.#message(String(data));
    socket.onclose = ({ code, reason }) => this.#closed(code, reason);
    // Where nobody listens, the WebSocket of Node tells an error and no end.
    socket.onerror = () => {
      if (this.#welcomedAt === null) this.#closed(1006, "");
    };
  }

  #newSocket() {
    const Socket = this.#options.WebSocket ?? globalThis.WebSocket;
    if (!Socket) throw new Error("there is no WebSocket here: take Node 22, node --experimental-websocket, or the option WebSocket");
    const url = new URL("ws", this.#bases[0]);
    url.protocol = url.protocol.replace("http", "ws");
    return new Socket(url);
  }

  /**
   * Sends a message if the server has welcomed us. Otherwise the core sends it after the welcome.
   *
   * @param {ClientMessage} message
   */
  send(message) {
    if (this.#welcomedAt !== null) {
      this.#write(message);
    }
  }

  /** The device is awake, visible or online again: reconnects or pings at once. */
  wake() {
    if (this.#ended || this.#waits) {
      return;
    }
    if (!this.#socket) {
      this.#attempt = 0;
      this.open();
    } else if (this.#welcomedAt !== null) {
      this.#ping(WAKE_PONG_MS);
    }
  }

  /** Says hello again, for example with another name. */
  reconnect() {
    if (this.#welcomedAt !== null) {
      this.open();
    }
  }

  /** The server answers nothing: the connection counts as dead. */
  giveUp() {
    this.#broken(1006, "", true);
  }

  /** Ends the connection for good. */
  close() {
    this.#ended = true;
    this.#drop();
  }

  #hello() {
    this.#opened = true;
    this.#blocked = false;
    const { name, face, token, pass, password } = this.#options.greeting();
    const who = pass ? { pass } : { token };
    this.#write({ type: "hello", protocol: PROTOCOL_VERSION, name, face, ...who, password });
  }

  /** @param {object} message */
  #write(message) {
    if (this.#socket?.readyState === OPEN) {
      this.#socket.send(JSON.stringify(message));
    }
  }

  /** @param {string} text */
  #message(text) {
    if (this.#pinged) {
      this.#pinged = false;
      this.#later(PING_MS, () => this.#ping(PONG_MS));
    }
    const message = parse(text);
    if (!message) {
      return;
    }
    if (message.type === "welcome") {
      this.#welcomedAt = performance.now();
      // The first server first. A page that came encrypted may connect to nothing else.
      const { protocol } = new URL(this.#options.base);
      const others = message.server.nodes?.filter((node) => node.startsWith(protocol));
      this.#bases = [...new Set([this.#options.base, this.#bases[0], ...(others ?? [])])];
      this.#later(PING_MS, () => this.#ping(PONG_MS));
      return this.#options.report({ type: "welcome", message });
    }
    const { report, onHelloRefused } = this.#options;
    const next = message.type === "refused" && this.#welcomedAt === null ? onHelloRefused(message) : "tell";
    if (next === "wait") {
      this.#drop();
      this.#waits = true;
    } else if (next === "again") {
      this.#hello();
    } else {
      report({ type: "told", message });
    }
  }

  /**
   * Pings. Without any message in time the connection counts as dead.
   *
   * @param {number} timeout milliseconds
   */
  #ping(timeout) {
    this.#pinged = true;
    this.#write({ type: "ping", id: PING_ID });
    // After a wake-up it is this device that was away.
    this.#later(timeout, () => this.#broken(1006, "", timeout === PONG_MS));
  }

  /** @param {number} code @param {string} reason */
  #closed(code, reason) {
    if (FINAL_CLOSE_CODES.includes(code)) {
      this.#ended = true;
      this.#drop();
      this.#options.report({ type: "ended", code, reason });
    } else {
      this.#broken(code, reason);
    }
  }

  /** @param {number} code @param {string} reason @param {boolean} [silent] */
  #broken(code, reason, silent) {
    if (silent || this.#welcomedAt === null) {
      // It does not answer: the next one comes first.
      this.#bases.push(/** @type {string} */ (this.#bases.shift()));
    }
    if (this.#welcomedAt !== null && performance.now() - this.#welcomedAt > SHORT_LIVED_MS) {
      this.#attempt = 0;
    }
    this.#drop();
    this.#later(delay(this.#attempt, Math.random()), () => this.open());
    this.#attempt += 1;
    if (!this.#opened) this.#askWhy();
    this.#options.report({ type: "broke", code: this.#blocked ? NO_WEBSOCKET : code, reason });
  }

  /**
   * Asks without a WebSocket why there is none. A proxy that passes none passes this; a server that is full,
   * and a proxy without its server, say so.
   */
  async #askWhy() {
    const url = new URL("ws", this.#options.base);
    const { status } = await fetch(url, { cache: "no-store" }).catch(() => ({ status: 500 }));
    this.#blocked = !this.#opened && status < 500 && status !== 429;
  }

  /** Closes the socket and ignores what it still reports. */
  #drop() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    this.#welcomedAt = null;
    this.#pinged = false;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
      socket.close();
    }
  }

  /** @param {number} ms @param {() => void} callback */
  #later(ms, callback) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(callback, ms);
  }
}

/** @param {string} text @returns {ServerMessage | null} */
function parse(text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value.type === "string" ? value : null;
  } catch {
    return null;
  }
}
