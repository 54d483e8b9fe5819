// Holds the page's state and does what the reducer commands: sends, stores, reconnects. It keeps the one
// timer of the core, and tells the views.
// @ts-check

import { reduce } from "./core/page.js";
import { deadline } from "./client/session.js";

/** @typedef {import("./core/state.js").State} State */
/** @typedef {import("./core/page.js").Action} Action */
/** @typedef {import("./core/page.js").Command} Command */
/** @typedef {(state: State, before: State) => void} Listener */

export class Runner {
  #state;
  #execute;
  /** @type {Listener[]} */ #listeners = [];
  /** @type {Action[]} */ #queue = [];
  #busy = false;
  /** @type {number | undefined} */ #timer;

  /** @param {State} state @param {(command: Command) => void} execute */
  constructor(state, execute) {
    this.#state = state;
    this.#execute = execute;
  }

  get state() {
    return this.#state;
  }

  // Views take these functions without the runner.

  /** @param {import("./client/protocol.js").Intent} intent */
  send = (intent) => this.dispatch({ type: "asked", intent });

  /**
   * Takes an action. One that comes from a command or a listener waits until all of them are done, so
   * that all listeners see the same order.
   *
   * @param {Action} action
   */
  dispatch = (action) => {
    this.#queue.push(action);
    if (this.#busy) {
      return;
    }
    this.#busy = true;
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
        this.#take(next);
      }
    } finally {
      this.#busy = false;
    }
  };

  /** Tells the listeners that something beside the state has changed: the own face. */
  redraw = () => this.#listeners.forEach((listener) => listener(this.#state, this.#state));

  /** @param {Listener} listener */
  subscribe = (listener) => {
    this.#listeners.push(listener);
  };

  /** @param {Action} action */
  #take(action) {
    const before = this.#state;
    const [state, commands] = reduce(before, action, performance.now());
    this.#state = state;
    this.#keepTime();
    commands.forEach(this.#execute);
    if (state !== before) {
      this.#listeners.forEach((listener) => listener(state, before));
    }
  }

  #keepTime() {
    clearTimeout(this.#timer);
    const due = deadline(this.#state.session);
    if (due !== null) {
      this.#timer = setTimeout(() => this.dispatch({ type: "time" }), due - performance.now());
    }
  }
}
