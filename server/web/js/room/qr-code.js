// A link as a QR code in one SVG path, dark on light in each colour scheme because cameras need that.
// The encoder is in `vendor/`.
// @ts-check

import { Component, html } from "../html.js";

/** The quiet zone of the QR standard, in modules. */
const BORDER = 4;

/**
 * Draws a text, none for "". The encoder is loaded for the first text. Where that fails, the player can
 * still use the link.
 * @extends {Component<{text: string, name: string}, {encode?: typeof import("../vendor/uqr.mjs").encode}>}
 */
export class QrCode extends Component {
  componentDidMount() {
    this.componentDidUpdate();
  }

  /** @param {any} next @param {any} state */
  shouldComponentUpdate(next, { encode }) {
    return next.text !== this.props.text || encode !== this.state.encode;
  }

  async componentDidUpdate() {
    if (this.props.text === "" || this.state.encode) return;
    const encoder = await import("../vendor/uqr.mjs").catch(() => null);
    if (encoder) this.setState({ encode: encoder.encode });
  }

  /** @param {any} props @param {any} state */
  render({ text, name }, { encode }) {
    return html`<div class="share-qr">${text && encode && drawing(encode, text, name)}</div>`;
  }
}

/**
 * @param {typeof import("../vendor/uqr.mjs").encode} encode
 * @param {string} text
 * @param {string} name for screen readers
 */
function drawing(encode, text, name) {
  const { data, size } = encode(text, { ecc: "M", border: BORDER });
  let d = "";
  data.forEach((/** @type {boolean[]} */ row, /** @type {number} */ y) => {
    for (let x = 0; x < size; x += 1) {
      if (!row[x]) continue;
      const from = x;
      while (row[x + 1]) x += 1;
      d += `M${from} ${y}h${x + 1 - from}v1h-${x + 1 - from}z`;
    }
  });
  return html`<svg viewBox="0 0 ${size} ${size}" role="img" aria-label=${name} class="qr">
    <path d=${d} shape-rendering="crispEdges" />
  </svg>`;
}
