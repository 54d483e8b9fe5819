// A link as a QR code in one SVG path, dark on light in each colour scheme because cameras need that.
// The encoder is in `vendor/`.
// @ts-check

import { replace, svg } from "../dom.js";

/** The quiet zone of the QR standard, in modules. */
const BORDER = 4;

/** The text of each place. A late drawing of an older text is dropped. */
const shown = new WeakMap();

/**
 * Draws a text as a QR code into `place`; "" clears it. The encoder is loaded for the first code.
 * Where that fails, the player can still use the link.
 * @param {Element} place
 * @param {string} text
 * @param {string} name for screen readers
 */
export async function showQrCode(place, text, name) {
  shown.set(place, text);
  replace(place);
  if (text === "") return;
  const encoder = await import("../vendor/uqr.mjs").catch(() => null);
  if (encoder && shown.get(place) === text) replace(place, drawing(encoder.encode, text, name));
}

/**
 * @param {typeof import("../vendor/uqr.mjs").encode} encode
 * @param {string} text
 * @param {string} name
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
  const attributes = {
    viewBox: `0 0 ${size} ${size}`,
    role: "img",
    "aria-label": name,
    class: "qr",
  };
  return svg("svg", attributes, svg("path", { d, "shape-rendering": "crispEdges" }));
}
