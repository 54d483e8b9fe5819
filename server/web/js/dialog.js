// A modal dialog. It opens when it appears, with the focus on the element that has `autofocus`, and the
// browser gives the focus back when it closes.
// @ts-check

import { Component, createRef, html } from "./html.js";

/**
 * @typedef {{onclose?: () => void, children?: any, [attribute: string]: any}} Props `onclose` takes it
 *   off the page
 */

/** @extends {Component<Props>} */
export class Dialog extends Component {
  #element = /** @type {{current: HTMLDialogElement | null}} */ (createRef());

  componentDidMount() {
    this.#element.current?.showModal();
    // The focus may be on its last button.
    this.#element.current?.scrollTo(0, 0);
  }

  componentWillUnmount() {
    this.#element.current?.close();
  }

  /** @param {Props} props */
  render({ children, ...attributes }) {
    return html`<dialog class="dialog" ref=${this.#element} ...${attributes}>${children}</dialog>`;
  }
}

/**
 * A question before what cannot be undone. `no` is the button that goes back.
 *
 * @param {{title: string, text?: string, yes: string, no: string, danger?: boolean, accept: () => void, onclose: () => void}} props
 */
export const Ask = ({ title, text, yes, no, danger = true, accept, onclose }) => html`<${Dialog}
  aria-labelledby="ask-title"
  aria-describedby=${text && "ask-text"}
  onclose=${onclose}
>
  <h2 id="ask-title">${title}</h2>
  ${text && html`<p id="ask-text">${text}</p>`}
  <div class="buttons">
    <button type="button" class="button-quiet" autofocus onclick=${closeDialog}>${no}</button>
    <button type="button" class=${danger ? "button-danger" : "button-primary"} onclick=${closing(accept)}>${yes}</button>
  </div>
<//>`;

/** Closes the dialog around a pressed button. @param {Event} event */
export function closeDialog({ currentTarget }) {
  if (currentTarget instanceof Element) currentTarget.closest("dialog")?.close();
}

/** The cross that closes its dialog. @param {{name: string, [attribute: string]: any}} props */
export const Close = ({ name, ...attributes }) => html`<button type="button" class="button-bare" aria-label=${name} onclick=${closeDialog} ...${attributes}>
  <span aria-hidden="true">✕</span>
</button>`;

/** For a button that closes its dialog and does something. @param {() => void} act */
export const closing = (act) => (/** @type {Event} */ event) => {
  closeDialog(event);
  act();
};
