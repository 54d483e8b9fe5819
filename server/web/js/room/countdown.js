// A part of the room that counts down.
// @ts-check

import { Timed } from "../html.js";

/**
 * @typedef {{to: number, children?: (left: number) => any}} Props `to` is a time of
 *   `performance.now()`; `children` draws the part with the milliseconds left, negative afterwards
 */

/**
 * Draws its part again at each full second until the time is over.
 * @extends {Timed<Props>}
 */
export class Countdown extends Timed {
  componentDidMount() {
    this.#wait();
  }

  componentDidUpdate() {
    this.#wait();
  }

  #wait() {
    this.stopTimer();
    const left = this.props.to - performance.now();
    if (left > 0) this.timer = setTimeout(() => this.forceUpdate(), left % 1000);
  }

  /** @param {any} props */
  render({ to, children }) {
    return children(to - performance.now());
  }
}
