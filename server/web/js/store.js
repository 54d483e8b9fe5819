// Holds the state. Actions change it one after the other.
// @ts-check

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./reduce.js").Action} Action */
/** @typedef {(state: State, before: State, action: Action) => void} Listener */
/**
 * @typedef {object} Store
 * @property {() => State} getState
 * @property {(action: Action) => void} dispatch
 * @property {(listener: Listener) => () => void} subscribe returns the function that unsubscribes
 */

/**
 * Makes a store. An action that a listener dispatches waits until all listeners have seen the
 * previous one, so that all listeners see the same order.
 *
 * @param {(state: State, action: Action) => State} reduce
 * @param {State} initial
 * @returns {Store}
 */
export function createStore(reduce, initial) {
  let state = initial;
  /** @type {Listener[]} */
  let listeners = [];
  /** @type {Action[]} */
  const queue = [];
  let busy = false;

  /** @param {Action} action */
  function take(action) {
    const before = state;
    state = reduce(before, action);
    for (const listener of listeners) {
      listener(state, before, action);
    }
  }

  /** @param {Action} action */
  function dispatch(action) {
    queue.push(action);
    if (busy) {
      return;
    }
    busy = true;
    try {
      for (let next = queue.shift(); next; next = queue.shift()) {
        take(next);
      }
    } finally {
      busy = false;
    }
  }

  /** @param {Listener} listener */
  function subscribe(listener) {
    listeners = [...listeners, listener];
    return () => {
      listeners = listeners.filter((one) => one !== listener);
    };
  }

  return { getState: () => state, dispatch, subscribe };
}
