// Templates of elements: Preact 11.2.0 and htm 3.1.1 as they are published. The only module that
// imports them. Text stays text, and no policy for trusted types is needed.
// @ts-check

import { default as htm } from "./vendor/htm.mjs";
import { Component, createContext, createRef, h, render } from "./vendor/preact.mjs";

/** @typedef {import("./vendor/preact.mjs").ComponentChildren} Children */

/** @type {(strings: TemplateStringsArray, ...values: any[]) => import("./vendor/preact.mjs").VNode} */
export const html = /** @type {any} */ (htm.bind(h));

/**
 * A component with one timer, of either kind, that ends with it.
 *
 * @template [P={}] @template [S={}]
 * @extends {Component<P, S>}
 */
// @ts-expect-error Each class that extends it draws.
export class Timed extends Component {
  timer = 0;

  stopTimer() {
    clearTimeout(this.timer);
  }

  componentWillUnmount() {
    this.stopTimer();
  }
}

export { Component, createContext, createRef, render };
