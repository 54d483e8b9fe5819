// The socket: says hello, comes back after a break, notices a dead line and a lost answer. The only
// file of the page that drives a WebSocket. What to send and what it means is not decided here.
// @ts-check

import { FINAL_CLOSE_CODES, PROTOCOL_VERSION } from "./protocol.js";

/** @typedef {import("./protocol.js").ServerMessage} ServerMessage */
/** @typedef {import("./protocol.js").ClientMessage} ClientMessage */

/**
 * The first delay after a break, before chance, the longest of the first attempts, which take about
 * 15 s, and the longest: those of `protocol/README.md`.
 */
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_AT_FIRST_MS = 1_000;
const FIRST_ATTEMPTS = 20;
const LONGEST_DELAY_MS = 5_000;

/** How long an attempt may take before it counts as failed. */
const PATIENCE_MS = 10_000;

/**
 * How often a sign of life is asked for, and how long it may take before the line counts as dead:
 * whoever only waits sees a lost network within 15 s. After a wake-up it may take less.
 */
const PING_MS = 9_000;
const PONG_MS = 5_000;
const WAKE_PONG_MS = 4_000;

/**
 * How long the server may leave an intent without an answer while it answers no other. It answers
 * in milliseconds; one that does not has lost it, or is no use any more, and a new connection asks
 * again. The terminal's rule.
 */
const ANSWER_MS = 10_000;

/** A connection that ended this soon was no better than none: the next delay is not the first. */
const SHORT_LIVED_MS = 1_000;

/**
 * Who says hello.
 *
 * @typedef {{name: string, token: string | null, pass: string | null, password?: string}} Greeting
 */

/**
 * @typedef {object} Options
 * @property {string} url of the WebSocket
 * @property {() => Greeting} greeting who says hello, asked for each attempt
 * @property {() => number} nextId the id of a ping
 * @property {(action: import("./reduce.js").Action) => void} dispatch takes what happened
 * @property {(refusal: {code: string, message: string}) => boolean | "wait"} onHelloRefused after a refused
 *   hello: whether the greeting is another one now, to be tried at once; `wait` until `open`
 */

/**
 * How long to wait before an attempt: twice as long each time, spread by chance so that a
 * restarted server does not meet all its clients in one moment.
 *
 * @param {number} attempt 0 for the first after a break
 * @param {number} chance 0 to 1
 * @returns {number} milliseconds
 */
export function delay(attempt, chance) {
  const longest = attempt < FIRST_ATTEMPTS ? LONGEST_DELAY_AT_FIRST_MS : LONGEST_DELAY_MS;
  const full = Math.min(longest, FIRST_DELAY_MS * 2 ** Math.min(attempt, 10));
  return full * (0.5 + chance / 2);
}

/** A connection that lasts over breaks. */
export class Connection {
  /** @type {Options} */ #options;
  /** @type {WebSocket | null} */ #socket = null;
  #greeted = false;
  /** Whether the server wants no more of us. */
  #ended = false;
  #attempt = 0;
  #openedAt = 0;
  /** @type {number | undefined} for the next attempt, or against a silent line */
  #timer;
  /** @type {number | undefined} against an answer that does not come */
  #answerTimer;
  /** How many intents are without an answer. */
  #unanswered = 0;
  /** Whether anything was heard since the last ping. */
  #heard = true;

  /** @param {Options} options */
  constructor(options) {
    this.#options = options;
  }

