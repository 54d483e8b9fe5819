// A link to another screen of the page. It is a true link: it can be copied, and opened in another tab.
// @ts-check

import { Component, html } from "./html.js";
import { addressOf } from "./router.js";

/** @typedef {{to: import("./core/state.js").Route, children?: import("./html.js").Children, [attribute: string]: any}} Props */

/** @extends {Component<Props>} */
export class Link extends Component {
  #go = (/** @type {MouseEvent} */ event) => {
    // With a modifier key, or where the link says so, the browser opens another tab or window.
    if (event.ctrlKey || event.metaKey || event.shiftKey || this.props.target) return;
    event.preventDefault();
    this.context.navigate(this.props.to);
  };

  /** @param {Props} props */
  render({ to, children, ...attributes }) {
    return html`<a href=${addressOf(to)} onclick=${this.#go} ...${attributes}>${children}</a>`;
  }
}