  /** Makes the connection, in place of the one there is. */
  open() {
    this.#drop();
    const socket = new WebSocket(this.#options.url);
    this.#socket = socket;
    this.#await(PATIENCE_MS);
    socket.onopen = () => this.#hello();
    socket.onmessage = ({ data }) => this.#message(String(data));
    socket.onclose = ({ code, reason }) => this.#closed(code, reason);
  }

  /**
   * Sends a message, if the server has welcomed us; else it is for the time after the welcome.
   *
   * @param {ClientMessage} message
   */
  send(message) {
    if (this.#greeted) {
      this.#write(message);
    }
  }

  /**
   * Takes how many intents are without an answer now.
   *
   * @param {number} count
   */
  unanswered(count) {
    const begins = this.#unanswered === 0;
    const answered = count < this.#unanswered;
    this.#unanswered = count;
    if (begins || answered) {
      this.#awaitAnswer();
    }
  }

  /** The device is awake, visible or online again: tries at once, or asks for a sign of life. */
  wake() {
    if (this.#ended) {
      return;
    }
    if (!this.#socket) {
      this.#attempt = 0;
      this.open();
    } else if (this.#greeted) {
      this.#ping(WAKE_PONG_MS);
    }
  }

  /** Comes back under another name. */
  reconnect() {
    if (this.#greeted) {
      this.open();
    }
  }

  #hello() {
    const { name, token, pass, password } = this.#options.greeting();
    const who = pass ? { pass } : { token };
    this.#write({ type: "hello", protocol: PROTOCOL_VERSION, name, ...who, password });
  }

  /** @param {object} message */
  #write(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify(message));
    }
  }

  /** @param {string} text */
  #message(text) {
    this.#heard = true;
    const message = parse(text);
    if (!message) {
      return;
    }
    if (message.type === "welcome") {
      this.#welcomed();
    } else if (message.type === "refused" && !this.#greeted) {
      const retried = this.#options.onHelloRefused(message);
      if (retried === "wait") {
        this.#drop();
        return;
      }
      if (retried) {
        this.#hello();
        return;
      }
    }
    this.#options.dispatch({ type: "server", message, at: performance.now() });
  }

  #welcomed() {
    this.#greeted = true;
    this.#openedAt = performance.now();
    this.#awaitAnswer();
    this.#later(PING_MS, () => this.#ping(PONG_MS));
  }

  /**
   * Asks for a sign of life. Nothing at all in time means that the line is dead.
   *
   * @param {number} patience milliseconds
   */
  #ping(patience) {
    this.#heard = false;
    this.#write({ type: "ping", id: this.#options.nextId() });
    this.#later(patience, () => {
      if (this.#heard) {
        this.#later(PING_MS - patience, () => this.#ping(PONG_MS));
      } else {
        this.#broken(1006, "");
      }
    });
  }

  /** @param {number} patience milliseconds until the attempt counts as failed */
  #await(patience) {
    this.#later(patience, () => this.#broken(1006, ""));
  }

  /** Begins to wait for the next answer, if there is one to wait for and somebody to give it. */
  #awaitAnswer() {
    clearTimeout(this.#answerTimer);
    if (this.#greeted && this.#unanswered > 0) {
      this.#answerTimer = setTimeout(() => this.#broken(1006, ""), ANSWER_MS);
    }
  }

  /** @param {number} code @param {string} reason */
  #closed(code, reason) {
    if (FINAL_CLOSE_CODES.includes(code)) {
      this.#ended = true;
      this.#drop();
      this.#options.dispatch({ type: "connection", phase: "ended", code, reason });
    } else {
      this.#broken(code, reason);
    }
  }

  /** @param {number} code @param {string} reason */
  #broken(code, reason) {
    const lived = this.#greeted ? performance.now() - this.#openedAt : 0;
    if (lived > SHORT_LIVED_MS) {
      this.#attempt = 0;
    }
    this.#drop();
    this.#later(delay(this.#attempt, Math.random()), () => this.open());
    this.#attempt += 1;
    this.#options.dispatch({ type: "connection", phase: "lost", code, reason });
  }

  /** Forgets the socket, which says nothing more. */
  #drop() {
    clearTimeout(this.#timer);
    clearTimeout(this.#answerTimer);
    const socket = this.#socket;
    this.#socket = null;
    this.#greeted = false;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }

  /** @param {number} ms @param {() => void} act */
  #later(ms, act) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, ms);
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
